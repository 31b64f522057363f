//! A short form of the seeded repeats: a real crate broken in six ways, ended, and broken so elsewhere.

use std::process::Command;

use crate::skipped::skipped;

#[test]
fn what_ended_six_mistakes_in_a_crate_is_proposed_where_they_are_made_again() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|it| it.status.success()) {
        return skipped("no python3");
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/replayed/repeats.py");
    let mut command = Command::new("python3");
    command.args([script, env!("CARGO_BIN_EXE_annals"), ".", "rust", "--few", "-v"]);
    let ran = command.output().expect("python3 runs");
    let (told, errors) =
        (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{told}{errors}");
    let expected = "rust: 6 repeats, answered 1.000, of these right 1.000; false answers 0 of 2 never ended, \
         0 of 6 met first; 3 fixes failed, proposed 0";
    assert!(told.contains(expected), "{told}");
}
