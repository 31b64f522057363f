//! What is given of an analysis, a fix, a learning, checked.

use super::{FixGiven, LearnGiven};
use crate::debug::fields::refused;
use crate::debug::limits::DIFF_BYTES_MAX;
use crate::debug::{DebugError, fields};
use crate::event::{Analysis, SimilarIssue, TemplateTally, Verification};

/// An analysis as it is recorded.
pub(crate) fn checked_analysis(mut it: Analysis) -> Result<Analysis, DebugError> {
    fields::reason("root_cause", &it.root_cause)?;
    fields::reason("fix_strategy", &it.fix_strategy)?;
    fields::share("confidence", it.confidence, 1.0)?;
    fields::list("related_failures", &mut it.related_failures, |at, name| fields::name(at, name))?;
    fields::list("similar_past_issues", &mut it.similar_past_issues, |at, issue| {
        if *issue == SimilarIssue::default() {
            return refused(at, "says nothing");
        }
        let texts = [
            ("session_id", &issue.session_id),
            ("file", &issue.file),
            ("resolution", &issue.resolution),
        ];
        given(at, &texts)
    })?;
    Ok(it)
}

impl FixGiven {
    /// A fix as it is recorded.
    pub(crate) fn checked(mut self) -> Result<Self, DebugError> {
        let it = &mut self.fix;
        fields::text("description", &it.description)?;
        if let Some(summary) = &it.diff_summary {
            fields::word("diff_summary", summary)?;
        }
        if let Some(diff) = &it.diff {
            fields::at_most("diff", diff, DIFF_BYTES_MAX)?;
        }
        fields::list("files_changed", &mut it.files_changed, |at, path| fields::path(at, path))?;
        it.verification.get_or_insert(Verification::Pending);
        Ok(self)
    }
}

impl LearnGiven {
    /// Learnings as they are recorded.
    pub(crate) fn checked(mut self) -> Result<Self, DebugError> {
        let it = &mut self.learnings;
        fields::list("patterns_identified", &mut it.patterns_identified, |at, pattern| {
            fields::name(&format!("{at}.pattern"), &pattern.pattern)?;
            given(at, &[("category", &pattern.category), ("fix_template", &pattern.fix_template)])?;
            if pattern.frequency == 0 {
                return refused(&format!("{at}.frequency"), "is 0; it must be 1 at least");
            }
            fields::count(&format!("{at}.frequency"), pattern.frequency)?;
            fields::share(&format!("{at}.effectiveness"), pattern.effectiveness, 1.0)
        })?;
        fields::list("recurring_failures", &mut it.recurring_failures, |at, failure| {
            fields::signed(&format!("{at}.occurrences"), failure.occurrences)?;
            given(at, &[("test", &failure.test), ("notes", &failure.notes)])
        })?;
        fields::list("code_quality_issues", &mut it.code_quality_issues, |at, issue| {
            given(at, &[("issue", &issue.issue), ("location", &issue.location)])
        })?;
        fields::list("recommendations", &mut it.recommendations, |at, told| {
            fields::text(at, told)
        })?;
        let nothing = it.patterns_identified.is_none()
            && it.recurring_failures.is_none()
            && it.code_quality_issues.is_none()
            && it.recommendations.is_none();
        if nothing {
            return refused(
                "learnings",
                "say nothing: tell a pattern, a failure, an issue or advice",
            );
        }
        for (at, tally) in self.tallies.iter().enumerate() {
            self.checked_tally(&format!("tallies[{at}]"), tally)?;
        }
        Ok(self)
    }

    fn checked_tally(&self, field: &str, tally: &TemplateTally) -> Result<(), DebugError> {
        fields::count(field, tally.trials)?;
        if tally.successes > tally.trials {
            return refused(field, "has more successes than trials");
        }
        let mut patterns = self.learnings.patterns_identified.iter().flatten();
        match patterns.any(|pattern| pattern.pattern == tally.pattern) {
            true => Ok(()),
            false => refused(field, "is of no pattern that is told"),
        }
    }
}

fn given(field: &str, texts: &[(&str, &Option<String>)]) -> Result<(), DebugError> {
    texts.iter().try_for_each(|(name, told)| match told {
        Some(told) => fields::text(&format!("{field}.{name}"), told),
        None => Ok(()),
    })
}
