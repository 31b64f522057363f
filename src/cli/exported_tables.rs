//! The tables that other programs read, opened of the journals that are asked.

use std::rc::Rc;

use super::journals::Opened;
use super::scan::{self, project_of};
use super::{CliError, Context, Result, shown, sql, with_causes};
use crate::event::wire::hex_text;
use crate::journal::{JournalReader, Source, Testimony, audit};
use crate::store::sql::exported::Exported;
use crate::store::sql::{ExportedJournal, FreeSql};
use crate::stores::exported::{EXPORTED, make};

/// Those that a text names: putting the others together would be in vain.
pub fn open(
    opened: &[Opened],
    text: &str,
    timeout_seconds: u64,
    context: &mut Context,
) -> Result<FreeSql> {
    let text = text.to_ascii_lowercase();
    let tables: Vec<&Exported> =
        EXPORTED.iter().copied().filter(|it| text.contains(it.name)).collect();
    let once = once(opened, context)?;
    let journals = once.into_iter().map(|it| journal(it, &tables)).collect::<Result<Vec<_>>>()?;
    let stores = FreeSql::exported(&journals, &tables, sql::limits(timeout_seconds))?;
    for error in &stores.left_out {
        context.output.note(format_args!("left out: {}", with_causes(error)));
    }
    Ok(stores)
}

/// Of several copies of one journal the longest: what they share would count as often. A fork stays, and is told by who
/// opened them.
fn once<'a>(opened: &'a [Opened], context: &mut Context) -> Result<Vec<&'a Opened>> {
    let mut kept: Vec<(&Opened, JournalReader)> = Vec::new();
    for one in opened {
        let reader = JournalReader::reading(&one.journal, one.reading())?;
        let Some(at) = kept.iter().position(|(_, it)| it.id() == reader.id()) else {
            kept.push((one, reader));
            continue;
        };
        let (before, known) = &kept[at];
        let is_within = |short: &JournalReader, long: &JournalReader| {
            Ok::<_, CliError>(long.mark_at(short.mark().sequence)? == Some(short.mark()))
        };
        let (is_short, is_long) = (is_within(&reader, known)?, is_within(known, &reader)?);
        let longer = if is_short { *before } else { one };
        // What the longer one lost, the other may have.
        let audit = audit(&longer.journal, longer.reading(), Testimony::default())?;
        let left_out = match (is_short, is_long) {
            (true, _) if !audit.is_damaged() => shown(&one.journal),
            (false, true) if !audit.is_damaged() => shown(&before.journal),
            _ => {
                kept.push((one, reader));
                continue;
            }
        };
        context
            .output
            .note(format_args!("{left_out} is left out: another copy of it has all that it has"));
        if !is_within(&reader, &kept[at].1)? {
            kept[at] = (one, reader);
        }
    }
    Ok(kept.into_iter().map(|(one, _)| one).collect())
}

/// What an exported row says of the journal that it is of, with what these tables need beside its stores.
pub fn journal<'a>(opened: &'a Opened, tables: &[&Exported]) -> Result<ExportedJournal<'a>> {
    let reader = Rc::new(JournalReader::reading(&opened.journal, opened.reading())?);
    let machine = reader.created().map(|it| it.machine).unwrap_or_default();
    // What its project adds to the rules; of a copy of a journal alone nothing does.
    let source = Source::of(project_of(&opened.journal)).ok();
    let beside = make(&reader, &scan::redactor_of(source)?, tables)?;
    Ok(ExportedJournal { id: hex_text(&reader.id()), machine, places: &opened.places, beside })
}
