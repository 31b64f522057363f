//! A stranger's folder: whatever lies under our names there, nothing outside it is touched, nothing is
//! waited for, and whoever asks is told what lies in the way.

mod table;

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use crate::project::Project;

const PRECIOUS: &str = "a person wrote this, and wants it back\n";

fn linked(place: &str) -> (Project, tempfile::TempDir) {
    let (project, outside) = (Project::new(), tempfile::tempdir().expect("a folder outside"));
    project.annals(["run", "--", "true"]).code(0);
    let precious = outside.path().join("precious");
    fs::write(&precious, PRECIOUS).expect("written");
    let place = project.path(place);
    if place.is_dir() {
        fs::remove_dir_all(&place).expect("taken away");
    } else {
        drop(fs::remove_file(&place));
    }
    symlink(precious, place).expect("a link");
    (project, outside)
}

#[test]
fn a_command_says_what_lies_in_the_way_and_where_and_what_to_do() {
    for (place, arguments) in [
        (".annals/journal/LOCK", vec!["record"]),
        (".annals/journal", vec!["import", "auto", "/dev/null"]),
        (".annals/index.db", vec!["log"]),
        (".annals/index.db-wal", vec!["log"]),
        ("execution_log.db", vec!["sql", "select 1 from executions"]),
        ("execution_log.db.lock", vec!["log"]),
    ] {
        let (project, _outside) = linked(place);
        let mut command = project.command();
        let line = r#"{"tool":"file_read","arguments":{"path":"a"},"exit_code":0}"#;
        let ran = crate::project::Ran::of(command.args(&arguments).write_stdin(line));
        assert!(
            ran.output.status.code().is_some_and(|code| (1..=5).contains(&code)),
            "{place}: {}",
            ran.err()
        );
        // A journal that leads to a file is lost.
        if place == ".annals/journal" {
            ran.code(3).says("is lost: ");
        } else {
            ran.says("is a symbolic link").says(place).says("move it away");
        }
    }
}

#[test]
fn a_child_runs_and_a_hook_tells_its_user_once_where_nothing_can_be_recorded() {
    let (project, outside) = linked(".annals/journal/LOCK");
    project.annals(["run", "--", "sh", "-c", "exit 7"]).code(7).says("symbolic link");
    let hook = format!(
        r#"{{"session_id":"11111111-1111-4111-8111-111111111111","transcript_path":"/nonexistent","cwd":"{}","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"true"}},"tool_use_id":"t1"}}"#,
        project.root().display()
    );
    for is_first in [true, false, false] {
        let mut command = project.command();
        let asked = command.args(["hook", "claude-code"]).write_stdin(hook.clone());
        let ran = crate::project::Ran::of(asked).code(0);
        assert_eq!(ran.out().contains("symbolic link"), is_first, "{}", ran.out());
        assert_eq!((ran.out().trim() == "{}", ran.err().as_str()), (!is_first, ""));
    }
    let precious = fs::read_to_string(outside.path().join("precious")).expect("read");
    assert_eq!(precious, PRECIOUS);
}

#[test]
fn a_store_in_the_way_is_set_aside_by_who_asks_for_another() {
    let (project, outside) = linked("execution_log.db");
    project.annals(["log"]).code(2).says("symbolic link");
    project.annals(["rebuild"]).code(0);
    project.annals(["log"]).code(0).says("true");
    let about = fs::symlink_metadata(project.path("execution_log.db")).expect("there");
    assert!(about.is_file() && about.nlink() == 1);
    assert_eq!(fs::read_to_string(outside.path().join("precious")).expect("read"), PRECIOUS);
}

