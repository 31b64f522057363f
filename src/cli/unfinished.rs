//! A redaction that was begun and has not ended: whoever opens the journal does the rest.

use super::{Context, shown, with_causes};
use crate::journal::{Project, redaction, withheld};
use crate::stores::redaction::{Left, finish};

/// Carries out the rest of a redaction that was begun and has not ended: somebody died, or had a store open.
pub fn end(project: &Project, context: &mut Context) {
    if !redaction::is_unfinished(project) || !(project.is_at_home() || is_ordered_here(project)) {
        return;
    }
    match finish(project, &context.cache) {
        Ok(done) => {
            for Left { path, why } in done.may_hold() {
                let path = shown(&path);
                context.output.note(format_args!("{path} may hold what is redacted: {why}"));
            }
        }
        Err(error) => {
            let why = with_causes(&error);
            context.output.note(format_args!("a redaction is not finished: {why}"));
        }
    }
}

/// Whether this user redacted something in this very folder: then what a death left is carried out there, wherever
/// the journal was made.
fn is_ordered_here(project: &Project) -> bool {
    let reader = project.reader();
    reader.is_ok_and(|reader| withheld::is_ordered_in(&project.journal_dir(), &reader.id()))
}
