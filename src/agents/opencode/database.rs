//! opencode's database: sessions, messages and parts as rows, their contents as JSON.

use std::io;

use super::message::{Session, read};
use crate::agents::import::Flaw;
use crate::agents::import::item::TranscriptRecord;
use crate::agents::import::source_file::SourceFile;
use crate::agents::import::whole::{Rows, RowsLog, WholeLog};
use crate::store::foreign::{Cell, ForeignDatabase};

pub fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let database = ForeignDatabase::open(&file.path)?;
    for (table, columns) in [
        ("session", &["id", "title", "directory", "parent_id", "version"][..]),
        ("message", &["id", "session_id", "data"]),
        ("part", &["id", "message_id", "data"]),
    ] {
        if !database.has(table, columns)? {
            let why = format!("no table `{table}` of opencode's");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
    }
    let messages = database.numbers("SELECT rowid FROM message ORDER BY session_id, id")?;
    let session = Session::default();
    Ok(RowsLog::open(Box::new(Messages { database, messages, session }), file.bytes))
}

struct Messages {
    database: ForeignDatabase,
    /// The rows of the messages, session by session.
    messages: Vec<i64>,
    /// The session of the message before.
    session: Session,
}

impl Rows for Messages {
    fn count(&self) -> usize {
        self.messages.len()
    }

    fn record(&mut self, at: usize) -> Result<Vec<TranscriptRecord>, Flaw> {
        let Some(row) = self.messages.get(at) else { return Ok(Vec::new()) };
        let sql = "SELECT id, session_id, data FROM message WHERE rowid = ?1";
        let found = self.database.ask(sql, &[Cell::Integer(*row)])?;
        let Some([Cell::Text(id), Cell::Text(session), Cell::Text(data)]) =
            found.first().map(|row| &row[..])
        else {
            return Err(Flaw::Columns);
        };
        if self.session.id != *session {
            self.session = self.session(session)?;
        }
        let sql = "SELECT id, data FROM part WHERE message_id = ?1 ORDER BY id";
        let rows = self.database.ask(sql, &[Cell::Text(id.clone())])?;
        let mut parts = Vec::new();
        for row in &rows {
            match &row[..] {
                [Cell::Text(id), Cell::Text(data)] => {
                    parts.push((Some(id.as_str()), data.as_str()));
                }
                // No JSON: told as a part that could not be read.
                _ => parts.push((None, "")),
            }
        }
        let (line, mut out) = (at as u64 + 1, Vec::new());
        let message = (Some(id.as_str()), data.as_bytes());
        match read(line, &self.session, message, &parts, &mut out) {
            true => Ok(out),
            false => Err(Flaw::NotARecord),
        }
    }
}

impl Messages {
    fn session(&self, id: &str) -> Result<Session, Flaw> {
        let sql = "SELECT title, directory, parent_id, version FROM session WHERE id = ?1";
        let rows = self.database.ask(sql, &[Cell::Text(id.to_owned())])?;
        let text = |at: usize| {
            let cell = rows.first().and_then(|row| row.get(at));
            cell.and_then(Cell::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let (title, folder, parent, version) = (text(0), text(1), text(2), text(3));
        Ok(Session { id: id.to_owned(), title, folder, parent, version })
    }
}
