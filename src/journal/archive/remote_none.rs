//! A build that reaches no object store.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use annals_journal_format::archive::reach_by;

use super::Kept;

const NONE: &str = "s3:// is an object store, and this build reaches none: cargo install --path . --features \
                    object-store; or name a folder (one that is mounted will do)";

/// There is none.
#[derive(Debug)]
pub enum Store {}

impl Store {
    pub fn of(_: &str) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, NONE))
    }

    pub fn patient(address: &str, _: Option<Duration>) -> io::Result<Self> {
        Self::of(address)
    }

    pub fn names(&self, _: &Path) -> io::Result<Vec<String>> {
        match *self {}
    }

    pub fn get(&self, _: &Path, _: u64) -> io::Result<File> {
        match *self {}
    }

    pub fn put(&self, _: &Path, _: Vec<u8>) -> io::Result<bool> {
        match *self {}
    }

    pub fn replace(&self, _: &Path, _: Vec<u8>) -> io::Result<()> {
        match *self {}
    }

    pub fn read(&self, _: &Path, _: u64) -> io::Result<Option<Kept>> {
        match *self {}
    }

    pub fn put_behind(&self, _: &Path, _: Vec<u8>, _: Option<&str>) -> io::Result<bool> {
        match *self {}
    }

    pub fn remove(&self, _: &Path) -> io::Result<()> {
        match *self {}
    }
}

/// As there is no store, nothing is on its way to one.
pub fn nameless() -> io::Result<File> {
    Err(io::Error::new(io::ErrorKind::Unsupported, NONE))
}

/// Why an address is refused.
pub(super) fn refusal(_: &str) -> Option<&'static str> {
    Some(NONE)
}

/// Lets what this process reads say that no store is reached.
pub fn reach() {
    reach_by(|address, _| match Store::of(address)? {});
}
