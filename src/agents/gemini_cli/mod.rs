//! Gemini CLI's recorded chats (`~/.gemini/tmp/…/chats/session-*`): prompts and answers, with the calls that an
//! answer made and how they ended.
//!
//! Older versions write one JSON document with `messages`, newer ones a line a message behind a first one of
//! the session; a message of which more is known is written again, whole, under its id. What was taken back
//! (`$rewindTo`) was said and done all the same.

mod message;

use std::io;

use serde::Deserialize;

use super::import::Flaw;
use super::import::item::TranscriptRecord;
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::loose::{Text, object, parsed};
use super::import::source_file::SourceFile;
use super::import::whole::{
    Document, Member, Once, TextLines, WholeLog, flaw_of, read_document, read_text,
};
use message::Message;

pub const SOURCE: LogSource = LogSource {
    name: "gemini-cli",
    title: "Gemini CLI",
    also: Some("gemini"),
    endings: &[".json", ".jsonl"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn is_of(beginning: &Beginning<'_>) -> bool {
    beginning.outline().has_all(&["sessionId", "projectHash"])
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let (head, session) = (file.head()?, file.whole_name());
    match Beginning::of(&head).outline().has("messages") {
        true => read_document(file, Box::new(Chat { session, ids: Once::default() })),
        false => read_text(file, Box::new(Lines { session, ids: Once::default() })),
    }
}

struct Chat {
    /// The file's name, until the chat names one.
    session: String,
    ids: Once,
}

impl Document for Chat {
    fn lists(&self) -> &'static [&'static str] {
        &["messages"]
    }

    /// Whose messages they are may stand behind them.
    fn surveys(&self) -> bool {
        true
    }

    fn survey(&mut self, member: &Member<'_>) {
        if let ("sessionId", Some(named)) = (member.key, parsed::<String>(member.bytes)) {
            self.session = named;
        }
    }

    fn member(&mut self, member: &Member<'_>, out: &mut Vec<TranscriptRecord>) -> bool {
        if !member.is_element {
            return true;
        }
        let message = parsed::<Message<'_>>(member.bytes).filter(|_| member.bytes[0] == b'{');
        message.is_some_and(|message| {
            message.read(member.number, &self.session, &mut self.ids, out);
            true
        })
    }
}

/// A chat of a line a message.
struct Lines {
    session: String,
    ids: Once,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Named<'a> {
    #[serde(rename = "sessionId", borrow)]
    session_id: Text<'a>,
}

impl TextLines for Lines {
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        let bytes = line.trim().as_bytes();
        if bytes.is_empty() {
            return Ok(());
        }
        let message = parsed::<Message<'_>>(bytes).filter(|_| bytes[0] == b'{');
        let Some(message) = message else { return Err(flaw_of(bytes)) };
        let named: Named<'_> = object(bytes);
        self.session =
            named.session_id.to_text().unwrap_or_else(|| std::mem::take(&mut self.session));
        message.read(number, &self.session, &mut self.ids, out);
        Ok(())
    }
}
