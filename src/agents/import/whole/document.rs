//! Reads one JSON document, member by member.

use std::collections::VecDeque;
use std::io;

use super::members::{Member, Members};
use super::{WholeLog, items};
use crate::agents::import::Flaw;
use crate::agents::import::item::{Item, TranscriptRecord};
use crate::agents::import::lines::Opened;
use crate::agents::import::source_file::SourceFile;

/// How the members of a source's documents are read, and what that needs to remember.
pub trait Document: Send {
    /// The members of the object whose elements are records of their own.
    fn lists(&self) -> &'static [&'static str];

    /// Whether all of it is looked at before any of it is read.
    fn surveys(&self) -> bool {
        false
    }

    fn survey(&mut self, _member: &Member<'_>) {}

    /// Reads a member; `false` where it is none.
    fn member(&mut self, member: &Member<'_>, out: &mut Vec<TranscriptRecord>) -> bool;

    /// What is left when the document ends.
    fn end(&mut self, _out: &mut Vec<TranscriptRecord>) {}
}

struct DocumentLog {
    members: Members<Opened>,
    document: Box<dyn Document>,
}

/// Opens a document.
pub fn read_document(
    file: &SourceFile,
    mut document: Box<dyn Document>,
) -> io::Result<Box<dyn WholeLog>> {
    let lists = document.lists();
    if document.surveys() {
        let mut members = Members::new(file.open()?, lists);
        while let Some(member) = members.next()? {
            // What cannot be read is told when it is read.
            if let Ok(member) = member {
                document.survey(&member);
            }
        }
    }
    Ok(Box::new(DocumentLog { members: Members::new(file.open()?, lists), document }))
}

impl WholeLog for DocumentLog {
    fn read(&mut self, out: &mut VecDeque<Item>) -> io::Result<bool> {
        let mut read = Vec::new();
        let Some(member) = self.members.next()? else {
            self.document.end(&mut read);
            out.extend(items(read));
            return Ok(false);
        };
        match member {
            Ok(member) => {
                if !self.document.mended(&member, &mut read) {
                    let flaw = flaw_of(member.bytes);
                    out.push_back(Item::Unreadable { line: member.number, flaw });
                }
            }
            Err((line, flaw)) => out.push_back(Item::Unreadable { line, flaw }),
        }
        out.extend(items(read));
        Ok(true)
    }

    fn place(&self) -> (u64, u64) {
        let offset = self.members.reader.taken().unwrap_or(self.members.offset);
        (self.members.number, offset)
    }

    fn is_broken(&self) -> bool {
        self.members.reader.is_broken()
    }
}

impl dyn Document {
    /// Reads a member, whose text may have to be mended first.
    fn mended(&mut self, member: &Member<'_>, out: &mut Vec<TranscriptRecord>) -> bool {
        self.member(member, out)
            || crate::agents::import::mended(member.bytes)
                .is_some_and(|bytes| self.member(&Member { bytes: &bytes, ..*member }, out))
    }
}

/// Why bytes are no record.
pub fn flaw_of(bytes: &[u8]) -> Flaw {
    let nul = memchr::memchr_iter(0, bytes).count() as u64;
    match serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
        _ if nul > 0 => Flaw::NulFilled { bytes: nul },
        Ok(_) => Flaw::NotARecord,
        Err(error) if error.is_eof() => Flaw::Torn,
        Err(error) => Flaw::NotJson { at: place(bytes, &error) },
    }
}

/// The byte at which JSON stopped to parse, from 1.
fn place(bytes: &[u8], error: &serde_json::Error) -> u64 {
    let before: usize = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .take(error.line().saturating_sub(1))
        .map(<[u8]>::len)
        .sum();
    (before + error.column()) as u64
}
