//! Projects: made once, found from below, closed to others, kept out of git.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::config::Contract;
use crate::event::{Body, Sequence, tool};
use crate::journal::ReplayItem;

fn bodies(project: &Project) -> Vec<Body> {
    let reader = project.reader().unwrap();
    let items = reader.replay(Sequence(1), None).map(Result::unwrap);
    let body = |item| match item {
        ReplayItem::Event(recorded) => Some(recorded.event.body),
        _ => None,
    };
    items.filter_map(body).collect()
}

#[test]
fn init_makes_a_journal_that_begins_with_its_creation_and_the_tools() {
    let folder = tempfile::tempdir().unwrap();
    let options = InitOptions { machine: Some("here".into()), ..InitOptions::default() };
    let (project, report) = Project::init(folder.path(), &options).unwrap();
    assert!(report.created && report.config_written);
    let [Body::JournalCreated(created), Body::ToolsDeclared(declared)] = &bodies(&project)[..]
    else {
        panic!("{:?}", bodies(&project));
    };
    assert_eq!(created.machine, "here");
    assert_eq!(created.root, project.root().canonicalize().unwrap().to_string_lossy());
    assert_eq!(declared.tools, tool::DECLARED_BY_INIT);
}

#[test]
fn a_locked_contract_declares_nothing_and_stays_locked() {
    let folder = tempfile::tempdir().unwrap();
    let options = InitOptions { contract: Contract::Locked, ..InitOptions::default() };
    let (project, _) = Project::init(folder.path(), &options).unwrap();
    assert_eq!(bodies(&project).len(), 1);
    assert_eq!(Project::open(folder.path()).unwrap().config().contract, Contract::Locked);
}

#[test]
fn init_twice_adds_nothing_and_keeps_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    fs::write(project.config_path(), "machine = 'mine'\n").unwrap();
    let before = bodies(&project);
    drop(project);
    let (project, report) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    assert!(!report.created && !report.config_written);
    assert_eq!(bodies(&project), before);
    assert_eq!(project.config().machine.as_deref(), Some("mine"));
}

#[test]
fn a_project_is_found_from_below_and_by_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let below = root.join("a/b");
    fs::create_dir_all(&below).unwrap();
    assert!(matches!(Project::find(&below), Err(ProjectError::NotFound { .. })));
    Project::init(&root, &InitOptions::default()).unwrap();
    assert_eq!(Project::find(&below).unwrap().root(), root);
    assert_eq!(Project::open(&root.join(FOLDER)).unwrap().root(), root);
    assert!(matches!(Project::open(&below), Err(ProjectError::NotFound { .. })));
}

#[test]
fn folders_are_0700_and_files_0600() {
    let folder = tempfile::tempdir().unwrap();
    let annals = folder.path().join(FOLDER);
    fs::create_dir(&annals).unwrap();
    fs::set_permissions(&annals, fs::Permissions::from_mode(0o755)).unwrap();
    Project::init(folder.path(), &InitOptions::default()).unwrap();
    let mut pending = vec![annals];
    while let Some(path) = pending.pop() {
        let about = fs::metadata(&path).unwrap();
        let mode = about.permissions().mode() & 0o777;
        assert_eq!(mode, if about.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        if about.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

#[test]
fn the_roots_stores_are_excluded_from_git_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("sub [1]");
    fs::create_dir_all(&root).unwrap();
    fs::create_dir_all(folder.path().join(".git/info")).unwrap();
    let exclude = folder.path().canonicalize().unwrap().join(".git/info/exclude");
    fs::write(&exclude, "*.tmp").unwrap();
    let (_, report) = Project::init(&root, &InitOptions::default()).unwrap();
    assert_eq!(report.excluded_in.as_ref(), Some(&exclude));
    let (_, report) = Project::init(&root, &InitOptions::default()).unwrap();
    assert_eq!(report.excluded_in, None);
    let text = fs::read_to_string(&exclude).unwrap();
    assert_eq!(text, "*.tmp\n/sub\\ \\[1\\]/execution_log.db*\n/sub\\ \\[1\\]/codegraph.db*\n");
    assert_eq!(fs::read_to_string(root.join(".annals/.gitignore")).unwrap(), "/*\n");
}

#[test]
fn a_linked_worktree_is_excluded_in_the_repository_it_belongs_to() {
    let folder = tempfile::tempdir().unwrap();
    let (main, linked) = (folder.path().join("main"), folder.path().join("linked"));
    fs::create_dir_all(main.join(".git/worktrees/linked")).unwrap();
    for name in ["HEAD", "objects", "refs"] {
        fs::create_dir(main.join(".git").join(name)).unwrap();
    }
    fs::write(main.join(".git/worktrees/linked/commondir"), "../..\n").unwrap();
    fs::create_dir_all(&linked).unwrap();
    fs::write(linked.join(".git"), "gitdir: ../main/.git/worktrees/linked\n").unwrap();
    Project::init(&linked, &InitOptions::default()).unwrap();
    let text = fs::read_to_string(main.join(".git/info/exclude")).unwrap();
    assert_eq!(text, "/execution_log.db*\n/codegraph.db*\n");
}

#[test]
fn a_file_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(FOLDER), "").unwrap();
    let Err(ProjectError::InTheWay { path }) =
        Project::init(folder.path(), &InitOptions::default())
    else {
        panic!("a file named {FOLDER} was taken for a folder");
    };
    assert!(path.ends_with(FOLDER));
}
