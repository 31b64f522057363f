//! What lies at a place that tables go to, and what it is called there.

use std::{fs, io};

use crate::journal::archive::{Target, TargetError};

/// Two marks, a length, and what every file says of its columns.
const PARQUET_BYTES_MIN: u64 = 500;

/// Takes a file away, where there is one.
pub fn remove(target: &Target, name: &str) -> Result<(), TargetError> {
    let path = target.path(name);
    let removed = match target {
        Target::Bucket(store, _) => store.remove(&path),
        Target::Folder(_) => match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        },
    };
    removed.map_err(TargetError::io("remove", &path))
}

/// Whether a file of that length is there, as far as that is cheap to know: in a bucket nobody changes a part of one.
pub fn is_there(target: &Target, name: &str, bytes: u64) -> bool {
    match target {
        Target::Bucket(..) => true,
        Target::Folder(_) => {
            let about = fs::symlink_metadata(target.path(name));
            about.is_ok_and(|about| about.is_file() && about.len() == bytes)
        }
    }
}

/// Whether there is a file that is no less than one without rows, as far as that is cheap to know.
pub fn is_parquet(target: &Target, name: &str) -> bool {
    match target {
        Target::Bucket(..) => true,
        Target::Folder(_) => {
            let about = fs::symlink_metadata(target.path(name));
            about.is_ok_and(|about| about.is_file() && about.len() >= PARQUET_BYTES_MIN)
        }
    }
}

/// As Hive writes that there is no value.
pub const NOTHING: &str = "__HIVE_DEFAULT_PARTITION__";

/// A value in the name of a folder, as Hive writes it: what is no letter, digit, `.`, `-` or `_` in hex.
pub fn named(value: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let dots = value.bytes().all(|byte| byte == b'.');
    let mut name = String::new();
    for byte in value.bytes() {
        match is_plain(byte) || byte == b'.' && !dots {
            true => name.push(char::from(byte)),
            false => name.push_str(&format!("%{byte:02X}")),
        }
    }
    if name.is_empty() { NOTHING.to_owned() } else { name }
}
