//! A failure that others are held against, as far as it is told.

use super::{CauseKey, cause_of};
use crate::event::{DebugDocument, ErrorType, SourceLocation, TestFailure};
use crate::parse::check::cause::{Cause, NOT_BUILT};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimilarAsked {
    pub error_type: Option<ErrorType>,
    pub error_message: Option<String>,
    pub test_name: Option<String>,
    pub file: Option<String>,
    pub function: Option<String>,
}

impl From<&TestFailure> for SimilarAsked {
    fn from(failure: &TestFailure) -> Self {
        let at = failure.source_location.clone().unwrap_or_default();
        // A package is no test, and that it was not built is no cause.
        let is_told = failure.error_message != NOT_BUILT;
        Self {
            error_type: Some(failure.error_type),
            error_message: is_told.then(|| failure.error_message.clone()),
            test_name: is_told.then(|| failure.test_name.clone()),
            file: at.file,
            function: at.function,
        }
    }
}

impl SimilarAsked {
    pub fn last_of(document: &DebugDocument) -> Vec<Self> {
        let told = document.executions.iter().rev().find_map(|it| it.failures.as_ref());
        told.into_iter().flatten().map(Self::from).collect()
    }

    /// What would be wrong there: of a message alone one of each type.
    pub fn causes(&self) -> Vec<Cause> {
        let message = self.error_message.clone().filter(|it| !it.trim().is_empty());
        let Some(error_message) = message else { return Vec::new() };
        let types = self.error_type.map_or_else(|| ErrorType::ALL.to_vec(), |it| vec![it]);
        let file = self.file.clone();
        let of_type = |error_type| {
            cause_of(&TestFailure {
                test_name: self.test_name.clone().unwrap_or_default(),
                test_file: None,
                test_line: None,
                error_type,
                error_message: error_message.clone(),
                stack_trace: None,
                expected: None,
                actual: None,
                source_location: Some(SourceLocation { file: file.clone(), ..Default::default() }),
            })
        };
        types.into_iter().map(of_type).collect()
    }

    pub(super) fn keys(&self) -> Vec<CauseKey> {
        let mut keys: Vec<CauseKey> = self.causes().iter().map(Cause::key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}
