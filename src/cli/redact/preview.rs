//! What would go, shown without the secret.

use super::super::{Context, Result, counted};
use super::outcome::Told;
use crate::output::escape;
use crate::output::stream::Colour;

/// As many places are printed; all are in the JSON.
const PRINTED_MAX: usize = 50;

pub fn show(told: &Told, context: &mut Context) -> Result<()> {
    for it in told.occurrences.iter().take(PRINTED_MAX) {
        let place = context.output.paint(Colour::Bold, format!("@{}", it.sequence));
        let (field, around) = (escape::line(&it.field), escape::line(&it.around));
        let form = match &it.rule {
            Some(rule) => format!("{}, {}", it.form, escape::line(rule)),
            None => it.form.to_owned(),
        };
        context.output.line(format_args!("{place} {} {field} ({form})  {around}", it.kind))?;
    }
    let more = told.occurrences_count.saturating_sub(PRINTED_MAX as u64);
    if more > 0 {
        context.output.line(format_args!("… and {}", counted(more, "more place")))?;
    }
    if told.occurrences.is_empty() && !told.records.is_empty() {
        let named = told.records.iter().take(PRINTED_MAX).map(|at| format!("@{at}"));
        context.output.line(named.collect::<Vec<_>>().join(" "))?;
    }
    let records = counted(told.records.len() as u64, "record");
    let places = counted(told.occurrences_count, "place");
    context
        .output
        .line(format_args!("{records} would be destroyed, with the value in {places}"))?;
    for (list, what) in [
        (&told.along, "with them, since they only refer to a content of these"),
        (&told.repeated, "later records that repeat another content of these, and keep it"),
    ] {
        if !list.is_empty() {
            let shown: Vec<_> = list.iter().take(PRINTED_MAX).map(|at| format!("@{at}")).collect();
            let (count, shown) = (list.len(), shown.join(" "));
            context.output.line(format_args!("  {what}: {count}, {shown}"))?;
        }
    }
    if told.unread > 0 {
        let places = counted(told.unread, "place");
        context.output.line(format_args!("{places} of the journal could not be read"))?;
    }
    Ok(())
}
