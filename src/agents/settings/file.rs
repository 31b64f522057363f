//! A settings file on the disk: read, backed up, and replaced whole or not at all.

use std::fs::{File, Permissions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{Result, SettingsError, SettingsFault};
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// No settings file is larger.
const BYTES_MAX: u64 = 16 << 20;
const BACKUP: &str = ".annals-backup-";
/// Backups that are looked at, the newest.
const BACKUPS_MAX: usize = 32;

#[derive(Debug)]
pub struct SettingsFile {
    pub path: PathBuf,
    /// What it leads to, where it is a link.
    target: PathBuf,
    /// `None` where there was no file.
    text: Option<String>,
    owned: Option<(u32, u32, u32)>,
}

impl SettingsFile {
    pub fn read(path: &Path) -> Result<Self> {
        let failed = |did| move |source| SettingsError::Io { path: path.to_owned(), did, source };
        let target = match fs::canonicalize(path) {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if fs::symlink_metadata(path).is_ok() {
                    return Err(SettingsError::Dangling { path: path.to_owned() });
                }
                let (path, target) = (path.to_owned(), path.to_owned());
                return Ok(Self { path, target, text: None, owned: None });
            }
            Err(error) => return Err(failed("find")(error)),
        };
        let about = fs::metadata(&target).map_err(failed("look at"))?;
        if !about.is_file() || about.len() > BYTES_MAX {
            return Err(SettingsError::NotSettings { path: path.to_owned() });
        }
        let bytes = bytes_of(&target).map_err(failed("read"))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            SettingsError::fault(path, error.as_bytes(), (at, SettingsFault::NotText))
        })?;
        let owned = Some((about.permissions().mode() & 0o7777, about.uid(), about.gid()));
        Ok(Self { path: path.to_owned(), target, text: Some(text), owned })
    }

    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    pub fn exists(&self) -> bool {
        self.text.is_some()
    }

    pub fn fault(&self, fault: (usize, SettingsFault)) -> SettingsError {
        SettingsError::fault(&self.path, self.text().as_bytes(), fault)
    }

    pub fn must_be_writable(&self) -> Result<()> {
        match self.owned {
            Some((mode, ..)) if mode & 0o200 == 0 => {
                Err(SettingsError::ReadOnly { path: self.path.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Holds that a project's settings lie in the project: a link that came with it may lead
    /// anywhere, and a person's own file is no project's to change.
    pub fn must_lie_in(&self, root: &Path) -> Result<()> {
        // What is not there yet is made where the folders that are there lead.
        let real = |path: &Path| path.ancestors().find_map(|it| it.canonicalize().ok());
        match (real(&self.target), real(root)) {
            (Some(target), Some(root)) if target.starts_with(&root) => Ok(()),
            _ => Err(SettingsError::Outside { path: self.path.clone() }),
        }
    }

    /// Copies it beside itself, under a name with that stamp, for nobody else to read.
    pub fn back_up(&self, stamp: &str) -> Result<Option<PathBuf>> {
        let Some(text) = &self.text else { return Ok(None) };
        for count in 0_u32.. {
            let suffix = if count == 0 { String::new() } else { format!("-{count}") };
            let path = beside(&self.target, &format!("{BACKUP}{stamp}{suffix}"));
            match written_new(&path, text.as_bytes()) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(source) => return Err(SettingsError::Io { path, did: "write", source }),
                Ok(()) => return Ok(Some(path)),
            }
        }
        Ok(None)
    }

    /// Its backups with their texts, the newest first; one that cannot be read is left out.
    pub fn backups(&self) -> Vec<(PathBuf, String)> {
        let name = self.target.file_name().unwrap_or_default().to_string_lossy();
        let prefix = format!("{name}{BACKUP}");
        // A folder that cannot be listed has no backups for us.
        let Some(entries) = self.target.parent().and_then(|it| it.read_dir().ok()) else {
            return Vec::new();
        };
        let mut paths: Vec<_> = entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
            .map(|entry| entry.path())
            .collect();
        paths.sort();
        let small = |path: &PathBuf| {
            fs::symlink_metadata(path).is_ok_and(|it| it.is_file() && it.len() <= BYTES_MAX)
        };
        let paths = paths.into_iter().rev().filter(small).take(BACKUPS_MAX);
        let read = |path: PathBuf| {
            let text = String::from_utf8(bytes_of(&path).ok()?).ok()?; // as said above
            Some((path, text))
        };
        paths.filter_map(read).collect()
    }

    pub fn write(&self, text: &str) -> Result<()> {
        let failed = |did| {
            let path = self.path.clone();
            move |source| SettingsError::Io { path, did, source }
        };
        let name = self.target.file_name().unwrap_or_default().to_string_lossy();
        let pid = std::process::id();
        let temporary = self.target.with_file_name(format!(".{name}.annals-{pid}"));
        written_new(&temporary, text.as_bytes()).map_err(failed("write beside"))?;
        let ended = self.owned_as_before(&temporary).map_err(failed("keep owner and mode of"));
        let ended = ended.and_then(|()| self.must_be_unchanged()).and_then(|()| {
            let put = match self.text {
                Some(_) => fs::rename(&temporary, &self.target),
                // What came meanwhile is not replaced.
                None => enclosure::rename_new(&temporary, &self.target),
            };
            put.map_err(failed("replace"))
        });
        if let Err(error) = ended {
            // The first error is the one to tell.
            let _ = fs::remove_file(&temporary);
            return Err(error);
        }
        self.flush_folder().map_err(failed("flush the folder of"))
    }

    pub fn delete(&self) -> Result<()> {
        self.must_be_unchanged()?;
        let removed = fs::remove_file(&self.target).and_then(|()| self.flush_folder());
        removed.map_err(|source| SettingsError::Io {
            path: self.path.clone(),
            did: "remove",
            source,
        })
    }

    fn must_be_unchanged(&self) -> Result<()> {
        let now = match bytes_of(&self.target) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(source) => {
                return Err(SettingsError::Io { path: self.path.clone(), did: "read", source });
            }
        };
        if now.as_deref() == self.text.as_deref().map(str::as_bytes) {
            return Ok(());
        }
        Err(SettingsError::Changed { path: self.path.clone() })
    }

    fn owned_as_before(&self, temporary: &Path) -> io::Result<()> {
        let Some((mode, user, group)) = self.owned else { return Ok(()) };
        let about = fs::metadata(temporary)?;
        if (about.uid(), about.gid()) != (user, group) {
            fchown(File::open(temporary)?, Some(user), Some(group))?;
        }
        fs::set_permissions(temporary, Permissions::from_mode(mode))
    }

    fn flush_folder(&self) -> io::Result<()> {
        self.target.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }
}

/// At most one byte more than is allowed, so that a file that grows is not followed without end.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn written_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = enclosure::open(path, OpenHow::CreateNew)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}
