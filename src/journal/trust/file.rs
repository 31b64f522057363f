//! The file of a project's settings.

use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use crate::config::{BYTES_MAX, ConfigError, ConfigRead, UserConfig, user_config_path};
use crate::journal::enclosure::{self, OpenHow};

/// Reads a project's settings, once and through no link; a missing file means the defaults. All of
/// them: what needs consent is for the caller to withhold.
pub fn config_at(path: &Path) -> ConfigRead {
    match bytes(path) {
        Ok((bytes, owner)) => ConfigRead { owner, ..ConfigRead::of_bytes(bytes, path) },
        Err(fault) => ConfigRead { faults: vec![fault], ..ConfigRead::default() },
    }
}

/// Reads what the user says for all projects; a missing file means the defaults. A link there is the user's
/// own, what it leads to must be too.
pub fn user_config() -> Result<UserConfig, ConfigError> {
    let Some(path) = user_config_path() else { return Ok(UserConfig::default()) };
    let (bytes, owner) = match path.canonicalize() {
        Ok(real) => bytes(&real)?,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(UserConfig::default());
        }
        Err(source) => return Err(ConfigError::Read { path, source: Arc::new(source) }),
    };
    match owner {
        Some(_) => Err(ConfigError::NotOwn { path }),
        None => UserConfig::of_bytes(&bytes, &path),
    }
}

/// The bytes of settings, and the other user whose they are; none in a missing file.
fn bytes(path: &Path) -> Result<(Vec<u8>, Option<u32>), ConfigError> {
    let failed =
        |source: io::Error| ConfigError::Read { path: path.to_owned(), source: source.into() };
    let file = match enclosure::open(path, OpenHow::Read) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), None)),
        file => file.map_err(failed)?,
    };
    let owner = file.metadata().map_err(failed)?.uid();
    let bytes = enclosure::contents(&file, BYTES_MAX + 1).map_err(failed)?;
    match bytes.len() as u64 > BYTES_MAX {
        true => Err(ConfigError::NotSettings { path: path.to_owned() }),
        false => Ok((bytes, Some(owner).filter(|it| !enclosure::owners().contains(it)))),
    }
}
