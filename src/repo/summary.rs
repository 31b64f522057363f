//! What a step came to, said by whoever asks for it to be kept.

use super::limits::{SUMMARY_BYTES_MAX, SUMMARY_CHARS_MIN};
use super::{RepoDone, RepoError, RepoWriter, fields};
use crate::event::{Body, RepoHash, SummaryAppended, SummaryMaker};
use crate::redact::end_of_head;
use crate::repo::query::{RepoView, Summary};

impl RepoWriter<'_, '_> {
    /// Keeps a summary of a step of a run. Of one that is longer than the settings say its beginning is
    /// kept, and how much was left out.
    pub fn append_summary(
        &mut self,
        repo: Option<RepoHash>,
        run_id: &str,
        step_id: &str,
        text: &str,
    ) -> Result<RepoDone<Summary>, RepoError> {
        for (field, name) in [("runId", run_id), ("stepId", step_id)] {
            fields::run(field, name)?;
            self.is_no_secret(field, name)?;
        }
        if text.trim().is_empty() {
            return fields::refused("summary", "is empty: say something");
        }
        if text.len() > SUMMARY_BYTES_MAX {
            let why = format!("has {} bytes; {SUMMARY_BYTES_MAX} at most", text.len());
            return fields::refused("summary", &why);
        }
        let whose = {
            let index = self.index()?;
            self.whose(repo, RepoView::of(&index))?
        };
        let repo = whose.repo;
        let chars_max = self.project.config().repo.summary_max_chars;
        let summary = match text.chars().count() as u64 > chars_max {
            // A secret that is cut in two would not be known as one any more.
            true => cut_summary(&self.recorder.redactor().redact_text(text), chars_max),
            false => text.to_owned(),
        };
        let body = Body::SummaryAppended(SummaryAppended {
            repo,
            run_id: run_id.to_owned(),
            step_id: step_id.to_owned(),
            summary,
            made_by: SummaryMaker::Caller,
            step: None,
            through: None,
            created_ms: None,
        });
        let sequence = self.commit(whose.identified.into_iter().chain([body]).collect())?;
        let unread = |source| {
            let sequence = sequence.map_or(0, |sequence| sequence.0);
            RepoError::Unread { sequence, source: Box::new(source) }
        };
        let found = self.index().map_err(unread)?;
        let (after, through) = match sequence {
            Some(last) => (crate::event::Sequence(last.0 - 1), last),
            None => (crate::event::Sequence(0), crate::event::Sequence(0)),
        };
        let found = RepoView::of(&found).summaries_after(repo, after, through, 1);
        let found = found.map_err(|error| unread(error.into()))?;
        let gone = RepoError::Gone { sequence: through.0 };
        let (_, done) = found.into_iter().next().ok_or(gone)?;
        Ok(RepoDone { done, repo, sequence })
    }
}

/// A summary of at most so many characters (200 at least): what is left out is counted at its end.
pub fn cut_summary(text: &str, chars_max: u64) -> String {
    let chars_max = usize::try_from(chars_max).unwrap_or(usize::MAX).max(SUMMARY_CHARS_MIN);
    let count = text.chars().count();
    if count <= chars_max {
        return text.to_owned();
    }
    // The longest that the note can be is taken off first: then it fits whatever it counts.
    let note = |left: usize| format!("\n[{left} more characters were left out]");
    let kept = chars_max.saturating_sub(note(count).len());
    let end = text.char_indices().nth(kept).map_or(text.len(), |(at, _)| at);
    let begin = &text[..text.floor_char_boundary(end_of_head(text.as_bytes(), end))];
    format!("{begin}{}", note(count - begin.chars().count()))
}
