//! Settings that run commands or name folders outside count only with consent, for this very text.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::PathBuf;

use crate::project::{NOBODY, Project, Ran};

/// A project whose settings would run something at the end of a step, and write elsewhere.
fn hostile() -> Project {
    let project = Project::new();
    let root = project.root().display().to_string();
    project.write(
        ".annals/config.toml",
        &format!(
            "[repo]\nhome = \"{root}-elsewhere\"\nsummary_model = \"touch '{root}/ran'; cat\"\n\
             [debug.hooks]\ncheck_similar_past_issues = \"touch '{root}/ran'\"\n"
        ),
    );
    project
}

/// A step and a debug run: whatever the settings name would run at their ends. Whether it did.
fn is_run(project: &Project) -> bool {
    let step = |words: &[&str]| {
        let mut command = project.command();
        Ran::of(command.env("ANNALS_SESSION", "s").args(words))
    };
    step(&["step", "begin", "a"]).code(0);
    let ran = step(&["run", "--", "false"]);
    step(&["step", "end"]).code(0);
    step(&["debug", "run", "a.py", "--", "sh", "-c", "echo 'FAILED a.py::t - E'; exit 1"]);
    step(&["repo", "note", "add", "x"]).code(0);
    let elsewhere = PathBuf::from(format!("{}-elsewhere", project.root().display()));
    let is_run = project.path("ran").exists();
    assert_eq!(elsewhere.exists(), is_run, "all or nothing");
    let told = "annals: ignored until you allow it: repo.summary_model, \
                debug.hooks.check_similar_past_issues, repo.home. ";
    assert_eq!(ran.err().matches(told).count(), usize::from(!is_run), "{}", ran.err());
    drop(fs::remove_file(project.path("ran")));
    drop(fs::remove_dir_all(elsewhere));
    is_run
}

fn state(project: &Project) -> PathBuf {
    project.path(".local/state/annals")
}

fn allowed(project: &Project) -> PathBuf {
    let entries = fs::read_dir(state(project)).expect("the user's state").flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.find(|path| path.to_string_lossy().contains("allowed-")).expect("what was allowed")
}

#[test]
fn nothing_is_run_before_it_was_allowed_nor_after_that_was_taken_back() {
    let project = hostile();
    assert!(!is_run(&project));
    project
        .annals(["trust"])
        .code(2)
        .says("no terminal to ask on")
        .says("summary_model runs: touch");
    project.annals(["trust", "--show"]).code(1).says("repo.home writes to: ");
    assert!(!is_run(&project));
    project.annals(["trust", "--yes"]).code(0).says("Allowed");
    assert!(is_run(&project));
    project.annals(["trust", "--show"]).code(0).says("3 settings, allowed");
    let mode = |path: PathBuf| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode(state(&project)), mode(allowed(&project))), (0o700, 0o600));
    project.annals(["trust", "--withdraw"]).code(0);
    assert!(!is_run(&project));
}

#[test]
fn enabling_names_it_and_grants_nothing() {
    let project = hostile();
    project
        .annals(["enable", "claude-code", "--yes"])
        .code(0)
        .says("summary_model runs: touch")
        .says("ignored until you allow it: annals trust");
    assert!(!is_run(&project));
    project
        .annals(["enable", "claude-code", "--dry-run"])
        .code(0)
        .says("Ignored until you allow it");
}

#[test]
fn another_text_or_another_folder_needs_consent_anew() {
    let project = hostile();
    project.annals(["trust", "--yes"]).code(0);
    let path = project.path(".annals/config.toml");
    let text = fs::read_to_string(&path).expect("settings");
    fs::write(&path, format!("{text}# once more\n")).expect("written");
    assert!(!is_run(&project));
    fs::write(&path, &text).expect("written");
    assert!(is_run(&project), "the very text that was allowed");
    // A copy of it all elsewhere, read by the same user.
    let copy = Project::empty();
    let mut cp = project.shell("cp -a .annals \"$1\"");
    Ran::of(cp.args(["sh"]).arg(copy.root())).code(0);
    let mut show = copy.command();
    Ran::of(show.env("HOME", project.root()).args(["trust", "--show"])).code(1).says("not allowed");
}

#[test]
fn what_was_allowed_counts_only_where_nobody_else_could_have_written_it() {
    let project = hostile();
    let grant = || drop(project.annals(["trust", "--yes"]).code(0));
    grant();
    let (folder, file) = (state(&project), allowed(&project));
    let mode = |path: &PathBuf, mode| fs::set_permissions(path, Permissions::from_mode(mode));
    assert!(is_run(&project));
    for (what, spoil) in [
        ("a file that others may write", &(|| mode(&file, 0o666)) as &dyn Fn() -> _),
        ("a folder that others may write", &|| mode(&folder, 0o777)),
        ("text that is none of ours", &|| fs::write(&file, "annals allowed 2\nsettings 0\n")),
        ("a cut text", &|| fs::write(&file, "annals allowed 1\nsettings 00")),
        ("more than is ever written", &|| fs::write(&file, "x".repeat(1 << 20))),
        ("a link to a file", &|| {
            fs::rename(&file, folder.join("real"))?;
            symlink(folder.join("real"), &file)
        }),
        ("a folder in its place", &|| {
            fs::remove_file(&file)?;
            fs::create_dir(&file)
        }),
        ("a link to the folder", &|| {
            let real = folder.with_extension("real");
            fs::rename(&folder, &real)?;
            symlink(real, &folder)
        }),
    ] {
        spoil().expect("spoilt");
        assert!(!is_run(&project), "{what}");
        // As it was.
        drop(fs::remove_file(&folder));
        drop(fs::remove_dir_all(&folder));
        drop(fs::remove_dir_all(folder.with_extension("real")));
        grant();
        assert!(is_run(&project), "after {what}");
    }
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root can give files away");
        return;
    }
    for path in [&file, &folder] {
        chown(path, Some(NOBODY), None).expect("given away");
        assert!(!is_run(&project), "{}", path.display());
        chown(path, Some(0), None).expect("taken back");
    }
}

#[test]
fn a_stranger_s_patterns_apply_and_are_bounded() {
    let project = Project::new();
    let pattern = |regex: &str| format!("[[redact.patterns]]\nname = 'n'\nregex = '{regex}'\n");
    project.write(".annals/config.toml", &pattern("staff [0-9]+"));
    project.annals(["run", "--", "echo", "staff 4711"]).code(0);
    project.annals(["export", "jsonl", "events"]).code(0).says("[REDACTED:n]");
    for (what, text) in [
        ("more than 1024 bytes", pattern(&"x".repeat(2_000))),
        ("is too large", pattern(r"(\\w{200}){200}").replace(r"\\", "\\")),
    ] {
        project.write(".annals/config.toml", &text);
        let line = r#"{"tool":"bash_exec","arguments":{"command":"true"},"exit_code":0}"#;
        let ran = Ran::of(project.command().args(["record"]).write_stdin(line)).code(0);
        assert!(ran.err().contains("config.toml:3:"), "{what}: {}", ran.err());
        assert!(ran.err().contains("left out of the settings"), "{what}: {}", ran.err());
    }
    project.write(".annals/config.toml", &pattern("x").repeat(101));
    project.annals(["log"]).code(0).says("there are more than 100 patterns");
}
