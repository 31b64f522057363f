//! What lies under our names, and whether it is opened.

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};

use super::way;
use super::*;

struct Ground {
    _dir: tempfile::TempDir,
    annals: PathBuf,
    outside: PathBuf,
}

/// Tries it in a project where it lies, and in one behind a link, as a home may be.
fn both(trial: impl Fn(Ground)) {
    ["real", "home"].into_iter().for_each(|way| trial(ground(way)));
}

fn ground(way: &str) -> Ground {
    let dir = tempfile::tempdir().expect("a folder");
    let (real, outside) = (dir.path().join("real"), dir.path().join("outside"));
    fs::create_dir_all(real.join(".annals/journal")).expect("a project");
    fs::create_dir(&outside).expect("a folder outside");
    fs::write(outside.join("precious"), "a person's").expect("a file outside");
    symlink(&real, dir.path().join("home")).expect("a link to the project");
    let annals = dir.path().join(way).join(".annals");
    Ground { annals, outside, _dir: dir }
}

const HOWS: [OpenHow; 3] = [OpenHow::Read, OpenHow::ReadWrite, OpenHow::ReadWriteOrCreate];

#[test]
fn whatever_is_no_file_of_its_own_is_in_the_way() {
    both(|ground| {
        let precious = ground.outside.join("precious");
        type Plant = fn(&Path, &Path);
        let plants: [(&str, Plant); 4] = [
            ("a symbolic link", |path, precious| symlink(precious, path).expect("a link")),
            ("a symbolic link", |path, _| symlink("nowhere", path).expect("a dangling link")),
            ("a folder", |path, _| fs::create_dir(path).expect("a folder")),
            ("a pipe", |path, _| {
                mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
            }),
        ];
        for (number, (what, plant)) in plants.iter().enumerate() {
            for folder in ["", "journal"] {
                let path = ground.annals.join(folder).join(format!("file-{number}"));
                plant(&path, &precious);
                for opened in HOWS.map(|how| open(&path, how)).into_iter().chain([append(&path)]) {
                    let error = opened.expect_err(what);
                    assert!(is_in_the_way(&error), "{what}: {error:?}");
                    assert!(error.to_string().contains(what), "{error}");
                    assert!(error.to_string().contains("file-"), "{error}");
                }
                assert!(database(&path, DatabaseUse::Read).is_err(), "{what}");
                let beside = path.with_file_name("no");
                for suffix in ["-wal", "-shm", "-journal"] {
                    let base = PathBuf::from(format!("{}{suffix}", beside.display()));
                    plant(&base, &precious);
                    assert!(database(&beside, DatabaseUse::Read).is_err(), "{what} as {suffix}");
                    remove_whole(&base).expect("taken away");
                }
            }
        }
        assert_eq!(fs::read_to_string(precious).expect("read"), "a person's");
    });
}

#[test]
fn no_folder_below_annals_is_reached_through_a_link() {
    both(|ground| {
        let linked = ground.annals.join("sessions");
        symlink(&ground.outside, &linked).expect("a link");
        let inside = linked.join("precious");
        let (from, to) = (ground.annals.join("mine"), linked.join("moved"));
        fs::write(&from, "mine").expect("a file");
        let tried: [(&str, io::Result<()>); 10] = [
            ("read", open(&inside, OpenHow::Read).map(drop)),
            ("made", open(&linked.join("new"), OpenHow::CreateNew).map(drop)),
            ("listed", names(&linked).map(drop)),
            ("synced", folder(&linked).map(drop)),
            ("a folder", make_folders(&linked.join("deep/er")).map(drop)),
            ("itself", make_folders(&linked).map(drop)),
            ("moved in", rename(&from, &to)),
            ("moved out", rename_new(&inside, &ground.annals.join("got"))),
            ("removed", remove(&inside)),
            ("looked at", look(&inside).map(drop)),
        ];
        for (what, done) in tried {
            assert!(done.as_ref().is_err_and(is_in_the_way), "{what}: {done:?}");
        }
        let left: Vec<_> = fs::read_dir(&ground.outside).expect("listed").collect();
        assert_eq!(left.len(), 1);
        assert!(!is_folder(&linked));
        remove_whole(&linked).expect("the link alone goes");
        assert!(ground.outside.join("precious").exists());
    });
}

#[test]
fn annals_itself_may_be_no_link_but_what_leads_to_it_may() {
    both(|ground| {
        open(&ground.annals.join("ours"), OpenHow::CreateNew)
            .expect("made through the project's link");
        let other = ground.outside.join(".annals");
        symlink(&ground.annals, &other).expect("a link");
        let error = open(&other.join("ours"), OpenHow::Read).expect_err("refused");
        assert!(is_in_the_way(&error), "{error}");
    });
}

#[test]
fn what_has_another_name_is_read_and_never_written() {
    both(|ground| {
        let path = ground.annals.join("twice");
        fs::hard_link(ground.outside.join("precious"), &path).expect("a hard link");
        assert_eq!(read(&path, 100).expect("read"), b"a person's");
        for written in [
            open(&path, OpenHow::ReadWrite),
            open(&path, OpenHow::ReadWriteOrCreate),
            append(&path),
        ] {
            assert!(written.as_ref().is_err_and(is_in_the_way), "{written:?}");
        }
        database(&path, DatabaseUse::Read).expect("read");
        assert!(database(&path, DatabaseUse::Write).is_err());
    });
}

