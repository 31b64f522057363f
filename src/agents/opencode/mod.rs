//! opencode's sessions, in each of their forms: what `opencode export` writes (one document), the folders of
//! its older storage (`session/…/ses_*.json`, with `message/` and `part/` beside), its database.
//!
//! A message has a role and parts: texts, thoughts, and calls with their state.

mod database;
mod folder;
mod message;

use std::io;

use super::import::item::TranscriptRecord;
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::loose::parsed;
use super::import::source_file::SourceFile;
use super::import::whole::{Document, Member, WholeLog, read_document};
use message::{Exported, Session};

pub const SOURCE: LogSource = LogSource {
    name: "opencode",
    title: "opencode",
    also: None,
    endings: &[".json", ".db"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn is_of(beginning: &Beginning<'_>) -> bool {
    let keys = beginning.outline();
    let has = |text: &str| memchr::memmem::find(beginning.head, text.as_bytes()).is_some();
    if beginning.is_database() {
        return ["message_id", "session_id", "time_created", "project"].into_iter().all(has);
    }
    is_exported(beginning)
        || is_session(keys.text("id"), keys.has_all(&["directory", "time.created"]))
}

fn is_session(id: Option<&str>, has_keys: bool) -> bool {
    id.is_some_and(|id| id.starts_with("ses_")) && has_keys
}

fn is_exported(beginning: &Beginning<'_>) -> bool {
    let keys = beginning.outline();
    is_session(keys.text("info.id"), keys.has("messages"))
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let head = file.head()?;
    let beginning = Beginning::of(&head);
    match &beginning {
        it if it.is_database() => database::open(file),
        it if is_exported(it) => read_document(file, Box::<Export>::default()),
        _ => folder::open(file),
    }
}

/// A session as it was exported.
#[derive(Default)]
struct Export {
    session: Session,
}

impl Document for Export {
    fn lists(&self) -> &'static [&'static str] {
        &["messages"]
    }

    fn surveys(&self) -> bool {
        true
    }

    fn survey(&mut self, member: &Member<'_>) {
        if member.key == "info" {
            self.session = Session::of(member.bytes);
        }
    }

    fn member(&mut self, member: &Member<'_>, out: &mut Vec<TranscriptRecord>) -> bool {
        if !member.is_element {
            return true;
        }
        let message = parsed::<Exported<'_>>(member.bytes).filter(|_| member.bytes[0] == b'{');
        message.is_some_and(|it| it.read(member.number, &self.session, out))
    }
}
