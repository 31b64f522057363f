//! What a row of the log says besides the index, read from the journal where there is no log: of one execution that
//! takes less time than making all rows.

use super::fold::{arguments, artifacts};
use crate::event::Sequence;
use crate::execution::closed::{Closed, started_of};
use crate::store::catch_up::{CatchUpError, Starts, brought};
use crate::store::{Feed, StorePlaces};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTexts {
    pub arguments_json: String,
    pub error_message: Option<String>,
    /// Type and content.
    pub artifacts: Vec<(String, String)>,
}

impl RecordedTexts {
    /// Those of the execution that this event ends, whose start the index at these places finds; `None` where that is
    /// not there, or ends none.
    pub fn of(
        feed: &dyn Feed,
        places: &StorePlaces,
        ended: Sequence,
    ) -> Result<Option<Self>, CatchUpError> {
        let Some(recorded) = feed.get(ended)? else { return Ok(None) };
        let recorded = brought(feed, &recorded).unwrap_or(recorded);
        let started = Starts::through_index(places, ended)?.take(feed, &recorded)?;
        let Some(closed) = Closed::of(&recorded) else { return Ok(None) };
        // What cannot be brought is an anomaly, and told as one by the index.
        let mut anomalies = Vec::new();
        let artifacts = closed.closing.map_or(Vec::new(), |closing| {
            artifacts(&recorded, closed.execution, closing, &mut anomalies)
        });
        let text = |it: super::ArtifactRow<'_>| {
            (it.artifact_type.as_str().to_owned(), it.content_json.into_owned())
        };
        Ok(Some(Self {
            arguments_json: arguments(started_of(started.as_deref())).to_owned(),
            error_message: closed.error_message(),
            artifacts: artifacts.into_iter().map(text).collect(),
        }))
    }
}
