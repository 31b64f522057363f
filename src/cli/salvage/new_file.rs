//! A new file that appears whole or not at all, and over nothing.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// A new file on its way; gone where it does not arrive.
pub struct NewFile {
    file: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
}

impl NewFile {
    /// Begins a file that is not there.
    pub fn begin(path: &Path) -> Result<Self, CliError> {
        match enclosure::look(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(CliError::io("make", path, source)),
            Ok(_) => return Err(CliError::Exists { path: path.to_owned() }),
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = enclosure::open(&temporary, OpenHow::CreateNew)
            .map_err(|source| CliError::io("make", &temporary, source))?;
        Ok(Self { file: BufWriter::new(file), temporary, path: path.to_owned() })
    }

    /// Writes a line.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        self.file.write_all(b"\n")
    }

    /// Brings it to its name, where nothing has that by now.
    pub fn arrive(mut self) -> Result<(), CliError> {
        let failed = |source| CliError::io("write", &self.path, source);
        self.file.flush().map_err(failed)?;
        self.file.get_ref().sync_all().map_err(failed)?;
        enclosure::rename_new(&self.temporary, &self.path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => CliError::Exists { path: self.path.clone() },
            _ => failed(error),
        })?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = enclosure::folder(folder.unwrap_or(Path::new(".")));
        folder.and_then(|folder| folder.sync_all()).map_err(failed)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Where it arrived there is none; what made it fail is the error to tell.
        drop(enclosure::remove(&self.temporary));
    }
}
