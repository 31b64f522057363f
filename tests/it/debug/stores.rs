//! What debug memory leaves behind can be deleted, and comes again.

use std::path::PathBuf;

use serde_json::Value;

use super::{attempt, documents, failure, project, told};
use crate::project::Project;

fn digests(project: &Project) -> Value {
    let status = project.annals(["status", "--digest", "--json"]).json();
    let stores = status["stores"].as_array().expect("a list").iter();
    stores.map(|it| (it["store"].to_string(), it["digest"].clone())).collect()
}

#[test]
fn stores_that_are_deleted_come_again_and_every_document_is_valid() {
    let project = project();
    for file in ["src/a.ts", "src/b.ts"] {
        project.annals(["debug", "open", file]).code(0);
        attempt(&project, Some(failure("t", "boom 7", file)));
        project.annals(["debug", "fix", "--description", "Mended it"]).code(0);
        attempt(&project, None);
    }
    told(&project, &["learn", "--recommend", "x"]);
    let (before, paths) = (digests(&project), documents(&project));
    assert_eq!(paths.len(), 2);
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a document");
    let texts: Vec<_> = paths.iter().map(text).collect();
    let validate = ["debug", "validate", "--strict"].map(PathBuf::from);
    project.annals(validate.iter().chain(&paths)).code(0).says(": valid");
    for gone in ["index.db", "debug-memory"] {
        let path = project.path(&format!(".annals/{gone}"));
        match path.is_dir() {
            true => std::fs::remove_dir_all(&path).expect("removed"),
            false => std::fs::remove_file(&path).expect("removed"),
        }
        project.annals(["repair"]);
        assert_eq!(digests(&project), before, "{gone}");
        assert_eq!(documents(&project).iter().map(text).collect::<Vec<_>>(), texts, "{gone}");
    }
    project.annals(["rebuild", "--check"]).code(0);
    // What somebody edited comes back as it was recorded.
    std::fs::write(&paths[0], texts[0].replace("boom", "bang")).expect("edited");
    project.annals(["repair"]);
    assert_eq!(text(&paths[0]), texts[0]);
}
