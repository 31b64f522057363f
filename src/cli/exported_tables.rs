//! The tables that other programs read, opened of the journals that are asked.

use std::rc::Rc;

use super::journals::Opened;
use super::scan::{self, project_of};
use super::{Context, Result, sql, with_causes};
use crate::event::wire::hex_text;
use crate::journal::{JournalReader, Source};
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
    let journals = opened.iter().map(|it| journal(it, &tables)).collect::<Result<Vec<_>>>()?;
    let stores = FreeSql::exported(&journals, &tables, sql::limits(timeout_seconds))?;
    for error in &stores.left_out {
        context.output.note(format_args!("left out: {}", with_causes(error)));
    }
    Ok(stores)
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
