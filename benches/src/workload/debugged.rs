//! Debug memory: sessions of three attempts, one in ten escalated, the rest with something learnt.

use annals::internal::event::{
    Analysis, AnalysisRecorded, AttemptRecorded, Body, DebugAuthor, DebugSessionClosed,
    DebugSessionId, DebugSessionOpened, DebugStatus, Envelope, ErrorPattern, ErrorType, Event, Fix,
    FixApplied, LearningExtracted, Learnings, RootCause, Source, SourceLocation, TemplateTally,
    TestFailure, TestResults, Verification,
};

use super::Random;

/// When everything began.
const START_MS: u64 = 1_700_000_000_000;
/// Between two sessions.
const STEP_MS: u64 = 60_000;
/// Files of the source, tests and messages that there are.
const FILES: u64 = 5_000;
const TESTS: u64 = 20_000;
const MESSAGES: u64 = 2_000;

/// The debug session of a number, as its events tell it.
#[derive(Clone, Copy, Debug)]
pub struct Debugged(pub u64);

impl Debugged {
    /// Its id.
    pub fn id(self) -> DebugSessionId {
        DebugSessionId::v7(
            self.at_ms(),
            &(self.0 as u128).to_be_bytes()[6..].try_into().unwrap_or([0; 10]),
        )
    }

    /// When it began.
    pub fn at_ms(self) -> u64 {
        START_MS + self.0 * STEP_MS
    }

    /// The failure of its first attempt. One in twenty has the message that many have.
    pub fn failure(self) -> TestFailure {
        let mut random = Random::new(self.0);
        let message = match random.next() % 20 {
            0 => "Cannot read property 'length' of null".to_owned(),
            _ => {
                let number = random.next() % MESSAGES;
                let name = text(number);
                format!("expected {name} to equal 'other', at line {}", random.next() % 900)
            }
        };
        let file =
            format!("src/part{}/file{}.ts", random.next() % 50, random.next() % (FILES / 50));
        TestFailure {
            test_name: format!(
                "part {} rejects {}",
                random.next() % 50,
                random.next() % (TESTS / 50)
            ),
            test_file: Some(file.replace("src/", "test/")),
            test_line: Some(42),
            error_type: ErrorType::ALL[(random.next() % 12).min(8) as usize],
            error_message: message,
            stack_trace: Some("at validate (src/auth.ts:15:3)\n".repeat(8)),
            expected: Some("'one'".to_owned()),
            actual: Some("null".to_owned()),
            source_location: Some(SourceLocation {
                file: Some(file),
                line: Some(15),
                function: Some(format!("function{}", random.next() % 9)),
            }),
        }
    }

    /// Its events, a second apart.
    pub fn events(self) -> Vec<Event> {
        let (session, by) = (self.id(), DebugAuthor::Caller);
        let failure = self.failure();
        let file_path = failure.source_location.as_ref().and_then(|at| at.file.clone());
        let category = RootCause::ALL[(self.0 % 12) as usize];
        let attempt = |attempt: u32, failures: Vec<TestFailure>| {
            let failed = failures.len() as u64;
            Body::AttemptRecorded(AttemptRecorded {
                session,
                attempt,
                execution: None,
                code_hash: "ab".repeat(32),
                code_snapshot: None,
                environment: None,
                results: TestResults {
                    total: 10,
                    passed: 10 - failed,
                    failed,
                    ..Default::default()
                },
                failures,
            })
        };
        let fix = |attempt: u32| {
            let fix = Fix {
                description: "Added an early return for null input".to_owned(),
                diff_summary: Some("+3/-0 lines".to_owned()),
                files_changed: None,
                diff: None,
                verification: Some(Verification::Pending),
            };
            Body::FixApplied(FixApplied { session, attempt, by, fix, template: None })
        };
        let analysis = Analysis {
            root_cause: "the input's length is read before the check".to_owned(),
            root_cause_category: Some(category),
            fix_strategy: "check for null at the function's entry".to_owned(),
            confidence: Some(0.9),
            related_failures: None,
            similar_past_issues: None,
        };
        let mut bodies = vec![
            Body::DebugSessionOpened(DebugSessionOpened {
                session,
                file_path: file_path.unwrap_or_default(),
                attempts_max: 3,
                agent: Some("agent".to_owned()),
                task_id: None,
                ralph_iteration: None,
            }),
            attempt(1, vec![failure.clone()]),
            Body::AnalysisRecorded(AnalysisRecorded { session, attempt: 1, by, analysis }),
            fix(1),
            attempt(2, vec![failure.clone()]),
            fix(2),
        ];
        let escalated = self.0.is_multiple_of(10);
        bodies.push(attempt(3, if escalated { vec![failure] } else { Vec::new() }));
        let status = if escalated { DebugStatus::Escalated } else { DebugStatus::Passed };
        let (by, reason) = (DebugAuthor::Annals, None);
        bodies.push(Body::DebugSessionClosed(DebugSessionClosed { session, status, by, reason }));
        if !escalated {
            bodies.push(self.learnt(session, category));
        }
        let at_ms = self.at_ms();
        let event = |(step, body): (u64, Body)| {
            let envelope = Envelope::new(None, Source::Live, at_ms + 1_000 * step);
            Event { envelope, body }
        };
        (0..).zip(bodies).map(event).collect()
    }

    fn learnt(self, session: DebugSessionId, category: RootCause) -> Body {
        let pattern = format!("pattern {}", self.0 % MESSAGES);
        let tally = TemplateTally {
            pattern: pattern.clone(),
            successes: self.0 % 7,
            trials: self.0 % 7 + 1,
        };
        let patterns = vec![ErrorPattern {
            pattern,
            category: Some(category.as_str().to_owned()),
            frequency: 1,
            fix_template: Some("Add a null check: if (!input) return".to_owned()),
            effectiveness: None,
        }];
        Body::LearningExtracted(LearningExtracted {
            session,
            by: DebugAuthor::Annals,
            learnings: Learnings { patterns_identified: Some(patterns), ..Learnings::default() },
            tallies: vec![tally],
        })
    }
}

/// Letters, so that no two are the same once numbers are left out.
fn text(mut number: u64) -> String {
    let mut letters = String::from("w");
    for _ in 0..4 {
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    letters
}
