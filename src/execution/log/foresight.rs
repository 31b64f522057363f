//! What of a row depends on its events alone: what was printed, as JSON, and whether texts are JSON at all.

use std::sync::Arc;

use super::fold::{NO_ARGUMENTS, printed};
use super::{ArtifactRow, ArtifactType};
use crate::event::{Content, Recorded, Sequence};
use crate::execution::closed::{Closed, started_of};
use crate::execution::json;
use crate::parse::content::artifact_json;
use crate::store;

#[derive(Debug)]
pub(super) struct Foreseen {
    at: Sequence,
    printed: Vec<(ArtifactType, String)>,
    /// Its diagnostics are a list.
    has_list: bool,
    /// The arguments of its call are what the column takes.
    has_object: bool,
}

impl Foreseen {
    /// That of an event, where it is its.
    pub fn of(foreseen: Option<&store::Foreseen>, at: Sequence) -> Option<&Self> {
        foreseen?.downcast_ref::<Self>().filter(|it| it.at == at)
    }

    pub fn artifacts<'a>(&'a self, closed: Closed<'a>) -> Vec<ArtifactRow<'a>> {
        let row = |(artifact_type, json): &'a (ArtifactType, String)| ArtifactRow {
            artifact_type: *artifact_type,
            content_json: json.as_str().into(),
        };
        let list = closed.closing.and_then(|it| it.diagnostics.as_ref());
        let list = list.filter(|_| self.has_list).map(|it| ArtifactRow {
            artifact_type: ArtifactType::Diagnostics,
            content_json: it.0.as_str().into(),
        });
        self.printed.iter().map(row).chain(list).collect()
    }

    pub fn arguments<'a>(&self, start: Option<&'a str>) -> &'a str {
        start.filter(|_| self.has_object).unwrap_or(NO_ARGUMENTS)
    }
}

#[derive(Debug)]
pub(super) struct Foresight;

impl store::Foresight for Foresight {
    fn of(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Option<store::Foreseen> {
        let closed = Closed::of(recorded)?;
        // What lies elsewhere is brought for the fold, and what cannot be read it tells.
        if recorded.event.body.contents().any(Content::lies_elsewhere) {
            return None;
        }
        let read = |(kind, content)| Some((kind, artifact_json(content)?));
        let printed: Option<_> = closed.closing.into_iter().flat_map(printed).map(read).collect();
        let diagnostics = closed.closing.and_then(|it| it.diagnostics.as_ref());
        let has_list = diagnostics.is_some_and(|it| json::is_array(&it.0));
        let has_object = started_of(started).is_some_and(|it| json::is_object(&it.arguments.0));
        Some(Arc::new(Foreseen { at: recorded.sequence, printed: printed?, has_list, has_object }))
    }
}
