//! Stores in the cache that somebody else could have written are never believed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use super::{Evidence, everything};
use crate::project::{NOBODY, Ran};

/// What is done to a forged entry: the cache's folder and the entry are told.
type Open = fn(&Path, &Path);

const OPENED: &[(&str, Open)] = &[
    ("everything is everybody's", |_, entry| {
        let done = std::process::Command::new("chmod").args(["-R", "a+rwX"]).arg(entry).status();
        assert!(done.expect("chmod runs").success());
    }),
    ("the entry can be written by its group", |_, entry| mode(entry, 0o720)),
    ("the folder of the index can", |_, entry| mode(&entry.join(".annals"), 0o720)),
    ("the index is everybody's", |_, entry| mode(&entry.join(".annals/index.db"), 0o666)),
    ("the lock is everybody's", |_, entry| mode(&entry.join("held"), 0o666)),
    ("the index lies elsewhere", |folder, entry| {
        let (index, elsewhere) = (entry.join(".annals/index.db"), folder.with_file_name("else.db"));
        fs::rename(&index, &elsewhere).expect("moved");
        symlink(&elsewhere, &index).expect("linked");
    }),
    ("the entry lies elsewhere", |folder, entry| {
        let elsewhere = folder.with_file_name("elsewhere");
        fs::rename(entry, &elsewhere).expect("moved");
        symlink(&elsewhere, entry).expect("linked");
    }),
    ("everybody can write in the cache", |folder, _| mode(folder, 0o777)),
];

/// What only the superuser can do.
const GIVEN: &[(&str, Open)] = &[
    ("all is another's", |_, entry| {
        give(entry);
        everything(entry).keys().for_each(|path| give(path));
    }),
    ("the index is another's", |_, entry| give(&entry.join(".annals/index.db"))),
];

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("changed");
}

fn give(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).expect("given");
}

impl Evidence {
    /// The one entry of the cache.
    fn entry(&self) -> PathBuf {
        let listed = fs::read_dir(self.cache().join("annals")).expect("a cache");
        let paths = listed.map(|entry| entry.expect("an entry").path());
        let entries: Vec<_> = paths.filter(|path| !path.ends_with("looks")).collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries[0].clone()
    }

    /// What the cache answers, with `temporary` to build in where it cannot be used.
    fn answer(&self, temporary: &Path) -> serde_json::Value {
        let mut command = self.project.command();
        command.current_dir(self.root()).env("XDG_CACHE_HOME", self.cache());
        command.env("TMPDIR", temporary);
        Ran::of(command.args(["log", "--evidence", "--json"])).code(0).json()
    }

    fn forge(&self) {
        let index = self.entry().join(".annals/index.db");
        let database = rusqlite::Connection::open(index).expect("opened");
        let forged = "UPDATE executions SET outcome = 'ok', tool = 'forged'";
        assert!(database.execute(forged, []).expect("forged") > 0);
        // One that has a stamp is not believed by whomever it was changed.
        fs::remove_dir_all(self.entry().join(".annals/stamps")).expect("stamps");
    }
}

#[test]
fn what_somebody_else_could_have_written_into_the_cache_is_built_anew() {
    let evidence = Evidence::new();
    let temporary = tempfile::TempDir::new().expect("a temporary folder");
    let temporary = temporary.path();
    let truth = evidence.answer(temporary);
    evidence.forge();
    assert_ne!(evidence.answer(temporary), truth, "one's own is believed: else this tests nothing");
    let given = if rustix::process::geteuid().is_root() { GIVEN } else { &[] };
    for (what, open) in OPENED.iter().chain(given) {
        drop(fs::remove_dir_all(evidence.cache()));
        evidence.answer(temporary);
        evidence.forge();
        open(&evidence.cache().join("annals"), &evidence.entry());
        for time in ["first", "second"] {
            assert_eq!(evidence.answer(temporary), truth, "{what}, asked the {time} time");
        }
        for path in everything(&evidence.cache().join("annals")).keys() {
            let about = fs::symlink_metadata(path).expect("there");
            let expect = if about.is_dir() { 0o040_700 } else { 0o100_600 };
            assert_eq!(about.permissions().mode(), expect, "{what}: {}", path.display());
        }
        evidence.entry();
        // It was built in its place: what is there is what is read.
        evidence.forge();
        assert_ne!(evidence.answer(temporary), truth, "{what}: not kept");
    }
    assert_eq!(fs::read_dir(temporary).expect("a folder").count(), 0);
}

#[test]
fn a_cache_that_is_somebody_elses_is_neither_read_nor_written() {
    let evidence = Evidence::new();
    let temporary = tempfile::TempDir::new().expect("a temporary folder");
    let truth = evidence.answer(temporary.path());
    evidence.forge();
    let cache = evidence.cache().join("annals");
    match rustix::process::geteuid().is_root() {
        true => give(&cache),
        false => {
            let elsewhere = evidence.cache().join("elsewhere");
            fs::rename(&cache, &elsewhere).expect("moved");
            symlink(&elsewhere, &cache).expect("linked");
        }
    }
    let before = everything(&evidence.cache());
    assert_eq!(evidence.answer(temporary.path()), truth);
    assert_eq!(everything(&evidence.cache()), before);
    assert_eq!(fs::read_dir(temporary.path()).expect("a folder").count(), 0);
}
