//! opencode's older storage: a file a session, a message and a part, in folders by their ids.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::message::{Session, read};
use crate::agents::import::Flaw;
use crate::agents::import::growth;
use crate::agents::import::item::TranscriptRecord;
use crate::agents::import::limits::LINE_BYTES_MAX;
use crate::agents::import::source_file::{SourceFile, names_in};
use crate::agents::import::whole::{Rows, RowsLog, WholeLog};

pub fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let session = Session::of(&bytes(&file.path)?);
    // …/storage/session/PROJECT/ses_….json
    let storage = file.path.ancestors().nth(3).unwrap_or(Path::new("")).to_owned();
    let mut messages = Vec::new();
    if is_plain(&session.id) {
        let folder = storage.join("message").join(&session.id);
        messages = names_in(&folder)?.into_iter().map(|name| folder.join(name)).collect();
    }
    Ok(RowsLog::open(Box::new(Messages { storage, messages, session }), file.bytes))
}

/// An id that is part of a path is a plain name.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

struct Messages {
    storage: PathBuf,
    messages: Vec<PathBuf>,
    session: Session,
}

impl Rows for Messages {
    fn count(&self) -> usize {
        self.messages.len()
    }

    fn record(&mut self, at: usize) -> Result<Vec<TranscriptRecord>, Flaw> {
        let Some(path) = self.messages.get(at) else { return Ok(Vec::new()) };
        let info = bytes(path).map_err(|_| Flaw::NotARecord)?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut parts = Vec::new();
        if is_plain(&id) {
            let folder = self.storage.join("part").join(&id);
            for name in names_in(&folder).map_err(|_| Flaw::NotARecord)? {
                // One that cannot be read is no JSON: told as a part that could not be read.
                let text = bytes(&folder.join(name)).unwrap_or_default();
                parts.push(String::from_utf8_lossy(&text).into_owned());
            }
        }
        let parts: Vec<_> = parts.iter().map(|text| (None, text.as_str())).collect();
        let (line, mut out) = (at as u64 + 1, Vec::new());
        match read(line, &self.session, (None, &info), &parts, &mut out) {
            true => Ok(out),
            false => Err(Flaw::NotARecord),
        }
    }
}

/// What a file holds, which is no larger than a line may be.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    growth::open(path)?.take(LINE_BYTES_MAX as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
