//! Gemini CLI's recorded chats (`~/.gemini/tmp/…/chats/session-*.json`): one JSON document whose
//! `messages` are prompts and answers, with the calls that an answer made and how they ended.

mod message;

use std::io;

use super::import::item::TranscriptRecord;
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::loose::parsed;
use super::import::source_file::SourceFile;
use super::import::whole::{Document, Member, WholeLog, read_document};
use message::Message;

pub const SOURCE: LogSource = LogSource {
    name: "gemini-cli",
    title: "Gemini CLI",
    also: Some("gemini"),
    endings: &[".json"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn is_of(beginning: &Beginning<'_>) -> bool {
    beginning.outline().has_all(&["sessionId", "projectHash", "messages"])
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    read_document(file, Box::new(Chat { session: file.whole_name() }))
}

struct Chat {
    /// The file's name, until the chat names one.
    session: String,
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
            message.read(member.number, &self.session, out);
            true
        })
    }
}
