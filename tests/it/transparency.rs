//! `annals run` is not there: whatever happens to the log, the child runs, its bytes come through
//! and its code is the answer.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Stdio;

use crate::leash::Leash;
use crate::project::{NOBODY, Project, Ran};
use crate::skipped::skipped;

/// Prints awkward bytes on both streams and ends with 7.
const SCRIPT: &str = r"printf 'out\000\377\r\033[1m'; printf 'err\001' >&2; exit 7";

#[test]
fn the_child_runs_and_answers_whatever_happens_to_the_log() {
    type Spoil = fn(&Project);
    let table: [(&str, Spoil, Option<&str>); 6] = [
        ("all is well", |_| {}, None),
        ("no project", |project| remove(&project.path(".annals")), Some("not recorded")),
        (
            "the journal is gone",
            |project| remove(&project.path(".annals/journal")),
            Some("not recorded"),
        ),
        (
            "the settings cannot be read",
            |project| {
                project.write(".annals/config.toml", "durability = [");
            },
            Some("left out of the settings: "),
        ),
        (
            "the journal is a file",
            |project| {
                remove(&project.path(".annals/journal"));
                project.write(".annals/journal", "");
            },
            Some("not recorded"),
        ),
        (
            "a store cannot be opened",
            |project| {
                project.write("execution_log.db", "this is no database, not at all, by no means");
            },
            None,
        ),
    ];
    for (name, spoil, note) in table {
        let project = Project::new();
        spoil(&project);
        let ran = project.annals(["run", "--", "sh", "-c", SCRIPT]).code(7);
        assert_eq!(ran.output.stdout, b"out\0\xff\r\x1b[1m", "{name}");
        assert!(ran.err().contains("err\u{1}"), "{name}: {}", ran.err());
        match note {
            None => assert_eq!(ran.output.stderr, b"err\x01", "{name}"),
            Some(note) => drop(ran.says(note)),
        }
    }
}

#[test]
fn a_full_disk_or_a_limit_on_files_changes_nothing_for_the_child() {
    let project = Project::new();
    // 1 KiB blocks or 512 bytes, either way less than the journal's header page.
    let script = format!("ulimit -f 1; exec {} run -- sh -c 'echo through; exit 7'", program());
    let ran = Ran::of(&mut project.shell(&script)).code(7);
    assert_eq!(ran.output.stdout, b"through\n");
    ran.says("not recorded");
}

#[test]
fn a_locked_journal_holds_nobody_up_for_long() {
    let project = Project::new();
    let lock = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(project.path(".annals/journal/LOCK"))
        .expect("the lock file opens");
    fs2::FileExt::lock_exclusive(&lock).expect("locked");
    let began = std::time::Instant::now();
    let ran = project.annals(["run", "--", "sh", "-c", "echo through; exit 7"]).code(7);
    assert_eq!(ran.output.stdout, b"through\n");
    ran.says("not recorded");
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn a_journal_that_may_not_be_written_changes_nothing_for_the_child() {
    let project = Project::new();
    let script = format!("{} run -- sh -c 'echo through; exit 7'", program());
    let mut command = project.shell(&script);
    if is_root() {
        // Root may write anywhere: the child runs as nobody instead, in nobody's folder.
        give_away(project.root());
        let program = std::fs::metadata(program()).expect("the program");
        let reached = Path::new(program_folder()).ancestors().all(|folder| {
            std::fs::metadata(folder).is_ok_and(|about| about.permissions().mode() & 0o001 != 0)
        });
        if program.permissions().mode() & 0o001 == 0 || !reached {
            return skipped("the user nobody cannot run what was built here");
        }
        command = project.shell_as_nobody(&script);
    }
    set_read_only(&project.path(".annals/journal"));
    let ran = Ran::of(&mut command).code(7);
    assert_eq!(ran.output.stdout, b"through\n");
    ran.says("not recorded");
}

#[test]
fn codes_signals_and_missing_programs_answer_as_a_shell_would() {
    let project = Project::new();
    project.write("not-a-program", "");
    for (argv, code) in [
        (vec!["true"], 0),
        (vec!["false"], 1),
        (vec!["sh", "-c", "exit 255"], 255),
        (vec!["sh", "-c", "kill -TERM $$"], 143),
        (vec!["no-such-program-anywhere"], 127),
        (vec!["./not-a-program"], 126),
    ] {
        let mut arguments = vec!["run", "--"];
        arguments.extend(argv);
        project.annals(arguments).code(code);
    }
    let log = project.annals(["log", "--json"]).code(0).json();
    let outcomes: Vec<_> =
        log.as_array().expect("a list").iter().map(|row| row["outcome"].clone()).collect();
    assert_eq!(outcomes, ["ok", "failed", "failed", "failed", "failed", "failed"]);
}

#[test]
fn a_signal_reaches_the_child_and_its_end_is_recorded() {
    let project = Project::new();
    let script = "trap 'echo got it; exit 9' TERM; echo ready; while :; do sleep 0.1; done";
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_annals"))
        .args(["--dir", &project.root().to_string_lossy(), "run", "--", "sh", "-c", script])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map(Leash::of)
        .expect("annals starts");
    let mut out = std::io::BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).expect("a line");
    assert_eq!(line, "ready\n");
    let killed =
        std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).expect("the rest");
    assert_eq!(rest, "got it\n");
    assert_eq!(child.wait().expect("it ended").code(), Some(9));
    let log = project.annals(["log", "--json"]).code(0).json();
    assert_eq!(log[0]["exit_code"], 9);
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let project = Project::new();
    for number in 0..50 {
        project.annals(["run", "--", "sh", "-c", &format!("echo {number}")]).code(0);
    }
    for verb in ["log -n 50", "status", "show last", "man", "completions bash", "verify", "--help"]
    {
        let script = format!("{{ {} {verb}; echo $? >code; }} | true", program());
        Ran::of(&mut project.shell(&script)).code(0);
        let code = std::fs::read_to_string(project.path("code")).expect("the code was written");
        assert_eq!(code, "0\n", "{verb}");
    }
}

fn program() -> &'static str {
    env!("CARGO_BIN_EXE_annals")
}

fn remove(path: &Path) {
    std::fs::remove_dir_all(path).expect("removed");
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}

fn program_folder() -> &'static str {
    program().rsplit_once('/').map_or("/", |(folder, _)| folder)
}

fn give_away(folder: &Path) {
    std::os::unix::fs::chown(folder, Some(NOBODY), Some(NOBODY)).expect("given away");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            give_away(&path);
        }
        std::os::unix::fs::chown(&path, Some(NOBODY), Some(NOBODY)).expect("given away");
    }
}

fn set_read_only(path: &Path) {
    for entry in std::fs::read_dir(path).expect("a folder") {
        let path = entry.expect("an entry").path();
        let mode = if path.is_dir() { 0o500 } else { 0o400 };
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("set");
    }
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o500)).expect("set");
}
