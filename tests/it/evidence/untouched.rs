//! Nothing of a source is written, made, locked or waited for.

use std::fs;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;

use super::{ASKING, Evidence, everything, quoted};
use crate::project::NOBODY;
use crate::skipped::skipped;

#[test]
fn no_byte_changes_and_nothing_is_made_where_evidence_is_asked_for() {
    let evidence = Evidence::new();
    let copied = evidence.copy("copied");
    let bare = evidence.copy("bare");
    for store in ["execution_log.db", "codegraph.db", ".annals/index.db"] {
        drop(fs::remove_file(bare.join(store)));
    }
    for folder in [&copied, &bare] {
        let before = everything(folder);
        for arguments in ASKING {
            evidence.run(folder, &format!("--evidence {arguments}")).code(0);
            let after = everything(folder);
            assert_eq!(after, before, "annals --evidence {arguments}");
        }
    }
    let data = |it: &&&str| ["json", "csv", "query", "trace"].iter().any(|word| it.contains(word));
    for arguments in ASKING.iter().filter(data).filter(|it| !it.starts_with("status")) {
        let live = evidence.run(evidence.root(), arguments).code(0).out();
        for folder in [&copied, &bare] {
            let told = evidence.run(folder, &format!("--evidence {arguments}")).code(0).out();
            let [here, there] = [folder.as_path(), evidence.root()].map(Path::to_string_lossy);
            assert!(told.replace(&*here, &there) == live, "annals {arguments}");
        }
    }
    for path in everything(&evidence.cache()).keys() {
        let mode = fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
}

#[test]
fn a_journal_on_a_read_only_mount_answers_everything() {
    let evidence = Evidence::new();
    let before = everything(evidence.root());
    let (root, cache) = (evidence.root().to_string_lossy(), evidence.cache());
    let mount = |then: &str| {
        let script = format!(
            "mount --bind '{root}' '{root}' && mount -o remount,bind,ro '{root}' && \
             cd '{root}' && ! touch written 2>/dev/null && {then}"
        );
        let mut unshare = assert_cmd::Command::new("unshare");
        unshare.args(["-rm", "sh", "-c", &script]).env("XDG_CACHE_HOME", &cache).env("TZ", "UTC");
        unshare.env_remove("ANNALS_DIR").env_remove("ANNALS_SESSION");
        unshare.output()
    };
    let program = env!("CARGO_BIN_EXE_annals");
    if !mount("true").is_ok_and(|tried| tried.status.success()) {
        return skipped("no folder can be mounted read-only here (unshare -rm, mount --bind)");
    }
    for arguments in ASKING {
        let output = mount(&format!("'{program}'{}", quoted(arguments))).expect("it runs");
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "annals {arguments}: {out}{err}");
        assert!(!out.is_empty() && err.is_empty(), "annals {arguments}: {err}");
    }
    let output = mount(&format!("'{program}' status")).expect("it runs");
    assert!(String::from_utf8_lossy(&output.stdout).contains("nothing is written"));
    assert_eq!(everything(evidence.root()), before);
}

#[test]
fn a_folder_that_its_reader_may_not_write_is_evidence() {
    let evidence = Evidence::new();
    let me = rustix::process::geteuid();
    let shut = evidence.copy("shut");
    for (path, mode) in [(evidence.outside.path(), 0o755), (&shut, 0o555)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("changed");
    }
    for path in everything(&shut).keys() {
        let mode = if path.is_dir() { 0o555 } else { 0o444 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("changed");
    }
    let before = everything(&shut);
    let program = env!("CARGO_BIN_EXE_annals");
    for arguments in ASKING {
        let script = format!("cd '{}' && '{program}'{}", shut.display(), quoted(arguments));
        // Nobody has no cache either: the stores are private, and go.
        let mut shell = match me.is_root() {
            true => evidence.project.shell_as_nobody(&script),
            false => evidence.project.shell(&script),
        };
        let temporary = evidence.outside.path().join("tmp");
        drop(fs::create_dir(&temporary));
        fs::set_permissions(&temporary, fs::Permissions::from_mode(0o777)).expect("changed");
        shell
            .current_dir("/")
            .env("TMPDIR", &temporary)
            .env("HOME", "/nonexistent")
            .env_remove("XDG_STATE_HOME");
        let output = shell.output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr);
        if err.contains("Permission denied") && err.contains("annals: not found") {
            return skipped("the user nobody cannot run what was built here");
        }
        assert!(output.status.success(), "annals {arguments} as {NOBODY}: {err}");
        let left = fs::read_dir(&temporary).expect("a folder").count();
        assert_eq!(left, 0, "annals {arguments} left something");
    }
    assert_eq!(everything(&shut), before);
    for path in everything(&shut).keys().filter(|path| path.is_dir()).chain([&shut]) {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("changed");
    }
}

#[test]
fn no_lock_is_taken_and_none_is_waited_for() {
    let evidence = Evidence::new();
    let lock = evidence.project.path(".annals/journal/LOCK");
    let lock = fs::File::options().read(true).write(true).open(lock).expect("opened");
    lock.lock().expect("locked");
    // A bad frame at the tail is what a reader would ask the lock for.
    let segment = evidence.project.segment();
    let end = fs::read(&segment).expect("read").iter().rposition(|byte| *byte != 0);
    let end = end.expect("frames") as u64 / 8 * 8 + 8;
    let file = fs::File::options().write(true).open(&segment).expect("opened");
    file.write_all_at(b"ANFRtorn", end).expect("written");
    for (arguments, code) in [("log", 0), ("show last", 0), ("verify", 1), ("status", 1)] {
        let began = std::time::Instant::now();
        evidence.run(evidence.root(), &format!("--evidence {arguments}")).code(code);
        assert!(began.elapsed().as_secs() < 5, "annals {arguments} waited");
    }
}

#[test]
fn commands_that_write_refuse_what_is_only_to_be_read() {
    let evidence = Evidence::new();
    let other = Evidence::new();
    let journal = evidence.project.path(".annals/journal");
    let (other, journal) = (other.root().to_string_lossy(), journal.to_string_lossy());
    let root = evidence.root().to_string_lossy();
    let before = everything(&evidence.project.path(".annals/journal"));
    for command in [
        "run -- touch ran",
        "record --tool file_read",
        "import auto .",
        "init",
        "tour",
        "session start",
        "session end s1",
        "tool declare x",
        "repair",
        "repair --dry-run",
        "rebuild",
        "rebuild index",
        "log --follow",
    ] {
        for how in [
            "--evidence".to_owned(),
            "--at @3".to_owned(),
            format!("--dir {root} --dir {other}"),
            format!("--dir {journal}"),
        ] {
            let ran = evidence.run(evidence.root(), &format!("{how} {command}")).code(2);
            assert!(!ran.err().is_empty(), "{how} {command}");
        }
    }
    assert!(!evidence.project.path("ran").exists(), "what was refused did not run");
    assert_eq!(everything(&evidence.project.path(".annals/journal")), before);
}
