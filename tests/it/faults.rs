//! Operations on files that fail, one after the other, in commands that write: nothing is told as
//! recorded that is not, and nothing stays behind that `repair` does not mend.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::leash::start;
use crate::project::Project;
use crate::skipped::skipped;

/// EIO, EACCES, ENOSPC, EINTR.
const ERRORS: [i32; 4] = [5, 13, 28, 4];
/// A call is asked again for ever where it is interrupted for ever.
const INTERRUPTED: i32 = 4;
/// So many operations of a command fail in the short form.
const FAILED: usize = 10;
const PATIENCE: Duration = Duration::from_secs(60);

/// One command, and which of its exit codes are its own.
struct Case {
    name: &'static str,
    words: Vec<String>,
    codes: &'static [i32],
}

fn cases() -> Vec<Case> {
    let transcript = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/transcripts/glued.jsonl");
    let case = |name, words: &[&str], codes| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Case { name, words, codes }
    };
    let told: &[i32] = &[0, 1, 2, 3, 4, 5];
    vec![
        case("run", &["run", "--", "sh", "-c", "exit 7"], &[7]),
        case("import", &["import", "auto", transcript], told),
        case("rebuild", &["rebuild"], told),
        case("repair", &["repair"], told),
        case("status", &["status"], told),
    ]
}

/// The library that fails; `None` where nothing compiles it.
fn shim(folder: &Path) -> Option<PathBuf> {
    let library = folder.join("faults.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/faults.c");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).args([source, "-ldl"]);
    let built = cc.output().ok()?; // there is none
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(library)
}

/// Runs a command beside the library; it is killed where it does not end.
fn hindered(project: &Project, case: &Case, library: &Path, faults: &[(&str, String)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command.args(&case.words).current_dir(project.root()).stdin(Stdio::null());
    command
        .env("HOME", project.root())
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME")
        .env("TZ", "UTC")
        .env("LD_PRELOAD", library);
    for name in ["ANNALS_DIR", "ANNALS_SESSION"] {
        command.env_remove(name);
    }
    command.envs(faults.iter().map(|(name, value)| (*name, value)));
    let mut child = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let began = Instant::now();
    while child.try_wait().expect("asked").is_none() {
        assert!(began.elapsed() < PATIENCE, "{} hangs: {faults:?}", case.name);
        std::thread::sleep(Duration::from_millis(2));
    }
    child.output().expect("its output")
}

fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to); // there was none
    let ran = Command::new("cp").arg("-a").args([from, to]).status().expect("cp runs");
    assert!(ran.success());
}

/// A project with calls, and a copy of it to begin each trial with. The journal names its folder, so
/// that every trial is made in the same.
fn begun(aside: &Path) -> Project {
    let project = Project::new();
    for code in [0, 3] {
        let script = format!("echo out; echo error >&2; exit {code}");
        project.annals(["run", "--", "sh", "-c", &script]).code(code);
    }
    project.annals(["status"]).code(0);
    copy(project.root(), aside);
    project
}

fn again(project: &Project, aside: &Path, case: &Case) {
    for entry in std::fs::read_dir(project.root()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let removed = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
        removed.expect("removed");
    }
    copy(&aside.join("."), &project.root().join("."));
    if case.name == "repair" {
        std::fs::remove_file(project.path("execution_log.db")).expect("removed");
    }
}

/// Holds what was told, and that what stands is mended by `repair` alone.
fn holds(project: &Project, case: &Case, ran: &Output, trial: &str) {
    let [out, err] = [&ran.stdout, &ran.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
    let code = ran.status.code().unwrap_or(-1);
    assert!(case.codes.contains(&code), "{trial}: {:?}\n{out}{err}", ran.status);
    assert!(!err.contains("panicked"), "{trial}: {err}");
    match case.name {
        "run" if !err.contains("not recorded") => {
            let log = project.annals(["log", "--json"]).out();
            assert!(log.contains("exit 7"), "{trial}: told as recorded\n{err}");
        }
        "import" if code == 0 => {
            let more = project.annals(&case.words).code(0).out();
            let line = more.lines().find(|line| line.starts_with("events recorded"));
            let added = line.and_then(|line| line.split_whitespace().last());
            assert_eq!(added, Some("0"), "{trial}: told as imported\n{more}");
        }
        _ => {}
    }
    for words in [&["repair"][..], &["rebuild", "--check"], &["verify"]] {
        let ran = project.annals(words);
        let told = format!("{}{}", ran.out(), ran.err());
        assert_eq!(ran.output.status.code(), Some(0), "{trial}, then {words:?}: {told}\n{err}");
    }
}

#[test]
fn whatever_fails_nothing_is_told_as_recorded_that_is_not() {
    let outside = tempfile::tempdir().expect("a folder");
    let Some(library) = shim(outside.path()) else { return skipped("no cc") };
    let (aside, count) = (outside.path().join("begun"), outside.path().join("count"));
    let full = std::env::var("ANNALS_TORTURE").is_ok_and(|value| value == "full");
    let project = begun(&aside);
    let mut trials = 0;
    for case in cases() {
        again(&project, &aside, &case);
        let counted = [("FAULT_COUNT", count.to_string_lossy().into_owned())];
        hindered(&project, &case, &library, &counted);
        let count: usize =
            std::fs::read_to_string(&count).expect("counted").parse().expect("a number");
        assert!(count > 100, "{}: only {count} operations are seen", case.name);
        let step = if full { 1 } else { count / FAILED };
        for (turn, at) in (1..=count).step_by(step).enumerate() {
            let (error, sticky) = (ERRORS[turn % 4], turn % 8 < 4);
            let sticky = sticky && error != INTERRUPTED;
            again(&project, &aside, &case);
            let faults = [
                ("FAULT_AT", at),
                ("FAULT_ERRNO", error as usize),
                ("FAULT_STICKY", sticky.into()),
            ];
            let faults = faults.map(|(name, value)| (name, value.to_string()));
            let ran = hindered(&project, &case, &library, &faults);
            holds(&project, &case, &ran, &format!("{} {faults:?} of {count}", case.name));
            trials += 1;
        }
    }
    assert!(trials >= 4 * FAILED);
}
