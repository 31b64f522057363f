//! A hook that panics.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use super::answer_panics;
use crate::agents::hook::{Agent, HookRequest};
use crate::journal::{InitOptions, Project};
use crate::stores::STORES;

const PROJECT: &str = "ANNALS_TEST_PANICKING_HOOK";

/// The agent goes on whatever happens: an answer, 0, and a fault that `annals status` tells of.
#[test]
fn a_panic_is_answered() {
    if let Some(root) = env::var_os(PROJECT) {
        let starts = vec![PathBuf::from(root)];
        let agent = Agent::ClaudeCode;
        answer_panics(HookRequest {
            agent,
            mode: None,
            starts,
            env_file: None,
            usage: None,
            around: &STORES,
        });
        panic!("as a fault of this build would");
    }
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let name = "cli::hook::tests::a_panic_is_answered";
    let ended = Command::new(env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(PROJECT, folder.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{printed}");
    let told = r#"{"systemMessage":"annals: a fault of this build"#;
    assert!(printed.lines().any(|line| line.contains(told)), "{printed}");
    let kept = std::fs::read_to_string(project.annals_dir().join("hooks").join("claude-code.json"))
        .unwrap();
    assert!(kept.contains("a fault of this build"), "{kept}");
}
