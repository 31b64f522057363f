//! A real crate, broken and checked.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Folder;

const MANIFEST: &str =
    "[package]\nname = \"broken\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";

#[test]
fn a_broken_crate_is_told_by_file_and_line_from_the_projects_root() {
    let folder = Folder::new(&[
        ("sub/Cargo.toml", MANIFEST),
        ("sub/src/lib.rs", "pub fn a() -> u8 {\n    nowhere\n}\n"),
        ("elsewhere/x.rs", ""),
    ]);
    let given = folder.call("lsp_check", &json!({"path": "sub/src/lib.rs"})).unwrap();
    assert_eq!((given.exit_code, given.paths), (Some(101), vec!["sub/src/lib.rs".to_owned()]));
    let failed = given.failed.unwrap();
    assert!(failed.starts_with("error[E0425] sub/src/lib.rs:2: cannot find value"), "{failed}");
    assert_eq!(given.data["errors"], 1);

    folder.put("sub/src/lib.rs", b"pub fn a() -> u8 {\n    1\n}\n");
    let given = folder.call("lsp_check", &json!({"path": "sub"})).unwrap();
    assert_eq!((given.failed, given.text.as_str()), (None, "sub: 0 errors, 0 warnings"));

    for (path, says) in [
        ("elsewhere", "no Cargo.toml in \"elsewhere\" or above it inside the project"),
        ("none", "there is no \"none\""),
        ("/", "\"/\" is outside the project"),
    ] {
        let said = folder.says("lsp_check", &json!({"path": path}));
        assert!(said.starts_with(says), "{said}");
    }
}

/// A build script that never ends, and what it starts, are ended with the check.
#[test]
fn a_check_that_never_ends_is_ended_with_all_that_it_started() {
    // Of this run alone: another run of the tests has sleepers of its own.
    let seconds = (86_400 + u64::from(std::process::id())).to_string();
    let script = r#"fn main() {
        std::fs::write("began", "").unwrap();
        std::process::Command::new("sleep").arg("SECONDS").status().unwrap();
    }"#
    .replace("SECONDS", &seconds);
    let folder =
        Folder::new(&[("Cargo.toml", MANIFEST), ("src/lib.rs", ""), ("build.rs", &script)]);
    let began = Instant::now();
    let given = folder.call("lsp_check", &json!({"timeout_s": 1})).unwrap();
    assert_eq!(given.failed.unwrap(), "cargo check was ended after 1 s: raise timeout_s");
    assert!(began.elapsed() < Duration::from_secs(30));
    drop(std::fs::remove_file(folder.path("began")));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !folder.path("began").exists() && began.elapsed() < Duration::from_secs(300) {
                std::thread::sleep(Duration::from_millis(10));
            }
            folder.stop.store(true, Ordering::Relaxed);
        });
        let given = folder.call("lsp_check", &json!({})).unwrap();
        assert_eq!(given.failed.unwrap(), "cargo check was ended: it was no longer wanted");
    });
    assert!(folder.path("began").exists());
    let ended = Instant::now();
    while is_running(&seconds) {
        assert!(ended.elapsed() < Duration::from_secs(10), "what it started still runs");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether any process has that word on its command line.
fn is_running(word: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|part| part == word.as_bytes())
    })
}
