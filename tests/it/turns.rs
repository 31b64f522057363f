//! What an import of real sessions leaves in the repository's memory.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::project::Project;
use crate::skipped::skipped;

/// Real sessions where they lie packed beside the project.
#[test]
fn imported_turns_accuse_nobody() {
    let packed = "../shared/data/claude-code-sessions/sessions-100.tar.xz";
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join(packed);
    let folder = tempfile::tempdir().unwrap();
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(packed).arg("-C").arg(folder.path());
    if !tar.output().is_ok_and(|it| it.status.success()) {
        skipped("no real sessions in ../shared/data/claude-code-sessions");
        return;
    }
    let project = Project::new();
    let import =
        |what: &Path| project.annals(["--json".as_ref(), "import".as_ref(), what.as_os_str()]);
    import(folder.path());
    let summaries = |project: &Project| -> Vec<String> {
        let events = project.annals(["export", "jsonl", "events"]).code(0).out();
        let events = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let told = events.filter(|event| event["kind"] == "SummaryAppended");
        told.map(|event| event["body"]["summary"].as_str().unwrap().to_owned()).collect()
    };
    let told = summaries(&project);
    assert!(told.len() > 300, "{}", told.len());
    for summary in &told {
        let (title, rest) = summary.split_once('\n').unwrap();
        assert!(!title.starts_with("What happened: <") && !title.starts_with("What happened: #"));
        // No gate judged here.
        assert!(!rest.contains("not borne out") && !rest.contains("no check passed"), "{summary}");
        let pending = rest.lines().filter(|it| it.starts_with("- pending #")).collect::<Vec<_>>();
        assert!(pending.len() <= 3, "{summary}");
        // No check of the kind of what is left passed behind it.
        let number = |line: &str| -> u64 {
            let number = line.split_once('#').unwrap().1;
            number.split_once(' ').unwrap().0.parse().unwrap()
        };
        for kind in ["test", "lint", "build", "fmt"] {
            let of_kind = |it: &&str| it.contains(kind);
            let passed = rest.lines().filter(|it| it.starts_with("- passed #"));
            let passed = passed.filter(of_kind).map(number).max();
            let left = pending.iter().copied().filter(of_kind).map(number).max();
            assert!(left.is_none_or(|left| Some(left) > passed), "{summary}");
        }
    }
    let with = |what: &str| told.iter().filter(|it| it.contains(what)).count();
    assert!(with("\n- said: ") * 10 > told.len() * 9, "what was concluded is kept");
    assert!(with("\n- pending ") < 12, "{}", with("\n- pending "));
    // The longest, again.
    let sessions = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path());
    let longest = sessions.max_by_key(|it| it.metadata().map_or(0, |it| it.len())).unwrap();
    let count = "SELECT count(*) FROM idx.repo_summaries";
    let counted = || project.annals(["sql", count]).code(0).out();
    let before = counted();
    import(&longest);
    assert_eq!(counted(), before, "again");
}
