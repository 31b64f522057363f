//! Names by which things are found again are kept as they are: one that is a secret is refused where
//! somebody can be told, and stands under another name where nobody can.

use crate::event::{Event, Redaction};
use crate::redact::Redactor;

/// The rule that envelopes count such names under.
const RULE: &str = "name";

/// Puts another name in the place of each that is, or holds, what looks like a secret. For what agents'
/// hooks and transcripts bring.
pub(super) fn conceal(event: &mut Event, redactor: &Redactor) {
    let mut count: u32 = 0;
    event.body.visit_names(&mut |_, name| {
        count = count.saturating_add(u32::from(redactor.conceal(name)));
    });
    if count > 0 {
        event.envelope.redactions.push(Redaction { rule: RULE.to_owned(), count });
    }
}

/// Which name of a live event is, or holds, what looks like a secret.
pub(super) fn secret(event: &mut Event, redactor: &Redactor) -> Option<&'static str> {
    let mut found = None;
    event.body.visit_names(&mut |what, name| {
        if found.is_none() && redactor.holds_secret(name) {
            found = Some(what);
        }
    });
    found
}
