//! What is given of a session, an attempt, a fix, a learning.

mod checked_attempt;

use serde::de::DeserializeOwned;

use crate::debug::documents::one_json;
use crate::debug::fields::refused;
use crate::debug::limits::DIFF_BYTES_MAX;
use crate::debug::schema::held_to_shape;
use crate::debug::{DebugError, fields};
use crate::event::{
    Analysis, DebugEnvironment, DebugSessionId, ExecutionId, Fix, Learnings, SimilarIssue,
    TemplateRef, TemplateTally, TestFailure, TestResults, Verification,
};

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

/// JSON that a caller gives for a field, in the schema's shape: `execution`, `environment`,
/// `test_results`, `failures`, `analysis`, `fix_applied`, `learnings`, `recurring_failures`,
/// `code_quality_issues`; of the lists also one item. Any other field is only read.
pub fn given_json<T: DeserializeOwned>(field: &str, text: &str) -> Result<T, DebugError> {
    let wrong = |why: String| DebugError::Field {
        field: field.to_owned(),
        why: format!("is not as the contract's schema has it: {why}"),
    };
    let value = one_json(text).map_err(wrong)?;
    held_to_shape(field, &value)?;
    // From the text: a number that goes through a float may not come back the same.
    serde_json::from_str(text).map_err(|error| wrong(error.to_string()))
}

/// What is given of a session that is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenGiven {
    /// `None`: a new one.
    pub session: Option<DebugSessionId>,
    /// The primary file: relative to the project's root with `/` where it lies below it; kept as it
    /// is given where it does not.
    pub file_path: String,
    /// `None`: as the settings have it. 1 at least.
    pub attempts_max: Option<u32>,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    pub ralph_iteration: Option<i64>,
}

/// What is given of an attempt: its number follows from its session. What is longer than the limits is
/// cut and says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttemptGiven {
    /// The recorded execution of the tests, where there is one.
    pub execution: Option<ExecutionId>,
    /// SHA-256 of the code in hexadecimal digits, or what the caller has.
    pub code_hash: String,
    /// The code itself, where it is to be kept.
    pub code_snapshot: Option<Vec<u8>>,
    pub environment: Option<DebugEnvironment>,
    pub results: TestResults,
    pub failures: Vec<TestFailure>,
}

/// What is given of a fix. Its verification is pending where nothing is said.
#[derive(Clone, Debug, PartialEq)]
pub struct FixGiven {
    pub fix: Fix,
    /// The template that it was made from. `None`: where annals had proposed one for the same attempt,
    /// and the fix has the same description, that one.
    pub template: Option<TemplateRef>,
}

/// What is given of what was learnt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearnGiven {
    pub learnings: Learnings,
    /// How often templates were tried before, by the names of their patterns.
    pub tallies: Vec<TemplateTally>,
}