#[test]
fn a_new_name_is_never_anothers_and_files_are_their_owners_alone() {
    both(|ground| {
        let (from, to) = (ground.annals.join("from"), ground.annals.join("to"));
        let mut file = open(&from, OpenHow::CreateNew).expect("made");
        file.write_all(b"new").expect("written");
        assert_eq!(file.metadata().expect("looked at").permissions().mode() & 0o777, 0o600);
        fs::write(&to, "old").expect("written");
        let error = rename_new(&from, &to).expect_err("the name is taken");
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        rename(&from, &to).expect("replaced");
        assert_eq!(fs::read_to_string(&to).expect("read"), "new");
    });
}

#[test]
fn the_walk_refuses_what_the_kernel_refuses() {
    both(|ground| {
        symlink(&ground.outside, ground.annals.join("sessions")).expect("a link");
        symlink(ground.outside.join("precious"), ground.annals.join("LOCK")).expect("a link");
        fs::write(ground.annals.join("journal/sound"), "").expect("a file");
        let anchor = rustix::fs::openat(
            CWD,
            ground.annals.parent().expect("a folder"),
            way::folder_flags(),
            Mode::empty(),
        )
        .expect("opened");
        let rows = [
            (".annals/journal/sound", true),
            (".annals/LOCK", false),
            (".annals/sessions/precious", false),
            (".annals/../../outside/precious", false),
        ];
        for (path, is_opened) in rows {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW;
            let walked = way::walk(&anchor, Path::new(path), flags);
            assert_eq!(walked.is_ok(), is_opened, "{path}: {walked:?}");
            let root = ground.annals.parent().expect("a folder");
            let opened = way::open(&root.join(path), OFlags::RDONLY);
            assert_eq!(opened.is_ok(), is_opened, "{path}: {opened:?}");
        }
    });
}

/// Another user's; whether it could be given away.
fn given(path: &Path) -> bool {
    let is_given = std::os::unix::fs::chown(path, Some(65_534), None).is_ok();
    if !is_given {
        eprintln!("skipped: only root can give a file away");
    }
    is_given
}

#[test]
fn a_file_of_another_user_is_neither_believed_nor_written() {
    both(|ground| {
        let (path, ours) = (ground.annals.join("theirs"), ground.annals.join("ours"));
        fs::write(&path, "theirs").expect("a file");
        fs::write(&ours, "ours").expect("a file");
        if !given(&path) {
            return;
        }
        let opened = HOWS.map(|how| open(&path, how)).into_iter().chain([append(&path)]);
        let refused = opened.map(|opened| opened.map(drop)).chain([rename(&ours, &path)]);
        for error in refused.map(|done| done.expect_err("refused")) {
            assert!(is_foreign(&error) && error.to_string().contains("65534"), "{error}");
        }
        assert!(database(&path, DatabaseUse::Read).is_err());
        assert_eq!(fs::read(&path).expect("a file"), b"theirs");
    });
}

#[test]
fn what_says_of_itself_whether_it_holds_is_read_whoever_s_it_is() {
    both(|ground| {
        let segment = ground.annals.join("journal/segment");
        fs::write(&segment, "theirs").expect("a file");
        if !given(&segment) {
            return;
        }
        assert!(open(&segment, OpenHow::Read).is_ok());
        assert!(database(&segment, DatabaseUse::Write).is_err());
        let written = [open(&segment, OpenHow::ReadWrite), append(&segment)];
        assert!(written.iter().all(|opened| opened.as_ref().is_err_and(is_foreign)), "{written:?}");
        // Another user's project, which somebody named: all of it is that user's.
        let (file, folder) = (ground.annals.join("file"), ground.annals.join("folder"));
        fs::write(&file, "theirs").expect("a file");
        assert!(given(&file) && given(&ground.annals));
        assert!(open(&file, OpenHow::Read).is_ok());
        assert!(open(&file, OpenHow::ReadWrite).as_ref().is_err_and(is_foreign));
        assert!(make_folder(&folder).is_ok());
        assert_eq!(look(&folder).expect("there").owner, 0, "given to nobody who is not acted for");
    });
}

/// What a path may go through, and what leads there.
#[test]
fn a_path_is_real_where_the_system_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("a/.annals/b")).unwrap();
    std::fs::write(root.join("a/.annals/b/file"), "x").unwrap();
    symlink("a", root.join("link")).unwrap();
    symlink("../a/.annals/b/file", root.join("a/to-file")).unwrap();
    symlink("nowhere", root.join("broken")).unwrap();
    symlink("around", root.join("around")).unwrap();
    for path in [
        "",
        "a",
        "a/",
        "a/.",
        "a//.annals",
        "a/..",
        "link",
        "link/.annals/b",
        "link/../a",
        "a/.annals/../.annals",
        "a/.annals/b/file",
        "a/to-file",
        "a/to-file/x",
        "broken",
        "around",
        "nothing",
        "a/.annals/b/file/..",
    ] {
        let path = format!("{}/{path}", root.display());
        let (real, is) = (real(Path::new(&path)), Path::new(&path).canonicalize());
        assert_eq!(real.as_ref().ok(), is.as_ref().ok(), "{path}");
        assert_eq!(real.map_err(|it| it.kind()).err(), is.map_err(|it| it.kind()).err(), "{path}");
    }
    assert_eq!(real(Path::new(".")).unwrap(), std::env::current_dir().unwrap());
}
