//! Nothing leads a tool out of the project, and what is written is whole.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::{Onto, PlaceError, Workspace};

struct Tree {
    _folder: tempfile::TempDir,
    workspace: Workspace,
    outside: std::path::PathBuf,
}

/// A project beside a secret, with every sort of way to it.
fn tree() -> Tree {
    let folder = tempfile::tempdir().unwrap();
    let (root, outside) = (folder.path().join("project"), folder.path().join("outside"));
    for path in [root.join("src"), root.join(".annals"), root.join("sub/.annals"), outside.clone()]
    {
        fs::create_dir_all(path).unwrap();
    }
    fs::write(outside.join("secret"), "secret").unwrap();
    fs::write(root.join("src/a.rs"), "fn a() {}\n").unwrap();
    fs::write(root.join(".annals/config.toml"), "").unwrap();
    symlink(&outside, root.join("out")).unwrap();
    symlink("../outside/secret", root.join("leak")).unwrap();
    symlink("src", root.join("inner")).unwrap();
    symlink("a.rs", root.join("src/same.rs")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    symlink(".annals", root.join("mine")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, root.join("pipe"), 0o600.into()).unwrap();
    let workspace = Workspace::open(&root).unwrap();
    Tree { _folder: folder, workspace, outside }
}

/// What an attempt came to, in a word.
fn word(error: &PlaceError) -> &'static str {
    match error {
        PlaceError::Empty => "empty",
        PlaceError::TooLong => "long",
        PlaceError::Nul => "nul",
        PlaceError::Parent { .. } => "parent",
        PlaceError::Outside { .. } => "outside",
        PlaceError::Link { .. } => "link",
        PlaceError::NotAFile { .. } => "no file",
        PlaceError::NotAFolder { .. } => "no folder",
        PlaceError::Protected { .. } => "protected",
        PlaceError::Commanded { .. } => "commanded",
        PlaceError::ReadOnly { .. } => "read-only",
        PlaceError::NotFound { .. } => "not found",
        PlaceError::Exists { .. } => "exists",
        PlaceError::Changed { .. } => "changed",
        PlaceError::TooLarge { .. } => "large",
        PlaceError::Io { .. } => "io",
    }
}

