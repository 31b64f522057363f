//! Histories of debug memory: three sessions, few attempts, patterns and files, so that everything is
//! tried, in every order.

use proptest::prelude::*;

use crate::event::*;
use crate::store::catch_up::tests::history::{NOW_MS, event, execution_id};
use crate::store::feed::memory::MemoryFeed;

pub fn session(number: u8) -> DebugSessionId {
    DebugSessionId::v7(NOW_MS + u64::from(number), &[number; 10])
}

fn any_text() -> impl Strategy<Value = String> {
    prop::sample::select(
        &["", "short", "a text that is long enough", "nul\0", "größe \u{1f600}", "../../x"][..],
    )
    .prop_map(str::to_owned)
}

fn any_fraction() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.0..=1.0_f64,
        1 => prop::sample::select(&[f64::NAN, f64::INFINITY, -3.0, 1e300, 0.1 + 0.2, 1e-300][..]),
    ]
}

fn any_author() -> impl Strategy<Value = DebugAuthor> {
    prop::sample::select(DebugAuthor::ALL)
}

fn any_failure() -> impl Strategy<Value = TestFailure> {
    let at = (prop::option::of(any_file()), prop::option::of(any_text()))
        .prop_map(|(file, function)| SourceLocation { file, line: Some(7), function });
    (any_text(), prop::sample::select(ErrorType::ALL), any_text(), prop::option::of(at)).prop_map(
        |(test_name, error_type, error_message, source_location)| TestFailure {
            test_name,
            test_file: None,
            test_line: None,
            error_type,
            error_message,
            stack_trace: None,
            expected: None,
            actual: None,
            source_location,
        },
    )
}

fn any_file() -> impl Strategy<Value = String> {
    prop::sample::select(&["src/a.rs", "src/b.rs", "odd\0"][..]).prop_map(str::to_owned)
}

fn any_attempt() -> impl Strategy<Value = Body> {
    let additional = prop::sample::select(
        &[r#"{"b":1,"a":0.30000000000000004}"#, "{ \"z\" : 1e400 }", "[1]", "no JSON", "{}"][..],
    );
    let environment = prop::option::of((prop::option::of(any_text()), additional));
    let code = prop::sample::select(vec![
        Content::Inline(b"fn main() {}\n\xff".to_vec()),
        Content::Blob { hash: [7; 32], len: 70_000 },
        Content::Truncated { head: b"he".to_vec(), tail: b"il".to_vec(), len: 99 },
    ]);
    let (id, attempt) = (0..3_u8, 0..4_u32);
    let failures = prop::collection::vec(any_failure(), 0..3);
    (id, attempt, prop::option::of(code), environment, failures, prop::option::of(any_fraction()))
        .prop_map(|(id, attempt, code_snapshot, environment, failures, coverage_percent)| {
            let failed = failures.len() as u64;
            Body::AttemptRecorded(AttemptRecorded {
                session: session(id),
                attempt,
                execution: Some(execution_id(id)),
                code_hash: "ab".repeat(32),
                code_snapshot,
                environment: environment.map(|(runtime, additional)| DebugEnvironment {
                    runtime,
                    additional: Some(Json(additional.to_owned())),
                    ..DebugEnvironment::default()
                }),
                results: TestResults { total: 9, failed, coverage_percent, ..Default::default() },
                failures,
            })
        })
}

fn any_analysis() -> impl Strategy<Value = Body> {
    let category = prop::option::of(prop::sample::select(RootCause::ALL));
    let told = (any_text(), any_text(), category, prop::option::of(any_fraction()));
    (0..3_u8, 1..4_u32, any_author(), told).prop_map(
        |(id, attempt, by, (root_cause, fix_strategy, root_cause_category, confidence))| {
            let analysis = Analysis {
                root_cause,
                root_cause_category,
                fix_strategy,
                confidence,
                related_failures: Some(Vec::new()),
                similar_past_issues: Some(vec![SimilarIssue::default()]),
            };
            Body::AnalysisRecorded(AnalysisRecorded { session: session(id), attempt, by, analysis })
        },
    )
}

fn any_template() -> impl Strategy<Value = TemplateRef> {
    (0..3_u8, any_text()).prop_map(|(id, pattern)| TemplateRef { session: session(id), pattern })
}

fn any_fix() -> impl Strategy<Value = Body> {
    let verification = prop::option::of(prop::sample::select(Verification::ALL));
    let told = (any_text(), verification, prop::option::of(any_template()));
    (0..3_u8, 1..4_u32, any_author(), told).prop_map(
        |(id, attempt, by, (description, verification, template))| {
            let files_changed = Some(Vec::new());
            let (diff, diff_summary) = (None, Some("+1/-0 lines".to_owned()));
            let fix = Fix { description, diff_summary, files_changed, diff, verification };
            Body::FixApplied(FixApplied { session: session(id), attempt, by, fix, template })
        },
    )
}

fn any_learning() -> impl Strategy<Value = Body> {
    let pattern = (any_text(), 0..5_u64, prop::option::of(any_fraction())).prop_map(
        |(pattern, frequency, effectiveness)| ErrorPattern {
            pattern,
            category: Some("logic_error".to_owned()),
            frequency,
            fix_template: Some("Add a check".to_owned()),
            effectiveness,
        },
    );
    let tally = (any_text(), 0..4_u64, 0..4_u64)
        .prop_map(|(pattern, successes, trials)| TemplateTally { pattern, successes, trials });
    let patterns = prop::option::of(prop::collection::vec(pattern, 0..3));
    let texts = prop::option::of(prop::collection::vec(any_text(), 0..3));
    let tallies = prop::collection::vec(tally, 0..3);
    (0..3_u8, any_author(), patterns, texts, tallies).prop_map(
        |(id, by, patterns_identified, recommendations, tallies)| {
            let quality = CodeQualityIssue { issue: Some("a".to_owned()), ..Default::default() };
            let recurring =
                RecurringFailure { test: Some("t".to_owned()), ..RecurringFailure::default() };
            let learnings = Learnings {
                patterns_identified,
                recurring_failures: Some(vec![recurring]),
                code_quality_issues: Some(vec![quality]),
                recommendations,
            };
            let session = session(id);
            Body::LearningExtracted(LearningExtracted { session, by, learnings, tallies })
        },
    )
}

const DOCUMENTS: [&str; 4] = [
    r#"{"session_id":"dm-001","file_path":"src/a.rs","executions":[]}"#,
    r#"{"session_id":"x","file_path":"src/b.rs","updated_at":"2020-01-01T00:00:00Z","executions":
       [{"attempt":2,"timestamp":"2019-01-01T00:00:00+02:00","code_hash":"h","failures":[],
         "test_results":{"total":1,"passed":0,"failed":1}}],
       "learnings":{"patterns_identified":[{"pattern":"short","frequency":3,"effectiveness":0.9}]}}"#,
    r#"{"session_id":"x","file_path":"src/b.rs","updated_at":"yesterday","executions":[]}"#,
    r#"{"session_id":"x"}"#,
];

