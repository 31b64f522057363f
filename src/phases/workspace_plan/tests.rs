//! Nothing of a plan is written outside its workspace.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

use super::{WorkspaceError, apply_workspace_plan};
use crate::grounding::tools::{PlaceError, Workspace};
use crate::phases::artifacts::{PlannedFile, WorkspacePlan};

fn file(path: &str, content: &str) -> PlannedFile {
    PlannedFile { path: path.to_owned(), content: content.to_owned(), mode: None }
}

fn plan(files: Vec<PlannedFile>) -> WorkspacePlan {
    WorkspacePlan { root: None, tree: Vec::new(), files }
}

fn word(error: &WorkspaceError) -> &'static str {
    match error {
        WorkspaceError::OtherRoot { .. } => "root",
        WorkspaceError::NoFile { .. } => "no file",
        WorkspaceError::Control { .. } => "control",
        WorkspaceError::Outside { .. } => "outside",
        WorkspaceError::Twice { .. } => "twice",
        WorkspaceError::Both { .. } => "both",
        WorkspaceError::Place(PlaceError::Empty) => "empty",
        WorkspaceError::Place(PlaceError::Nul) => "nul",
        WorkspaceError::Place(PlaceError::TooLong) => "long",
        WorkspaceError::Place(PlaceError::Link { .. }) => "link",
        WorkspaceError::Place(PlaceError::Commanded { .. }) => "commanded",
        WorkspaceError::Place(PlaceError::Protected { .. }) => "protected",
        WorkspaceError::Place(_) => "place",
    }
}

#[test]
fn no_file_of_a_plan_leads_out_of_the_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let (root, outside) = (folder.path().join("work"), folder.path().join("outside"));
    fs::create_dir_all(root.join("sub")).unwrap();
    fs::create_dir_all(&outside).unwrap();
    symlink(&outside, root.join("out")).unwrap();
    symlink(outside.join("file"), root.join("leak")).unwrap();
    let workspace = Workspace::open(&root).unwrap();
    let long = "a/".repeat(5_000);
    let real = root.join("real").to_string_lossy().into_owned();
    let elsewhere = outside.join("x").to_string_lossy().into_owned();
    let cases: &[(&str, &str)] = &[
        ("a", "ok"),
        ("./b", "ok"),
        ("x/y/z", "ok"),
        ("/workspace/c", "ok"),
        ("/workspace//d", "ok"),
        ("/workspace//etc/passwd", "ok"),
        (&real, "ok"),
        ("", "empty"),
        (".", "no file"),
        ("/workspace", "no file"),
        ("e/", "no file"),
        ("..", "outside"),
        ("../outside/x", "outside"),
        ("x/../../outside/x", "outside"),
        ("/workspace/../outside/x", "outside"),
        ("/workspacex/a", "outside"),
        ("/etc/passwd", "outside"),
        ("/", "outside"),
        (&elsewhere, "outside"),
        ("/proc/self/cwd/x", "outside"),
        ("out/x", "link"),
        ("out/deep/x", "link"),
        ("leak", "link"),
        ("a\0b", "nul"),
        ("a\nb", "control"),
        ("a\x1b[2J", "control"),
        (&long, "long"),
        (".git/hooks/post-checkout", "commanded"),
        ("sub/.claude/settings.json", "commanded"),
        (".annals/journal/x", "protected"),
        ("sub", "place"),
    ];
    for (path, want) in cases {
        let found = apply_workspace_plan(&workspace, &plan(vec![file(path, "x")]), "/workspace");
        assert_eq!(found.as_ref().err().map_or("ok", word), *want, "{path:?}");
        if *want != "ok" {
            let tree = WorkspacePlan { tree: vec![(*path).to_owned()], ..plan(Vec::new()) };
            let made = apply_workspace_plan(&workspace, &tree, "/workspace");
            let is_folder = matches!(*path, "." | "/workspace" | "e/" | "sub");
            assert_eq!(made.is_ok(), is_folder, "folder {path:?}");
        }
    }
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    assert!(root.join("etc/passwd").exists() && !root.join("workspace").exists());
}

#[test]
fn a_plan_that_cannot_be_is_refused_before_its_first_file() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(folder.path()).unwrap();
    let real = folder.path().canonicalize().unwrap().to_string_lossy().into_owned();
    let with = |root: Option<&str>, tree: &[&str], files: &[&str]| WorkspacePlan {
        root: root.map(str::to_owned),
        tree: tree.iter().map(|it| (*it).to_owned()).collect(),
        files: files.iter().map(|path| file(path, "x")).collect(),
    };
    for (plan, want) in [
        (with(None, &[], &["a", "./a"]), "twice"),
        (with(None, &[], &["a", "b", "/workspace/a"]), "twice"),
        (with(None, &[], &["a", "a/b"]), "both"),
        (with(None, &[], &["a", "a.b", "a/b"]), "both"),
        (with(None, &["a/"], &["a"]), "both"),
        (with(None, &["a", "a/b"], &["a"]), "both"),
        (with(None, &["a/b/c"], &["a/b"]), "both"),
        (with(None, &[], &["first", "../out"]), "outside"),
        (with(Some("/other"), &[], &["first"]), "root"),
        (with(Some("/"), &[], &["first"]), "root"),
        (with(Some("/workspace/.."), &[], &["first"]), "root"),
    ] {
        let found = apply_workspace_plan(&workspace, &plan, "/workspace").unwrap_err();
        assert_eq!(word(&found), want, "{plan:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
    for root in [
        None,
        Some("/workspace"),
        Some("/workspace/"),
        Some("workspace"),
        Some("."),
        Some(real.as_str()),
    ] {
        let plan = with(root, &["workspace/", "workspace/src/", "bin"], &["src/a"]);
        let written = apply_workspace_plan(&workspace, &plan, "/workspace").unwrap();
        assert_eq!(
            (written.folders, written.files),
            (vec!["src".to_owned(), "bin".to_owned()], vec!["src/a".to_owned()])
        );
    }
}

#[test]
fn a_tree_may_list_the_files_too() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(folder.path()).unwrap();
    let tree = ["workspace/", "workspace/src", "workspace/src/a.py", "run.sh", "/workspace/b"];
    let plan = WorkspacePlan {
        tree: tree.map(str::to_owned).to_vec(),
        ..plan(vec![file("src/a.py", "x"), file("/workspace/run.sh", "y"), file("b", "z")])
    };
    for _ in 0..2 {
        let written = apply_workspace_plan(&workspace, &plan, "/workspace").unwrap();
        assert_eq!(written.folders, ["src"]);
        assert_eq!(written.files, ["src/a.py", "run.sh", "b"]);
    }
    assert_eq!(fs::read_to_string(folder.path().join("run.sh")).unwrap(), "y");
}

#[test]
fn permissions_and_content_are_those_of_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(folder.path()).unwrap();
    let script = PlannedFile { mode: Some(0o750), ..file("run.sh", "#!/bin/sh\n") };
    for round in ["one", "two"] {
        let plan = plan(vec![script.clone(), file("a", round)]);
        apply_workspace_plan(&workspace, &plan, "/workspace").unwrap();
    }
    assert_eq!(fs::metadata(folder.path().join("run.sh")).unwrap().mode() & 0o777, 0o750);
    assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "two");
}
