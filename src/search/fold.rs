//! The fold into `search.db`: each text a row, and its words in the full-text index.

use std::borrow::Cow;
use std::sync::Arc;

use super::documents::{Document, Part, documents};
use super::store::{CURSOR_TABLE, LAST_ROWS, Search};
use crate::event::{Body, Recorded, Sequence};
use crate::parse::words::Words;
use crate::store;
use crate::store::columns::insert;
use crate::store::{Cursor, Digest, Foresight, Position, Projector, Result, Rows, connection};

impl Projector for Search {
    fn begin(&mut self) -> Result<()> {
        self.conn.begin("beginning to write")
    }

    fn cursor(&self) -> Result<Option<Cursor>> {
        self.conn.cursor(CURSOR_TABLE, "reading the cursor")
    }

    fn found_rows(&self) -> Result<Rows> {
        self.conn.last_rows("reading the last rows", LAST_ROWS)
    }

    fn apply(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Result<()> {
        let session = recorded.event.envelope.session.map(|id| id.to_string());
        let session = session.map(|id| self.name(&id)).transpose()?;
        if let (Body::PromptSubmitted(prompt), Some(session)) = (&recorded.event.body, session)
            && prompt.actor.is_none()
        {
            let sql = "INSERT INTO turns (session, turns) VALUES (?1, 1) \
                       ON CONFLICT (session) DO UPDATE SET turns = turns + 1";
            self.conn.write("counting a turn", sql, [session])?;
        }
        // No other store's is given to this one.
        let foreseen = self.foreseen.take().and_then(|it| it.downcast::<Foreseen>().ok());
        let foreseen = foreseen.filter(|it| it.at == recorded.sequence);
        for (nth, document) in documents(recorded, started).iter().enumerate() {
            let read = foreseen.as_ref().and_then(|it| it.words.get(nth));
            let words = read.map_or_else(|| Cow::Owned(words(document)), Cow::Borrowed);
            self.add(recorded, session, document, &words)?;
        }
        Ok(())
    }

    fn foresee(&mut self, foreseen: store::Foreseen) {
        self.foreseen = Some(foreseen);
    }

    fn wants_starts(&self) -> bool {
        true
    }

    fn wants_content(&self) -> bool {
        true
    }

    fn commit(&mut self, position: Position) -> Result<()> {
        let cursor = Cursor { position, rows: self.found_rows()? };
        self.conn.commit(cursor, CURSOR_TABLE)
    }

    fn rollback(&mut self) -> Result<()> {
        self.conn.rollback("giving up a transaction")
    }

    fn finish(self: Box<Self>) -> Result<Option<Digest>> {
        for sql in [
            "INSERT INTO found (found) VALUES ('optimize')",
            "INSERT INTO found (found, rank) VALUES ('automerge', 4)",
        ] {
            self.conn.run(sql, "merging the index")?;
        }
        let path = self.path.clone();
        drop(self);
        connection::finish_bulk(&path).map(|()| None)
    }
}

impl Search {
    fn add(
        &mut self,
        recorded: &Recorded,
        session: Option<i64>,
        document: &Document<'_>,
        words: &Words,
    ) -> Result<()> {
        let said = document.native_id.map(|it| key(it.as_bytes()));
        if let Some(said) = said {
            self.forget(&said)?;
        }
        let turn: Option<i64> = match session {
            Some(session) => {
                let sql = "SELECT turns FROM turns WHERE session = ?1";
                self.conn.find("reading a turn", sql, [session], |row| row.get(0))?
            }
            None => None,
        };
        let named = |it: Option<&str>| it.map(|it| self.name(it)).transpose();
        let (tool, path, model) =
            (named(document.tool.as_deref())?, named(document.path)?, named(document.model)?);
        insert!(
            self.conn,
            documents {
                seq: recorded.sequence.0,
                part: number(document.part),
                at_ms: i64::try_from(recorded.event.envelope.at_ms).unwrap_or(i64::MAX),
                session,
                turn,
                tool,
                path,
                model,
                failed: document.failed,
                left_out: i64::try_from(document.left_out).unwrap_or(i64::MAX),
                said,
                words: key(format!("{}\0{}", words.parts, words.wholes).as_bytes()),
            }
        )?;
        let row = self.conn.last_insert_rowid();
        let sql = "INSERT INTO found (rowid, parts, wholes) VALUES (?1, ?2, ?3)";
        self.conn.write("indexing a text", sql, (row, &words.parts, &words.wholes)).map(drop)
    }

    /// Takes away what was said of a message before more of it was told.
    fn forget(&mut self, said: &[u8; 8]) -> Result<()> {
        let sql = "SELECT number FROM documents WHERE said = ?1";
        let found: Option<i64> =
            self.conn.find("finding a message", sql, [said], |row| row.get(0))?;
        let Some(row) = found else { return Ok(()) };
        for sql in ["DELETE FROM found WHERE rowid = ?1", "DELETE FROM documents WHERE number = ?1"]
        {
            self.conn.write("taking a message away", sql, [row])?;
        }
        Ok(())
    }

    /// The number of a name.
    fn name(&self, name: &str) -> Result<i64> {
        let sql = "SELECT number FROM names WHERE name = ?1";
        let found = self.conn.find("finding a name", sql, [name], |row| row.get(0))?;
        match found {
            Some(number) => Ok(number),
            None => {
                insert!(self.conn, names { name: name })?;
                Ok(self.conn.last_insert_rowid())
            }
        }
    }
}

/// The words of the documents of an event.
struct Foreseen {
    at: Sequence,
    words: Vec<Words>,
}

/// Reads the words of texts ahead of the fold.
pub(super) struct Read;

impl Foresight for Read {
    fn of(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Option<store::Foreseen> {
        let words: Vec<Words> = documents(recorded, started).iter().map(words).collect();
        let at = recorded.sequence;
        (!words.is_empty()).then(|| Arc::new(Foreseen { at, words }) as store::Foreseen)
    }
}

fn words(document: &Document<'_>) -> Words {
    let mut words = Words::default();
    for text in &document.texts {
        let more = Words::of(text);
        for (all, more) in [(&mut words.parts, more.parts), (&mut words.wholes, more.wholes)] {
            if !all.is_empty() && !more.is_empty() {
                all.push(' ');
            }
            all.push_str(&more);
        }
    }
    words
}

pub(super) fn number(part: Part) -> u8 {
    part as u8
}

/// What texts and messages are told apart by: eight bytes of blake3.
fn key(bytes: &[u8]) -> [u8; 8] {
    let mut key = [0; 8];
    key.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    key
}
