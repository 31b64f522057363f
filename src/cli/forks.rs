//! Journals of one id that part: what one of them says, the other may have otherwise.

use super::{Context, quote, shown};
use crate::journal::Source;

/// Whether they part; that is told.
pub fn note(sources: &[Source], context: &mut Context) -> bool {
    let read = |source| (source, Source::reading(source, context.evidence));
    let read: Vec<_> = sources.iter().map(read).collect();
    let Some((one, other, fork)) = crate::store::verify::parted(&read) else {
        return false;
    };
    let name = |at: usize| shown(&sources[at].given);
    let what = format!(
        "{} and {} are one journal that parted after event @{}",
        name(one),
        name(other),
        fork.after.0
    );
    let word = |at: usize| quote::word(&name(at));
    let next = format!("annals verify {} {}", word(one), word(other));
    context.output.lacks(&what);
    context.output.note(format_args!("{what}: each lacks what the other has. Next: {next}"));
    true
}
