//! Maps of real trees in temporary folders.

mod cache;
mod outlines;
mod trees;

use std::fs;
use std::path::PathBuf;

use super::{Scanned, Tree, scan};
use crate::redact::Redactor;

/// A tree, what is remembered of it, and a clock that stands far ahead of its files.
struct Wood {
    folder: tempfile::TempDir,
    redactor: Redactor,
    now_ms: u64,
}

impl Wood {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let redactor = Redactor::new(&[]);
        let now_ms = crate::journal::clock::now_ms() + 60_000;
        let wood = Self { folder, redactor, now_ms };
        fs::create_dir(wood.top()).unwrap();
        for (path, text) in files {
            wood.write(path, text);
        }
        wood
    }

    fn top(&self) -> PathBuf {
        self.folder.path().join("top")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.top().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn scan(&self) -> Scanned {
        self.scan_at(self.now_ms)
    }

    fn scan_at(&self, scan_ms: u64) -> Scanned {
        let (top, cache) = (self.top(), self.cache());
        let tree =
            Tree { top: &top, cache: Some(&cache), of: b"test", redactor: &self.redactor, scan_ms };
        let scanned = scan(&tree).unwrap();
        assert!(scanned.forgotten.is_none(), "{:?}", scanned.forgotten);
        let json = serde_json::to_string(&scanned.map).unwrap();
        assert!(json.len() <= super::INDEX_BYTES_MAX, "{} bytes", json.len());
        scanned
    }

    fn lines(&self) -> Vec<String> {
        self.scan().map.lines()
    }
}
