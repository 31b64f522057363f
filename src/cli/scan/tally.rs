//! What was found and what could not be read, told as it comes.

use serde::Serialize;

use super::super::{Context, Exit, Result, counted};
use crate::output::stream::{Colour, Format};
use crate::output::{escape, time};

#[derive(Debug, Default, Serialize)]
pub struct Scanned {
    pub findings: Vec<Secret>,
    /// Findings in all; `findings` holds the first of them.
    pub findings_count: u64,
    pub files: u64,
    pub journals: u64,
    pub events: u64,
    /// Bytes that were looked over; of journals those of their events' contents and texts.
    pub bytes: u64,
    /// What was taken out of those events before they were recorded.
    pub redacted: u64,
    pub unreadable: Vec<Unread>,
    /// What could not be read in all; `unreadable` holds the first of it.
    pub unreadable_count: u64,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Secret {
    /// The rule that says so.
    pub rule: String,
    /// The file or journal; `-` is standard input.
    pub path: String,
    /// `bytes` of a file, an `event` of a journal, or the `name` of the file itself.
    pub place: &'static str,
    /// Of a file: line and column of its first byte, from 1.
    pub line: Option<u64>,
    pub column: Option<u64>,
    /// Of a journal: which event, and which of its fields.
    pub sequence: Option<u64>,
    pub kind: Option<String>,
    pub field: Option<String>,
    /// Its first byte, from 0: in the file, or in the field as it is recorded.
    pub offset: u64,
    pub bytes: u64,
    pub next: String,
}

/// Something that could not be looked over.
#[derive(Clone, Debug, Serialize)]
pub struct Unread {
    pub path: String,
    pub why: String,
}

const UNREADABLE_MAX: usize = 100;

pub struct Tally {
    pub told: Scanned,
    max: u64,
    /// Some are in files, where one sentence says what to do about all of them.
    in_files: bool,
}

impl Tally {
    pub fn new(max: u64) -> Self {
        Self { told: Scanned::default(), max, in_files: false }
    }

    /// Takes one finding, and prints it where one is printed at a time.
    pub fn found(&mut self, secret: Secret, context: &mut Context) -> Result<()> {
        self.told.findings_count += 1;
        if self.told.findings_count > self.max {
            return Ok(());
        }
        match context.output.format {
            Format::Json => self.told.findings.push(secret),
            Format::Jsonl => context.output.json_line(&secret)?,
            Format::Table => {
                let place = context.output.paint(Colour::Bold, place(&secret));
                let rule = escape::line(&secret.rule).into_owned();
                let length = counted(secret.bytes, "byte");
                context.output.line(format_args!("{place}  {rule}, {length}"))?;
                match secret.sequence {
                    Some(_) => {
                        let next = escape::line(&secret.next);
                        context.output.line(format_args!("  Next: {next}"))?;
                    }
                    None => self.in_files = true,
                }
            }
        }
        Ok(())
    }

    /// Something could not be read: told at once, and gone on.
    pub fn unreadable(&mut self, path: &str, why: String, context: &mut Context) {
        self.told.unreadable_count += 1;
        if self.told.unreadable.len() < UNREADABLE_MAX {
            context.output.note(format_args!("{}: {why}", escape::line(path)));
            self.told.unreadable.push(Unread { path: path.to_owned(), why });
        }
    }

    pub fn close(self, context: &mut Context) -> Result<Exit> {
        let told = &self.told;
        let exit = match (told.unreadable_count, told.findings_count) {
            (0, 0) => Exit::Fine,
            (0, _) => Exit::Findings,
            _ => Exit::Io,
        };
        match context.output.format {
            Format::Json => context.output.json(told)?,
            Format::Jsonl => (),
            Format::Table => {
                if told.findings_count > self.max {
                    let more = counted(told.findings_count - self.max, "more finding");
                    context.output.line(format_args!("… and {more}: --max-findings COUNT"))?;
                }
                context.output.line(summary(told))?;
                if self.in_files {
                    let next = "revoke each where it was issued, then take it out of its file";
                    context.output.line(format_args!("Next: {next}"))?;
                }
            }
        }
        Ok(exit)
    }
}

fn place(secret: &Secret) -> String {
    let path = escape::line(&secret.path).into_owned();
    match (secret.line, secret.column, secret.sequence) {
        (Some(line), Some(column), _) => format!("{path}:{line}:{column}"),
        (_, _, Some(sequence)) => {
            let kind = secret.kind.as_deref().unwrap_or_default();
            let field = escape::line(secret.field.as_deref().unwrap_or_default());
            format!("{path} @{sequence} {kind} {field}, byte {}", secret.offset)
        }
        _ => format!("{path}: its name"),
    }
}

fn summary(told: &Scanned) -> String {
    let found = match told.findings_count {
        0 => "no secret found".to_owned(),
        found => format!("{} found", counted(found, "secret")),
    };
    let mut where_ = vec![counted(told.files, "file")];
    if told.journals > 0 {
        where_.push(format!(
            "{} of {}",
            counted(told.journals, "journal"),
            counted(told.events, "event")
        ));
    }
    let mut text = format!("{found} in {}, {}", where_.join(", "), time::bytes(told.bytes));
    if told.redacted > 0 {
        text.push_str(&format!("; {} taken out before it was recorded", told.redacted));
    }
    if told.unreadable_count > 0 {
        let paths = counted(told.unreadable_count, "place");
        text.push_str(&format!("; {paths} could not be read"));
    }
    text
}
