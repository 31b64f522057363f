//! The tables that other programs read, opened of the journals that are asked.

use super::journals::Opened;
use super::{Context, Result, sql, with_causes};
use crate::event::wire::hex_text;
use crate::journal::JournalReader;
use crate::store::sql::exported::Exported;
use crate::store::sql::{ExportedJournal, FreeSql};
use crate::stores::exported::EXPORTED;

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
    let journals = opened.iter().map(journal).collect::<Result<Vec<_>>>()?;
    let stores = FreeSql::exported(&journals, &tables, sql::limits(timeout_seconds))?;
    for error in &stores.left_out {
        context.output.note(format_args!("left out: {}", with_causes(error)));
    }
    Ok(stores)
}

/// What an exported row says of the journal that it is of.
pub fn journal(opened: &Opened) -> Result<ExportedJournal<'_>> {
    let reader = JournalReader::reading(&opened.journal, opened.reading())?;
    let machine = reader.created().map(|it| it.machine).unwrap_or_default();
    Ok(ExportedJournal { id: hex_text(&reader.id()), machine, places: &opened.places })
}