#[test]
fn a_store_s_folder_that_is_a_link_is_set_aside_and_told_of() {
    for folder in ["memory", "experiments", "debug-memory"] {
        let (project, outside) = linked(&format!(".annals/{folder}"));
        let told = project.annals(["log"]).code(0).err();
        let aside = format!(".annals/quarantine/{folder}.1.evidence");
        assert!(told.contains("a symbolic link lay in its place"), "{folder}: {told}");
        assert!(told.contains(&aside), "{folder}: {told}");
        assert!(fs::symlink_metadata(project.path(&aside)).expect("kept").is_symlink());
        let precious = fs::read_to_string(outside.path().join("precious")).expect("read");
        assert_eq!(precious, PRECIOUS);
        assert_eq!(project.annals(["log"]).code(0).err(), "", "{folder}: once");
    }
}

#[test]
fn a_file_with_another_name_is_not_written_and_is_read_as_evidence() {
    let (project, outside) = (Project::new(), tempfile::tempdir().expect("a folder outside"));
    project.annals(["run", "--", "true"]).code(0);
    let segment = project.segment();
    let twin = outside.path().join("backup.seg");
    fs::hard_link(&segment, &twin).expect("a hard link");
    let before = blake3::hash(&fs::read(&twin).expect("read"));
    project.annals(["run", "--", "true"]).code(0).says("hard links");
    let cache = outside.path().to_owned();
    let mut command = project.command();
    command.env("XDG_CACHE_HOME", cache);
    crate::project::Ran::of(command.args(["--evidence", "log"])).code(0).says("true");
    assert_eq!(blake3::hash(&fs::read(&twin).expect("read")), before);
}

#[test]
fn gits_and_agents_files_outside_are_left_as_they_are() {
    let outside = tempfile::tempdir().expect("a folder outside");
    let precious = outside.path().join("precious");
    fs::write(&precious, PRECIOUS).expect("written");
    let git = |project: &Project| {
        let made =
            std::process::Command::new("git").args(["init", "-q"]).arg(project.root()).status();
        assert!(made.expect("git runs").success());
    };
    let exclude = Project::empty();
    git(&exclude);
    let path = exclude.path(".git/info/exclude");
    drop(fs::remove_file(&path));
    drop(fs::create_dir_all(exclude.path(".git/info")));
    symlink(&precious, &path).expect("a link");
    exclude.annals(["init"]).code(0);

    // A file `.git` that leads to a person's folder, which is no repository.
    let elsewhere = Project::empty();
    elsewhere.write(".git", &format!("gitdir: {}\n", outside.path().display()));
    elsewhere.annals(["init"]).code(0);

    // A link `.git` to such a folder, and to one that is git's own.
    let repository = Project::empty();
    git(&repository);
    let kept = fs::read(repository.path(".git/info/exclude")).ok();
    for target in [outside.path().to_owned(), repository.path(".git")] {
        let linked = Project::empty();
        symlink(target, linked.path(".git")).expect("a link");
        linked.annals(["init"]).code(0).says(".git is a symbolic link, and is not followed");
    }
    assert_eq!(fs::read(repository.path(".git/info/exclude")).ok(), kept);

    for link in [".claude/settings.local.json", ".claude"] {
        let settings = Project::new();
        let target = match link {
            ".claude" => outside.path().to_owned(),
            _ => outside.path().join("settings.json"),
        };
        fs::write(outside.path().join("settings.json"), "{}\n").expect("written");
        let at = settings.path(link);
        fs::create_dir_all(at.parent().expect("a folder")).expect("made");
        symlink(target, &at).expect("a link");
        settings
            .annals(["enable", "claude-code", "--yes"])
            .code(2)
            .says("leads out of the project");
        let text = fs::read_to_string(outside.path().join("settings.json")).expect("read");
        assert_eq!(text, "{}\n", "{link}");
    }
    assert_eq!(fs::read_to_string(&precious).expect("read"), PRECIOUS);
    let mut names: Vec<_> = names(outside.path());
    names.sort();
    assert_eq!(names, ["precious", "settings.json"]);
}

fn names(folder: &Path) -> Vec<String> {
    let listed = fs::read_dir(folder).expect("listed");
    listed
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect()
}
