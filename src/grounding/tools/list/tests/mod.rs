//! Each tool on real files: what it gives, and what it says where it gives nothing.

mod check;
mod edits;
mod files;
mod graph;
mod search;
mod splice;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::TOOLS;
use crate::grounding::tools::{Bench, Given, ToolError, Workspace};

/// A folder that tools work in.
struct Folder {
    folder: tempfile::TempDir,
    stop: AtomicBool,
}

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self { folder: tempfile::tempdir().unwrap(), stop: AtomicBool::new(false) };
        for (path, text) in files {
            folder.put(path, text.as_bytes());
        }
        folder
    }

    fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    /// Calls a tool without a log.
    fn call(&self, tool: &str, arguments: &Value) -> Result<Given, ToolError> {
        call_in(self.folder.path(), tool, &arguments.to_string(), &self.stop)
    }

    /// What it says where it gives nothing.
    #[track_caller]
    fn says(&self, tool: &str, arguments: &Value) -> String {
        let given = self.call(tool, arguments);
        given.expect_err(&format!("{tool} {arguments}")).to_string()
    }
}

fn call_in(
    root: &Path,
    tool: &str,
    arguments: &str,
    stop: &AtomicBool,
) -> Result<Given, ToolError> {
    let workspace = Workspace::open(root).unwrap();
    let bench = Bench { workspace: &workspace, project: None, session: None, stop };
    TOOLS.iter().find(|spec| spec.name == tool).unwrap().call(arguments, &bench)
}

#[test]
fn every_tool_says_what_is_wrong_with_its_arguments_and_where_to_look() {
    let folder = Folder::new(&[]);
    for spec in TOOLS {
        for arguments in ["", "[]", "7", "{\"no_such\":1}", "{", "{\"path\":7,\"file\":7}"] {
            let said = call_in(folder.folder.path(), spec.name, arguments, &folder.stop);
            let said = said.expect_err(spec.name).to_string();
            assert!(said.starts_with(spec.name), "{said}");
            assert!(said.contains(&format!("annals tool {} --help", spec.name)), "{said}");
        }
        // What must be told is what the parser wants.
        let said = call_in(folder.folder.path(), spec.name, "{}", &folder.stop);
        let wants = spec.parameters.iter().find(|it| it.required);
        match (wants, said) {
            (Some(first), Err(error)) => {
                assert!(error.to_string().contains(first.name), "{error}");
            }
            (None, _) => {}
            (Some(_), Ok(given)) => panic!("{}: {given:?}", spec.name),
        }
    }
}
