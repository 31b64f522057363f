//! One event of every kind of debug memory, each field filled.

use super::samples::{EXECUTION, free, some};
use crate::event::*;

const SESSION: DebugSessionId =
    DebugSessionId([1, 0x93, 0xf7, 0x6d, 0x80, 1, 0x70, 2, 0x80, 3, 4, 5, 6, 7, 8, 9]);

fn template() -> TemplateRef {
    TemplateRef { session: DebugSessionId([0x5a; 16]), pattern: free("pattern") }
}

fn attempt() -> AttemptRecorded {
    AttemptRecorded {
        session: SESSION,
        attempt: 2,
        execution: Some(EXECUTION),
        code_hash: "ab".repeat(32),
        code_snapshot: Some(Content::Inline(free("code").into_bytes())),
        environment: Some(DebugEnvironment {
            runtime: some("runtime"),
            runtime_version: some("version"),
            test_framework: some("framework"),
            os: some("os"),
            additional: Some(Json("{\"free:key\":1}".into())),
        }),
        results: TestResults {
            total: 300,
            passed: 297,
            failed: 1,
            errors: Some(1),
            skipped: Some(1),
            duration_ms: Some(1_500),
            coverage_percent: Some(82.5),
        },
        failures: vec![TestFailure {
            test_name: free("test"),
            test_file: some("test file"),
            test_line: Some(42),
            error_type: ErrorType::TypeError,
            error_message: free("message"),
            stack_trace: some("stack"),
            expected: some("expected"),
            actual: some("actual"),
            source_location: Some(SourceLocation {
                file: some("source"),
                line: Some(15),
                function: some("function"),
            }),
        }],
    }
}

fn learnings() -> Learnings {
    Learnings {
        patterns_identified: Some(vec![ErrorPattern {
            pattern: free("pattern"),
            category: some("category"),
            frequency: 3,
            fix_template: some("template"),
            effectiveness: Some(0.75),
        }]),
        recurring_failures: Some(vec![RecurringFailure {
            test: some("test"),
            occurrences: Some(2),
            resolution: Some(Resolution::WontFix),
            notes: some("notes"),
        }]),
        code_quality_issues: Some(vec![CodeQualityIssue {
            issue: some("issue"),
            location: some("location"),
            severity: Some(Severity::Major),
            addressed: Some(true),
        }]),
        recommendations: Some(vec![free("recommendation")]),
    }
}

pub(super) fn debug_bodies() -> Vec<Body> {
    let (session, attempt_no) = (SESSION, 2);
    vec![
        Body::DebugSessionOpened(DebugSessionOpened {
            session,
            file_path: free("file"),
            attempts_max: 3,
            agent: some("agent"),
            task_id: some("task"),
            ralph_iteration: Some(-4),
        }),
        Body::AttemptRecorded(attempt()),
        Body::AnalysisRecorded(AnalysisRecorded {
            session,
            attempt: attempt_no,
            by: DebugAuthor::Caller,
            analysis: Analysis {
                root_cause: free("root cause"),
                root_cause_category: Some(RootCause::OffByOne),
                fix_strategy: free("strategy"),
                confidence: Some(0.95),
                related_failures: Some(vec![free("related")]),
                similar_past_issues: Some(vec![SimilarIssue {
                    session_id: some("similar"),
                    file: some("similar file"),
                    resolution: some("resolution"),
                }]),
            },
        }),
        Body::FixApplied(FixApplied {
            session,
            attempt: attempt_no,
            by: DebugAuthor::Annals,
            fix: Fix {
                description: free("description"),
                diff_summary: some("+5/-2 lines"),
                files_changed: Some(vec![free("changed")]),
                diff: some("diff"),
                verification: Some(Verification::Pending),
            },
            template: Some(template()),
        }),
        Body::FixVerified(FixVerified {
            session,
            attempt: attempt_no,
            by: DebugAuthor::Annals,
            verification: Verification::Failed,
        }),
        Body::TemplateTried(TemplateTried {
            session,
            attempt: attempt_no,
            template: template(),
            worked: true,
        }),
        Body::LearningExtracted(LearningExtracted {
            session,
            by: DebugAuthor::Caller,
            learnings: learnings(),
            tallies: vec![TemplateTally { pattern: free("pattern"), successes: 3, trials: 4 }],
        }),
        Body::DebugSessionClosed(DebugSessionClosed {
            session,
            status: DebugStatus::Escalated,
            by: DebugAuthor::Annals,
            reason: some("reason"),
        }),
        Body::DebugSessionExpired(DebugSessionExpired {
            session,
            updated_ms: 1_735_689_600_000,
            days: 90,
            archived: some("archive"),
        }),
        Body::DebugSessionImported(DebugSessionImported {
            session,
            native_id: some("dm-001"),
            document: Json("{\"file_path\":\"free:file\"}".into()),
        }),
    ]
}