fn any_body() -> BoxedStrategy<Body> {
    let opened = (0..3_u8, any_file()).prop_map(|(id, file_path)| {
        Body::DebugSessionOpened(DebugSessionOpened {
            session: session(id),
            file_path,
            attempts_max: 3,
            agent: Some("agent".to_owned()),
            task_id: None,
            ralph_iteration: Some(-1),
        })
    });
    let verified = (0..3_u8, 1..4_u32, any_author(), prop::sample::select(Verification::ALL))
        .prop_map(|(id, attempt, by, verification)| {
            let session = session(id);
            Body::FixVerified(FixVerified { session, attempt, by, verification })
        });
    let tried = (0..3_u8, 1..4_u32, any_template(), any::<bool>()).prop_map(
        |(id, attempt, template, worked)| {
            let session = session(id);
            Body::TemplateTried(TemplateTried { session, attempt, template, worked })
        },
    );
    let closed = (0..3_u8, prop::sample::select(DebugStatus::ALL)).prop_map(|(id, status)| {
        let (session, by, reason) = (session(id), DebugAuthor::Annals, None);
        Body::DebugSessionClosed(DebugSessionClosed { session, status, by, reason })
    });
    let expired = (0..3_u8).prop_map(|id| {
        let (session, updated_ms, days, archived) = (session(id), NOW_MS, 30, None);
        Body::DebugSessionExpired(DebugSessionExpired { session, updated_ms, days, archived })
    });
    let imported = (0..3_u8, prop::sample::select(&DOCUMENTS[..])).prop_map(|(id, document)| {
        let (session, native_id) = (session(id), Some("dm-001".to_owned()));
        let document = Json(document.to_owned());
        Body::DebugSessionImported(DebugSessionImported { session, native_id, document })
    });
    let other = Just(Body::SessionEnded(SessionEnded { reason: "done".to_owned() }));
    prop_oneof![
        4 => opened,
        8 => any_attempt(),
        3 => any_analysis(),
        3 => any_fix(),
        2 => verified,
        3 => tried,
        4 => any_learning(),
        2 => closed,
        1 => expired,
        1 => imported,
        1 => other,
    ]
    .boxed()
}

/// A history of commits of one to five events, some of them of no concern to debug memory.
pub fn any_debugged_history() -> impl Strategy<Value = MemoryFeed> {
    let event =
        (0..1_000_u64, any_body()).prop_map(|(step, body)| event(NOW_MS + step, None, body));
    let commit = prop::collection::vec(event, 1..6);
    prop::collection::vec(commit, 1..16).prop_map(|commits| {
        let mut feed = MemoryFeed::new(1);
        commits.into_iter().for_each(|commit| feed.commit(commit));
        feed
    })
}
