//! What `annals redact` says.

use std::rc::Rc;

use serde::Serialize;

use super::super::{Context, Exit, Result, counted};
use super::elsewhere::{ElsewhereTold, bundles, elsewhere, places};
use super::preview;
use super::rest::BundleTold;
use crate::event::RedactedRecord;
use crate::journal::order::Receipt;
use crate::journal::{JournalReader, Project};
use crate::output::{escape, time};
use crate::stores::leak::held::Held;
use crate::stores::leak::transcripts::HeldFile;
use crate::stores::leak::{Found, Wanted};

#[derive(Debug, Default, Serialize)]
pub struct Told {
    /// The project's folder.
    pub path: String,
    /// Its journal's id.
    pub journal: String,
    /// What the event names; none where nothing was left to destroy.
    pub order: Option<String>,
    pub dry_run: bool,
    /// What was found to go, by sequence.
    pub records: Vec<u64>,
    /// Of those what is there because it repeats a content of others, and only refers to them.
    pub along: Vec<u64>,
    /// Later records that refer to another content of those, and keep it.
    pub repeated: Vec<u64>,
    /// Of those what was destroyed now.
    pub redacted: Vec<u64>,
    /// Redacted by an earlier order.
    pub before: Vec<u64>,
    /// Records that hold a value and tell of the journal itself: they are never redacted.
    pub stays: Vec<u64>,
    /// Where values stand, in all and the first of them.
    pub occurrences_count: u64,
    pub occurrences: Vec<Place>,
    /// Places of the journal that could not be read.
    pub unread: u64,
    pub bundles: Vec<BundleTold>,
    /// Transcripts and files of the project that hold a value.
    pub files: Vec<FileTold>,
    /// Transcripts that were not looked through, since records were named and no value.
    pub not_looked: Vec<String>,
    /// What was written from this journal where a person said, and is still there.
    pub elsewhere: Vec<ElsewhereTold>,
    /// What annals wrote elsewhere and was cleaned, and what could not be.
    pub cleaned: Vec<String>,
    /// Segments that were brought back from an archive.
    pub fetched: Vec<u64>,
    pub left: Vec<String>,
    /// Values too short to be known again.
    pub unkept: u64,
    /// The last look: how much was looked through, and what still holds a value. `is_clean` is null where no value was
    /// looked for.
    pub scanned_bytes: u64,
    pub remaining: Vec<Remaining>,
    pub is_clean: Option<bool>,
    /// The order that was written.
    pub order_file: Option<String>,
    /// Of `--order`: what became of it here.
    pub receipt: Option<Receipt>,
    #[serde(skip)]
    pub leaves: Vec<RedactedRecord>,
    /// One of those that an order is applied to: a line says which.
    #[serde(skip)]
    pub is_one_of: bool,
    /// A bundle that an order is applied to; its own line says all.
    #[serde(skip)]
    pub is_bundle: bool,
}

/// Where a value stands in the journal.
#[derive(Debug, Serialize)]
pub struct Place {
    pub sequence: u64,
    pub kind: String,
    pub session: Option<String>,
    pub field: String,
    /// The rule that found the value.
    pub rule: Option<String>,
    /// How it is written: plain, json, percent, hex, base64, utf-16, in pieces.
    pub form: &'static str,
    /// Its first byte in the field.
    pub offset: u64,
    /// What stands around it.
    pub around: String,
}

#[derive(Debug, Serialize)]
pub struct FileTold {
    pub path: String,
    /// The first of them, from 1.
    pub lines: Vec<u64>,
    /// Places.
    pub count: u64,
    pub is_transcript: bool,
    pub rewritten: bool,
    pub why: Option<String>,
}

impl FileTold {
    pub fn of(held: &HeldFile) -> Self {
        let HeldFile { path, lines, count, is_transcript, rewritten, why } = held.clone();
        let path = path.to_string_lossy().into_owned();
        Self { path, lines, count, is_transcript, rewritten, why }
    }
}

#[derive(Debug, Serialize)]
pub struct Remaining {
    pub path: String,
    pub sequence: Option<u64>,
    pub line: Option<u64>,
    pub count: u64,
    /// Why it could not be looked at.
    pub why: Option<String>,
}

impl Remaining {
    pub fn of(held: &Held) -> Self {
        let Held { path, record, line, count, unread } = held.clone();
        let (path, sequence) = (path.to_string_lossy().into_owned(), record.map(|it| it.0));
        Self { path, sequence, line, count, why: unread }
    }
}

impl Told {
    pub fn of(
        project: &Project,
        reader: &Rc<JournalReader>,
        found: &Found,
        wanted: &Wanted,
    ) -> Self {
        let places = found.told.found.iter().map(|it| Place {
            sequence: it.sequence.0,
            kind: it.kind.name().unwrap_or("unknown").to_owned(),
            session: it.session.map(|id| id.to_string()),
            field: it.field.clone(),
            rule: wanted.values.get(it.value).and_then(|(_, rule)| rule.clone()),
            form: it.form,
            offset: it.offset,
            around: it.around.clone(),
        });
        Self {
            path: project.root().to_string_lossy().into_owned(),
            journal: crate::event::wire::hex_text(&reader.id()),
            records: found.records.iter().map(|it| it.0).collect(),
            along: found.along.iter().map(|it| it.0).collect(),
            repeated: found.repeated.iter().map(|it| it.0).collect(),
            stays: found.stays.iter().map(|it| it.0).collect(),
            occurrences_count: found.told.count,
            occurrences: places.collect(),
            unread: found.told.unread,
            ..Self::default()
        }
    }

