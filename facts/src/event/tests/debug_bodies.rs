//! Any event of debug memory.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::round_trip::{content, execution, maybe, text, texts};
use crate::event::*;

fn session() -> impl Strategy<Value = DebugSessionId> {
    any::<[u8; 16]>().prop_map(DebugSessionId)
}

fn author() -> impl Strategy<Value = DebugAuthor> {
    select(DebugAuthor::ALL)
}

fn place() -> impl Strategy<Value = (DebugSessionId, u32, DebugAuthor)> {
    (session(), any::<u32>(), author())
}

fn share() -> impl Strategy<Value = Option<f64>> {
    option::of(0.0..=1.0)
}

fn template() -> impl Strategy<Value = TemplateRef> {
    (session(), text()).prop_map(|(session, pattern)| TemplateRef { session, pattern })
}

fn environment() -> impl Strategy<Value = DebugEnvironment> {
    (maybe(), maybe(), maybe(), maybe(), maybe()).prop_map(
        |(runtime, runtime_version, test_framework, os, additional)| DebugEnvironment {
            runtime,
            runtime_version,
            test_framework,
            os,
            additional: additional.map(Json),
        },
    )
}

fn results() -> impl Strategy<Value = TestResults> {
    (any::<[u64; 3]>(), any::<[Option<u64>; 3]>(), option::of(0.0..=100.0)).prop_map(
        |([total, passed, failed], [errors, skipped, duration_ms], coverage_percent)| TestResults {
            total,
            passed,
            failed,
            errors,
            skipped,
            duration_ms,
            coverage_percent,
        },
    )
}

fn failure() -> impl Strategy<Value = TestFailure> {
    let texts = (text(), text(), maybe(), maybe(), maybe(), maybe());
    let location = option::of((maybe(), any::<Option<i64>>(), maybe()));
    (texts, any::<Option<i64>>(), select(ErrorType::ALL), location).prop_map(
        |(
            (test_name, error_message, test_file, stack_trace, expected, actual),
            test_line,
            error_type,
            location,
        )| TestFailure {
            test_name,
            test_file,
            test_line,
            error_type,
            error_message,
            stack_trace,
            expected,
            actual,
            source_location: location.map(|(file, line, function)| SourceLocation {
                file,
                line,
                function,
            }),
        },
    )
}

fn attempt() -> impl Strategy<Value = Body> {
    let of = (session(), any::<u32>(), option::of(execution()), text(), option::of(content()));
    (of, option::of(environment()), results(), vec(failure(), 0..3)).prop_map(
        |(
            (session, attempt, execution, code_hash, code_snapshot),
            environment,
            results,
            failures,
        )| {
            Body::AttemptRecorded(AttemptRecorded {
                session,
                attempt,
                execution,
                code_hash,
                code_snapshot,
                environment,
                results,
                failures,
            })
        },
    )
}

fn analysis() -> impl Strategy<Value = Body> {
    let similar = (maybe(), maybe(), maybe())
        .prop_map(|(session_id, file, resolution)| SimilarIssue { session_id, file, resolution });
    let told = (text(), option::of(select(RootCause::ALL)), text(), share());
    (place(), told, option::of(texts()), option::of(vec(similar, 0..3))).prop_map(
        |((session, attempt, by), told, related_failures, similar_past_issues)| {
            let (root_cause, root_cause_category, fix_strategy, confidence) = told;
            let analysis = Analysis {
                root_cause,
                root_cause_category,
                fix_strategy,
                confidence,
                related_failures,
                similar_past_issues,
            };
            Body::AnalysisRecorded(AnalysisRecorded { session, attempt, by, analysis })
        },
    )
}

fn fix() -> impl Strategy<Value = Body> {
    let fix =
        (text(), maybe(), option::of(texts()), maybe(), option::of(select(Verification::ALL)))
            .prop_map(|(description, diff_summary, files_changed, diff, verification)| Fix {
                description,
                diff_summary,
                files_changed,
                diff,
                verification,
            });
    (place(), fix, option::of(template())).prop_map(|((session, attempt, by), fix, template)| {
        Body::FixApplied(FixApplied { session, attempt, by, fix, template })
    })
}

fn learnings() -> impl Strategy<Value = Learnings> {
    let pattern = (text(), maybe(), any::<u64>(), maybe(), share()).prop_map(
        |(pattern, category, frequency, fix_template, effectiveness)| ErrorPattern {
            pattern,
            category,
            frequency,
            fix_template,
            effectiveness,
        },
    );
    let recurring = (maybe(), any::<Option<i64>>(), option::of(select(Resolution::ALL)), maybe())
        .prop_map(|(test, occurrences, resolution, notes)| RecurringFailure {
            test,
            occurrences,
            resolution,
            notes,
        });
    let issue = (maybe(), maybe(), option::of(select(Severity::ALL)), any::<Option<bool>>())
        .prop_map(|(issue, location, severity, addressed)| CodeQualityIssue {
            issue,
            location,
            severity,
            addressed,
        });
    (
        option::of(vec(pattern, 0..3)),
        option::of(vec(recurring, 0..3)),
        option::of(vec(issue, 0..3)),
        option::of(texts()),
    )
        .prop_map(
            |(patterns_identified, recurring_failures, code_quality_issues, recommendations)| {
                Learnings {
                    patterns_identified,
                    recurring_failures,
                    code_quality_issues,
                    recommendations,
                }
            },
        )
}

fn learning() -> impl Strategy<Value = Body> {
    let tally = (text(), any::<[u64; 2]>())
        .prop_map(|(pattern, [successes, trials])| TemplateTally { pattern, successes, trials });
    (session(), author(), learnings(), vec(tally, 0..3)).prop_map(
        |(session, by, learnings, tallies)| {
            Body::LearningExtracted(LearningExtracted { session, by, learnings, tallies })
        },
    )
}

pub(super) fn debug_body() -> impl Strategy<Value = Body> {
    let opened = (session(), text(), any::<u32>(), maybe(), maybe(), any::<Option<i64>>());
    let closed = (session(), select(DebugStatus::ALL), author(), maybe());
    prop_oneof![
        opened
            .prop_map(|(session, file_path, attempts_max, agent, task_id, ralph_iteration)| {
                Body::DebugSessionOpened(DebugSessionOpened {
                    session,
                    file_path,
                    attempts_max,
                    agent,
                    task_id,
                    ralph_iteration,
                })
            })
            .boxed(),
        attempt().boxed(),
        analysis().boxed(),
        fix().boxed(),
        (place(), select(Verification::ALL))
            .prop_map(|((session, attempt, by), verification)| {
                Body::FixVerified(FixVerified { session, attempt, by, verification })
            })
            .boxed(),
        (session(), any::<u32>(), template(), any::<bool>())
            .prop_map(|(session, attempt, template, worked)| {
                Body::TemplateTried(TemplateTried { session, attempt, template, worked })
            })
            .boxed(),
        learning().boxed(),
        closed
            .prop_map(|(session, status, by, reason)| {
                Body::DebugSessionClosed(DebugSessionClosed { session, status, by, reason })
            })
            .boxed(),
        (session(), any::<u64>(), any::<u32>(), maybe())
            .prop_map(|(session, updated_ms, days, archived)| {
                Body::DebugSessionExpired(DebugSessionExpired {
                    session,
                    updated_ms,
                    days,
                    archived,
                })
            })
            .boxed(),
        (session(), maybe(), text())
            .prop_map(|(session, native_id, document)| {
                let document = Json(document);
                Body::DebugSessionImported(DebugSessionImported { session, native_id, document })
            })
            .boxed()
    ]
}
