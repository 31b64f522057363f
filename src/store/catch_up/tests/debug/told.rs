//! A history of debug memory, told step by step.

use super::super::history::{NOW_MS, event};
use super::super::{caught_up, places};
use super::history::session;
use crate::event::*;
use crate::execution::query::Stores;
use crate::store::StorePlaces;
use crate::store::feed::memory::MemoryFeed;

/// A history of debug memory: each event a second after the one before.
pub struct Told {
    feed: MemoryFeed,
    pub at_ms: u64,
    pub folder: tempfile::TempDir,
}

impl Told {
    pub fn new() -> Self {
        let (feed, folder) = (MemoryFeed::new(1), tempfile::tempdir().unwrap());
        Self { feed, at_ms: NOW_MS, folder }
    }

    /// Adds an event; when it was.
    pub fn tell(&mut self, body: Body) -> u64 {
        self.at_ms += 1_000;
        self.feed.commit(vec![event(self.at_ms, None, body)]);
        self.at_ms
    }

    pub fn open(&mut self, id: u8, file_path: &str) -> u64 {
        let (session, file_path) = (session(id), file_path.to_owned());
        let (agent, task_id) = (Some("agent".to_owned()), None);
        self.tell(Body::DebugSessionOpened(DebugSessionOpened {
            session,
            file_path,
            attempts_max: 3,
            agent,
            task_id,
            ralph_iteration: None,
        }))
    }

    pub fn attempt(&mut self, id: u8, attempt: u32, failures: Vec<TestFailure>) -> u64 {
        let failed = failures.len() as u64;
        let (total, passed) = (failed + 9, 9);
        self.tell(Body::AttemptRecorded(AttemptRecorded {
            session: session(id),
            attempt,
            execution: None,
            code_hash: "ab".repeat(32),
            code_snapshot: None,
            environment: None,
            results: TestResults { total, passed, failed, ..TestResults::default() },
            failures,
        }))
    }

    pub fn analyse(&mut self, id: u8, attempt: u32, by: DebugAuthor, root_cause: &str) -> u64 {
        let analysis = Analysis {
            root_cause: root_cause.to_owned(),
            root_cause_category: Some(RootCause::NullUndefinedAccess),
            fix_strategy: "Check for null at the entry".to_owned(),
            confidence: None,
            related_failures: None,
            similar_past_issues: None,
        };
        let session = session(id);
        self.tell(Body::AnalysisRecorded(AnalysisRecorded { session, attempt, by, analysis }))
    }

    pub fn fix(&mut self, id: u8, attempt: u32, template: Option<TemplateRef>) -> u64 {
        let fix = Fix {
            description: format!("what helped after attempt {attempt}"),
            diff_summary: None,
            files_changed: None,
            diff: None,
            verification: Some(Verification::Pending),
        };
        let (session, by) = (session(id), DebugAuthor::Caller);
        self.tell(Body::FixApplied(FixApplied { session, attempt, by, fix, template }))
    }

    pub fn verify(&mut self, id: u8, attempt: u32, verification: Verification) -> u64 {
        let (session, by) = (session(id), DebugAuthor::Annals);
        self.tell(Body::FixVerified(FixVerified { session, attempt, by, verification }))
    }

    pub fn close(&mut self, id: u8, status: DebugStatus) -> u64 {
        let (session, by, reason) = (session(id), DebugAuthor::Annals, None);
        self.tell(Body::DebugSessionClosed(DebugSessionClosed { session, status, by, reason }))
    }

    pub fn expire(&mut self, id: u8) -> u64 {
        let (session, updated_ms, days, archived) = (session(id), self.at_ms, 30, None);
        let expired = DebugSessionExpired { session, updated_ms, days, archived };
        self.tell(Body::DebugSessionExpired(expired))
    }

    pub fn import(&mut self, id: u8, document: &str) -> u64 {
        let (session, native_id) = (session(id), Some(format!("dm-{id}")));
        let document = Json(document.to_owned());
        let imported = DebugSessionImported { session, native_id, document };
        self.tell(Body::DebugSessionImported(imported))
    }

    /// A pattern with its template, and how often that worked of so many trials.
    pub fn learn(
        &mut self,
        id: u8,
        by: DebugAuthor,
        name: &str,
        counted: Option<(u64, u64)>,
    ) -> u64 {
        self.learn_template(id, by, name, "Add a null check", counted)
    }

    /// The same with this template.
    pub fn learn_template(
        &mut self,
        id: u8,
        by: DebugAuthor,
        name: &str,
        template: &str,
        counted: Option<(u64, u64)>,
    ) -> u64 {
        let pattern = ErrorPattern {
            pattern: name.to_owned(),
            category: Some("null_undefined_access".to_owned()),
            frequency: 1,
            fix_template: Some(template.to_owned()),
            effectiveness: None,
        };
        let tally =
            |(successes, trials)| TemplateTally { pattern: name.to_owned(), successes, trials };
        self.tell(Body::LearningExtracted(LearningExtracted {
            session: session(id),
            by,
            learnings: Learnings {
                patterns_identified: Some(vec![pattern]),
                ..Learnings::default()
            },
            tallies: counted.map(tally).into_iter().collect(),
        }))
    }

    pub fn try_template(&mut self, id: u8, attempt: u32, of: &TemplateRef, worked: bool) -> u64 {
        let (session, template) = (session(id), of.clone());
        self.tell(Body::TemplateTried(TemplateTried { session, attempt, template, worked }))
    }

    pub fn feed(&self) -> &MemoryFeed {
        &self.feed
    }

    pub fn places(&self) -> StorePlaces {
        places(self.folder.path())
    }

    /// The stores, caught up.
    pub fn stores(&self) -> Stores {
        caught_up(&self.places(), &self.feed);
        Stores::open(&self.places()).unwrap()
    }

    pub fn document(&self, id: u8) -> Option<DebugDocument> {
        self.stores().debug().document(session(id)).unwrap()
    }

    /// What could not be taken, in order.
    pub fn anomalies(&self) -> Vec<String> {
        let found = self.stores().anomalies(100).unwrap();
        found.into_iter().map(|anomaly| format!("{}: {}", anomaly.kind, anomaly.message)).collect()
    }
}

/// A test that failed, `src/auth.rs:15` in `validate`.
pub fn failure(error_type: ErrorType, message: &str, file: &str) -> TestFailure {
    TestFailure {
        test_name: "rejects null".to_owned(),
        test_file: None,
        test_line: None,
        error_type,
        error_message: message.to_owned(),
        stack_trace: None,
        expected: None,
        actual: None,
        source_location: Some(SourceLocation {
            file: Some(file.to_owned()),
            line: Some(15),
            function: Some("validate".to_owned()),
        }),
    }
}

pub fn template(id: u8, pattern: &str) -> TemplateRef {
    TemplateRef { session: session(id), pattern: pattern.to_owned() }
}
