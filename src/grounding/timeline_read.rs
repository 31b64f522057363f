//! That a session's agent read the timeline: an event like any other, and what a gate asks for.

use crate::event::{
    Body, Envelope, Event, ReadBy, SessionId, Source, TimelineCheckpoint, TimelineQueried,
};
use crate::grounding::timeline::{MemoryAnswer, TimelinePosition};
use crate::journal::{Project, RecordError, RecordReport, Recorder, clock};

/// Records, durably, that a session's agent asked and was answered; and, where it was given the
/// block of a position, that as well.
pub fn record_timeline_read(
    project: &Project,
    session: SessionId,
    answer: &MemoryAnswer,
    given: Option<&TimelinePosition>,
) -> Result<RecordReport, RecordError> {
    let queried = Body::TimelineQueried(TimelineQueried {
        query: answer.query.clone(),
        by: ReadBy::Asked,
        through_sequence: answer.through_sequence,
        returned: answer.returned(),
    });
    let checkpoint = given.map(|position| {
        Body::TimelineCheckpoint(TimelineCheckpoint {
            through_sequence: position.through_sequence,
            total_executions: position.total_executions,
            current_step: position.current_step,
        })
    });
    let envelope = Envelope::new(Some(session), Source::Live, clock::now_ms());
    let event = |body| Event { envelope: envelope.clone(), body };
    let mut recorder = Recorder::live(project)?;
    let report = recorder.record(checkpoint.into_iter().chain([queried]).map(event).collect())?;
    recorder.finish()?;
    Ok(report)
}