#[test]
fn no_path_leads_out_of_the_project() {
    let tree = tree();
    let at = |path: &str| tree.workspace.root().join(path).to_string_lossy().into_owned();
    let secret = tree.outside.join("secret").to_string_lossy().into_owned();
    let long = "a/".repeat(4_000);
    let cases: &[(&str, &str, &str)] = &[
        // path, what reading says, what writing says
        ("src/a.rs", "ok", "ok"),
        ("./src/./a.rs", "ok", "ok"),
        ("src//a.rs", "ok", "ok"),
        (&at("src/a.rs"), "ok", "ok"),
        ("", "empty", "empty"),
        (".", "no file", "no file"),
        ("src", "no file", "no file"),
        ("src/", "no file", "no file"),
        ("a\0b", "nul", "nul"),
        (&long, "long", "long"),
        ("..", "parent", "parent"),
        ("../outside/secret", "parent", "parent"),
        ("src/../src/a.rs", "parent", "parent"),
        (&at("../outside/secret"), "parent", "parent"),
        (&secret, "outside", "outside"),
        ("/etc/passwd", "outside", "outside"),
        ("/", "outside", "outside"),
        ("/proc/self/root/etc/passwd", "outside", "outside"),
        ("leak", "link", "link"),
        ("out/secret", "link", "link"),
        ("out/new", "link", "link"),
        ("out/new/deep", "link", "link"),
        ("inner/a.rs", "link", "link"),
        ("src/same.rs", "link", "link"),
        ("dangling", "link", "link"),
        ("mine/config.toml", "link", "link"),
        ("pipe", "no file", "no file"),
        ("pipe/x", "no folder", "no folder"),
        ("src/a.rs/x", "no folder", "no folder"),
        ("nowhere", "not found", "ok"),
        (".annals/config.toml", "ok", "protected"),
        (".annals/sessions/x.json", "not found", "protected"),
        (".ANNALS/config.toml", "not found", "protected"),
        ("sub/.annals/journal/x", "not found", "protected"),
        (".git/config", "not found", "commanded"),
        (".git", "not found", "commanded"),
        ("sub/.git/hooks/x", "not found", "commanded"),
        ("sub/.GIT/hooks/x", "not found", "commanded"),
        (".claude/settings.json", "not found", "commanded"),
        ("src/.Claude/settings.json", "not found", "commanded"),
        (".codex/config.toml", "not found", "commanded"),
        (".gitignore", "not found", "ok"),
        (".github/workflows/x.yml", "not found", "ok"),
        ("execution_log.db", "not found", "protected"),
        ("execution_log.db-wal", "not found", "protected"),
        ("Codegraph.DB.lock", "not found", "protected"),
        ("codegraph.db", "not found", "protected"),
        ("codegraph.dbx", "not found", "ok"),
        ("src/codegraph.db", "not found", "ok"),
    ];
    for (path, read, write) in cases {
        let place = tree.workspace.place(path);
        let did = |done: Result<(), PlaceError>| done.as_ref().err().map_or("ok", word);
        let found = match &place {
            Err(error) => (word(error), word(error)),
            Ok(place) => (
                did(tree.workspace.read(place, 100).map(drop)),
                did(tree.workspace.write(place, b"x", Onto::Anything).map(drop)),
            ),
        };
        assert_eq!(found, (*read, *write), "{path:?}");
    }
    assert_eq!(fs::read_to_string(tree.outside.join("secret")).unwrap(), "secret");
    assert_eq!(fs::read_dir(&tree.outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(tree.workspace.root().join(".annals/config.toml")).unwrap(), "");
}

/// Somebody swaps a folder for a link and back, and puts a link where a folder is being made, as
/// fast as they can.
#[test]
fn a_folder_that_becomes_a_link_meanwhile_leads_nowhere() {
    let tree = tree();
    let root = tree.workspace.root();
    let [d, made] = ["d", "made"].map(|name| root.join(name));
    fs::create_dir(&d).unwrap();
    fs::write(d.join("secret"), "mine").unwrap();
    let place = |path| tree.workspace.place(path).unwrap();
    let (secret, new, deep) = (place("d/secret"), place("d/new"), place("made/new"));
    let done = AtomicBool::new(false);
    let (mut mine, mut links, mut wrong) = (0, 0, Vec::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                renameat_with(CWD, &d, CWD, root.join("out"), RenameFlags::EXCHANGE).unwrap();
                // The writer makes it as well: whoever comes first.
                drop(symlink(&tree.outside, &made));
                drop(fs::remove_file(&made).or_else(|_| fs::remove_dir_all(&made)));
            }
        });
        // Nothing here panics: the other thread would never end.
        let until = Instant::now() + Duration::from_secs(3);
        for round in 0.. {
            if (mine > 100 && links > 100 && round > 1_000) || Instant::now() > until {
                break;
            }
            match tree.workspace.read(&secret, 100) {
                Ok((bytes, _)) if bytes == b"mine" => mine += 1,
                Err(PlaceError::Link { .. } | PlaceError::Changed { .. }) => links += 1,
                other => wrong.push(format!("{other:?}")),
            }
            // Whether it is written or refused: never outside.
            if round % 10 == 0 {
                drop(tree.workspace.write(&new, b"x", Onto::Anything));
                drop(tree.workspace.write(&deep, b"x", Onto::Anything));
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(wrong, Vec::<String>::new());
    assert!(mine > 0 && links > 0, "{mine} {links}");
    assert_eq!(fs::read_dir(&tree.outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(tree.outside.join("secret")).unwrap(), "secret");
}

#[test]
fn a_write_is_whole_keeps_the_mode_and_breaks_no_other_name() {
    let tree = tree();
    let root = tree.workspace.root();
    let place = tree.workspace.place("src/a.rs").unwrap();
    fs::set_permissions(root.join("src/a.rs"), fs::Permissions::from_mode(0o750)).unwrap();
    // A second name of the file keeps the old text: nothing is written through it.
    fs::hard_link(root.join("src/a.rs"), tree.outside.join("twin")).unwrap();
    let (old, read) = tree.workspace.read(&place, 100).unwrap();
    assert!(!tree.workspace.write(&place, b"new", Onto::Read(read)).unwrap());
    assert_eq!(fs::read(root.join("src/a.rs")).unwrap(), b"new");
    assert_eq!(fs::read(tree.outside.join("twin")).unwrap(), old);
    let mode = fs::metadata(root.join("src/a.rs")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o750);

    let stale = tree.workspace.write(&place, b"newer", Onto::Read(read));
    assert!(matches!(stale, Err(PlaceError::Changed { .. })), "{stale:?}");
    let taken = tree.workspace.write(&place, b"newer", Onto::Nothing);
    assert!(matches!(taken, Err(PlaceError::Exists { .. })), "{taken:?}");
    fs::set_permissions(root.join("src/a.rs"), fs::Permissions::from_mode(0o444)).unwrap();
    let kept = tree.workspace.write(&place, b"newer", Onto::Anything);
    assert!(matches!(kept, Err(PlaceError::ReadOnly { .. })), "{kept:?}");
    assert_eq!(fs::read(root.join("src/a.rs")).unwrap(), b"new");
    fs::remove_file(root.join("src/a.rs")).unwrap();
    let gone = tree.workspace.write(&place, b"newer", Onto::Read(read));
    assert!(matches!(gone, Err(PlaceError::NotFound { .. })), "{gone:?}");

    let deep = tree.workspace.place("x/y/z.rs").unwrap();
    assert!(tree.workspace.write(&deep, b"z", Onto::Nothing).unwrap());
    assert_eq!(fs::read(root.join("x/y/z.rs")).unwrap(), b"z");
    // Nothing is left over, whatever was refused.
    let names = |path: &str| {
        let entries = fs::read_dir(root.join(path)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!((names("src"), names("x/y")), (vec!["same.rs".to_owned()], vec!["z.rs".to_owned()]));
}
