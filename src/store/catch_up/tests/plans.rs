//! How SQLite means to answer each query: along which index, and never over all executions.

use std::time::Duration;

use super::history::{NOW_MS, closing, event, execution_id, session_id, started};
use super::{caught_up, places};
use crate::event::{
    Body, Change, Closing, Event, ExecutionFinished, ExecutionStarted, Json, Outcome,
};
use crate::execution::query::{Action, Reference, Stores};
use crate::grounding::timeline::{MemoryQuery, TimelineScope};
use crate::store::feed::memory::MemoryFeed;

const ARGUMENTS: &str = r#"{"command":"cargo check"}"#;

/// Three checks of the same, the first two with a diagnostic, and a change before the third.
fn events() -> Vec<Event> {
    let one = |number: u8, tool: &str, outcome: Outcome, shows: bool| {
        let diagnostics =
            r#"[{"level":"error","code":"E0425","message":"m","file_name":"src/a.rs"}]"#;
        let is_edit = tool == "file_edit";
        let arguments = if is_edit { r#"{"file_path":"src/a.rs"}"# } else { ARGUMENTS };
        let start = ExecutionStarted {
            arguments: Json(arguments.to_owned()),
            symbols: vec!["foo".to_owned()],
            ..started(number, tool, None)
        };
        let changed = vec![Change { path: "src/a.rs".to_owned(), created: false }];
        let closing = Closing {
            diagnostics: shows.then(|| Json(diagnostics.to_owned())),
            changed: if is_edit { changed } else { Vec::new() },
            ..closing(outcome)
        };
        let (execution, tool) = (execution_id(number), tool.to_owned());
        let at_ms = NOW_MS + u64::from(number);
        [
            event(at_ms, Some(1), Body::ExecutionStarted(start)),
            event(
                at_ms,
                Some(1),
                Body::ExecutionFinished(ExecutionFinished { execution, tool, closing }),
            ),
        ]
    };
    [
        one(1, "lsp_check", Outcome::Failed, true),
        one(2, "lsp_check", Outcome::Failed, true),
        one(3, "file_edit", Outcome::Ok, false),
        one(4, "lsp_check", Outcome::Failed, false),
    ]
    .concat()
}

/// Asks everything there is to ask, so that something is found.
fn ask(stores: &Stores) {
    let session = session_id(1).to_string();
    let full = |page: crate::execution::query::Page<crate::execution::query::ExecutionSummary>,
                asked: &str| {
        assert!(!page.items.is_empty() || page.next.is_some(), "{asked}: nothing was found");
    };
    let after = Some(crate::execution::query::After { at_ms: NOW_MS + 100, sequence: 1 });
    let lists = [
        ("failed", stores.all_failed_executions()),
        ("failed of a tool", stores.failed_executions("lsp_check")),
        ("failed of an agent's tool", stores.failed_executions("Native")),
        ("of a tool", stores.executions().with_tool("lsp_check")),
        ("of a symbol", stores.failed_executions("lsp_check").with_symbol("foo")),
        ("of a file", stores.failed_executions("lsp_check").with_file("file1.rs")),
        ("below a folder", stores.all_failed_executions().with_path("src")),
        ("of a session", stores.executions().with_session(&session[..8])),
        ("in a folder", stores.all_failed_executions().in_repository("/home/me")),
        ("with a code", stores.executions_producing_diagnostic("E0425").with_success(false)),
        ("since", stores.executions().after_timestamp(NOW_MS).before_timestamp(NOW_MS + 50)),
        ("onward", stores.all_failed_executions().oldest_first()),
    ];
    for (name, query) in lists {
        full(query.fetch().unwrap(), name);
        query.page(2, after).fetch().unwrap();
    }
    let resolved = stores.executions_resolving_error("E0425").with_file("src/a.rs");
    let found = resolved.with_session(&session).in_repository("/home/me").fetch().unwrap();
    assert_eq!(found.items[0].candidates.len(), 1);
    let action = Action::with("lsp_check", ARGUMENTS).unwrap();
    let patterns = stores.pattern_match(&action).filter_failure_rate_threshold(0.7);
    assert_eq!(patterns.fetch().unwrap().items.len(), 1);
    assert_eq!(patterns.with_session(&session).fetch().unwrap().items.len(), 1);
    let refused = stores.refuse_known_anti_pattern(&action, Duration::from_secs(60), NOW_MS + 99);
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("lsp_check failed 3 times in a row"), "{message}");
    assert_eq!(stores.recurring_diagnostics().fetch().unwrap().items.len(), 1);
    assert_eq!(
        stores.recurring_diagnostics().with_session(&session).fetch().unwrap().items.len(),
        1
    );
    assert_eq!(stores.latest_outcome_for_file("src/a.rs").unwrap().len(), 1);
    for scope in [TimelineScope::Session(session_id(1)), TimelineScope::Project] {
        assert_eq!(stores.get_timeline_position(scope).unwrap().total_executions, 4);
        assert_eq!(stores.get_recent_timeline(scope, 3).unwrap().len(), 3);
        assert_eq!(stores.get_preceding_context(scope, 3, 9).unwrap().len(), 3);
        assert_eq!(stores.get_pending_failures(scope).unwrap()[0].failures, 3);
        assert_eq!(stores.failure_loops(scope).unwrap(), []);
        for query in [
            "timeline_summary",
            "tool=lsp_check, success=false, after_id=1",
            "tool=file_edit, success=true, before_id=3",
            "tool=lsp_check",
        ] {
            let query = MemoryQuery::parse(query).unwrap();
            assert!(stores.memory_query(&query, scope).unwrap().returned() > 0, "{query}");
        }
    }
    assert_eq!(stores.newest_session().unwrap(), Some(session_id(1)));
    for reference in ["last", "1", "@2", &execution_id(1).to_string()] {
        stores.show(&Reference::parse(reference).unwrap()).unwrap();
    }
}

