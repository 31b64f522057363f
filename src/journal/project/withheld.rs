//! What is taken out before anything is recorded, and what was redacted once, as a project asks for it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::Project;
use crate::event::Event;
use crate::journal::withheld::{self, Stamp, Withheld};
use crate::redact::Redactor;

/// What is known of secrets, read again where the file of what is withheld is another by now: who records for
/// hours learns what was redacted meanwhile.
#[derive(Default)]
pub(super) struct Secrets(Mutex<Option<Known>>);

/// As it was known at one moment: what is redacted later overtakes the append that goes by it.
#[derive(Clone)]
pub struct Known {
    path: Option<PathBuf>,
    stamp: Stamp,
    withheld: Option<Arc<Withheld>>,
    pub redactor: Arc<Redactor>,
}

impl Known {
    /// Whether an event was redacted before and must not come back.
    pub fn is_withheld(&self, event: &Event, project: &Project) -> bool {
        // What cannot be appended to does not take it back either.
        let journal = || Some(project.journal().ok()?.id());
        self.withheld.as_deref().is_some_and(|withheld| withheld.holds(event, journal))
    }
}

impl Project {
    /// What takes secrets out, by its settings and by what is withheld now: whoever appends asks for it anew.
    pub fn redactor(&self) -> Arc<Redactor> {
        self.secrets().redactor
    }

    pub fn secrets(&self) -> Known {
        let mut known = self.secrets.0.lock().unwrap_or_else(PoisonError::into_inner);
        let path = known.as_ref().map_or_else(withheld::file, |it| it.path.clone());
        let stamp = path.as_deref().map(Stamp::of).unwrap_or_default();
        match &*known {
            Some(known) if known.stamp == stamp => known.clone(),
            _ => {
                let before = known.take().and_then(|it| it.withheld);
                // Recording does not wait for what cannot be read: `status` tells of it, and what was known stays.
                let read = path.as_deref().map_or(Ok(None), Withheld::read);
                let withheld = read.map_or(before, |it| it.map(Arc::new));
                let values = withheld.as_deref().map(Withheld::values);
                let redactor = Redactor::new(self.settings.patterns()).knowing(values);
                let redactor = Arc::new(redactor);
                known.insert(Known { path, stamp, withheld, redactor }).clone()
            }
        }
    }
}
