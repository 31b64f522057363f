//! A project whose stores are ahead of their journal, for tests of whoever asks them.

use std::fs;
use std::path::Path;

/// What `record` adds is in the stores then, and not in the journal.
pub fn rolled_back(root: &Path, record: impl FnOnce()) {
    let journal = root.join(".annals/journal");
    let files = fs::read_dir(&journal).unwrap().map(|entry| entry.unwrap().path());
    let before: Vec<_> = files
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    record();
    for (path, bytes) in before {
        fs::write(path, bytes).unwrap();
    }
}

/// The bytes of the stores that nobody may change then.
pub fn evidence(root: &Path) -> [Option<Vec<u8>>; 2] {
    let places = crate::stores::places(root);
    [places.index(), places.execution_log()].map(|path| fs::read(path).ok()) // not all of them are made
}