/// Indexes that are there for these queries; one that none uses only costs.
const MADE_FOR: [&str; 15] = [
    "executions_at_seq",
    "executions_failed_tool",
    "executions_failed_native",
    "executions_failed_arguments",
    "executions_target",
    "paths_name",
    "execution_paths_at",
    "execution_paths_changed",
    "execution_symbols_at",
    "execution_labels_at",
    "labels_executions",
    "executions_session_tool",
    "executions_checked_in",
    "pending_at",
    "pending_loops",
];

#[test]
fn no_query_scans_the_executions_whole() {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let mut feed = MemoryFeed::new(1);
    feed.commit(events());
    caught_up(&places, &feed);
    let stores = Stores::open(&places).unwrap();
    ask(&stores);
    let plans = stores.index.plans().unwrap();
    assert!(plans.len() > 30, "{} statements", plans.len());
    let used = plans.iter().flat_map(|(_, plan)| plan).cloned().collect::<Vec<_>>().join("\n");
    for index in MADE_FOR {
        assert!(used.contains(&format!("INDEX {index} ")), "no query uses {index}:\n{used}");
    }
    for (sql, plan) in plans {
        for line in &plan {
            // In order of an index, and only as far as a page goes.
            let paged = line.contains("USING")
                && line.contains("INDEX executions_")
                && sql.contains("LIMIT")
                && plan.iter().all(|line| !line.contains("TEMP B-TREE"));
            // Names, not executions.
            let small = [
                "SCAN coverages",
                "SCAN paths",
                "SCAN sessions",
                "SCAN session_labels",
                "SCAN CONSTANT",
            ];
            let names = small.iter().any(|table| line.starts_with(table))
                || line.starts_with("SCAN (subquery")
                || line.starts_with("SCAN l");
            assert!(!line.starts_with("SCAN") || paged || names, "{line}\nin {plan:#?}\nof {sql}");
            let ordered = line.contains("TEMP B-TREE FOR ORDER BY");
            // Of one execution's own ties, or of names.
            let few = [
                "session_labels",
                "native_tools",
                "e.id = ?1",
                ".execution = ?1",
                "at_seq = ?1",
                "FROM sessions ORDER",
            ];
            let few = few.iter().any(|of| sql.contains(of));
            assert!(!ordered || few, "sorts\nin {plan:#?}\nof {sql}");
        }
    }
}