    /// Whether a file or a transcript may still hold it.
    pub fn is_elsewhere(&self) -> bool {
        self.elsewhere.iter().any(ElsewhereTold::is_open)
            || !self.not_looked.is_empty()
            || self.bundles.iter().any(|it| it.why.is_some())
    }

    pub fn exit(&self) -> Exit {
        let is_held = |file: &FileTold| !file.rewritten;
        let open = !self.remaining.is_empty()
            || !self.left.is_empty()
            || !self.stays.is_empty()
            || self.unread > 0
            || self.files.iter().any(is_held)
            || !self.dry_run && self.is_elsewhere()
            || self.receipt.as_ref().is_some_and(|it| !it.absent.is_empty());
        let would = self.dry_run && !self.records.is_empty();
        if open || would { Exit::Findings } else { Exit::Fine }
    }
}

pub fn close(told: Told, context: &mut Context) -> Result<Exit> {
    let exit = told.exit();
    if context.output.as_json(&told)? {
        return Ok(exit);
    }
    match told.dry_run {
        true => preview::show(&told, context)?,
        false => done(&told, context)?,
    }
    files(&told, context)?;
    elsewhere(&told, context)?;
    let next = match (told.dry_run, exit) {
        (true, Exit::Findings) => "the same with --reason TEXT in the place of --dry-run",
        (false, Exit::Findings) => {
            "revoke it where it was issued: what is named above still holds it"
        }
        _ => return Ok(exit),
    };
    context.output.line(format_args!("Next: {next}"))?;
    Ok(exit)
}

fn done(told: &Told, context: &mut Context) -> Result<()> {
    let count = |list: &[u64], noun| counted(list.len() as u64, noun);
    let of = match told.is_one_of {
        true => format!("{}: ", escape::line(&told.path)),
        false => String::new(),
    };
    match &told.order {
        Some(order) => {
            let records = count(&told.redacted, "record");
            context.output.line(format_args!("{of}{records} redacted by order {order}"))?;
        }
        None if told.is_bundle => {}
        None => context.output.line(format_args!("{of}no record is left to be redacted"))?,
    }
    let receipt = |of: fn(&Receipt) -> &Vec<RedactedRecord>| {
        told.receipt.as_ref().map_or(0, |it| of(it).len() as u64)
    };
    let before = (told.before.len() as u64).max(receipt(|it| &it.before));
    for (count, what) in [(before, "redacted before"), (receipt(|it| &it.absent), "not there")] {
        if count > 0 {
            let records = counted(count, "record");
            context.output.line(format_args!("  {records} of it {what}"))?;
        }
    }
    if !told.stays.is_empty() {
        let stays = told.stays.iter().map(|at| format!("@{at}")).collect::<Vec<_>>().join(", ");
        context
            .output
            .line(format_args!("  stays, since it tells of the journal itself: {stays}"))?;
    }
    for segment in &told.fetched {
        let again = "back from its archive: annals archive moves it again";
        context.output.line(format_args!("  segment {segment}: {again}"))?;
    }
    for line in &told.left {
        context.output.line(format_args!("  may still hold it: {}", escape::line(line)))?;
    }
    bundles(told, context)?;
    if told.unkept > 0 {
        context.output.line("  too short to be known again: a later import may bring it back")?;
    }
    if let Some(file) = &told.order_file {
        let file = escape::line(file);
        context.output.line(format_args!("  order for other journals: {file}"))?;
    }
    let looked = time::bytes(told.scanned_bytes);
    match told.is_clean {
        Some(true) => {
            let places = places(told);
            context
                .output
                .line(format_args!("clean: not in {places} ({looked} looked through)"))?;
        }
        Some(false) => {
            context.output.line(format_args!("not clean ({looked} looked through):"))?;
            for it in &told.remaining {
                let path = escape::line(&it.path);
                let place = match (it.sequence, it.line, &it.why) {
                    (_, _, Some(why)) => {
                        format!("{path}: could not be read: {}", escape::line(why))
                    }
                    (Some(at), ..) => format!("{path} @{at}"),
                    (_, Some(line), _) => format!("{path}:{line}"),
                    _ => path.into_owned(),
                };
                context.output.line(format_args!("  {place}"))?;
            }
        }
        None => {}
    }
    Ok(())
}

fn files(told: &Told, context: &mut Context) -> Result<()> {
    for file in &told.files {
        let path = escape::line(&file.path);
        let lines: Vec<_> = file.lines.iter().map(|line| format!("{path}:{line}")).collect();
        let state = match (&file.why, file.rewritten, file.is_transcript) {
            (Some(why), ..) => format!("still holds it: {}", escape::line(why)),
            (None, true, _) => "overwritten".to_owned(),
            (None, false, true) => {
                "transcript, still holds it (--transcripts overwrites)".to_owned()
            }
            (None, false, false) => "still holds it".to_owned(),
        };
        let place = if lines.is_empty() { path.into_owned() } else { lines.join(" ") };
        context.output.line(format_args!("  {place}: {state}"))?;
    }
    Ok(())
}
