//! Each query against a naive fold over the same rows, for generated histories.

use std::time::Duration;

use proptest::prelude::*;

use super::history::{
    NOW_MS, any_history_without_checks, closing, event, execution_id, session_id, started,
};
use super::naive::{Naive, Resolved, Row};
use super::{caught_up, places};
use crate::event::target::arguments_digest;
use crate::event::{Body, Closing, ExecutionFinished, ExecutionStarted, Json, Outcome};
use crate::execution::query::{
    Action, ExecutionQuery, ExecutionSummary, Page, QueryError, Resolution, Stores,
};
use crate::store::feed::memory::MemoryFeed;

const LABELS: [&str; 5] = ["E0420", "E0421", "E0425", "error", "nothing"];

/// All pages of a query, a few items at a time.
fn all<T>(
    limit: usize,
    fetch: impl Fn(usize, Option<crate::execution::query::After>) -> Result<Page<T>, QueryError>,
) -> Vec<T> {
    let mut items = Vec::new();
    let mut after = None;
    loop {
        let page = fetch(limit, after).unwrap();
        assert!(page.items.len() <= limit);
        items.extend(page.items);
        after = match page.next {
            Some(next) => Some(next),
            None => return items,
        };
    }
}

fn ids(query: ExecutionQuery<'_>, limit: usize) -> Vec<String> {
    let found = all(limit, |limit, after| query.clone().page(limit, after).fetch());
    found.iter().map(|one| one.id.to_string()).collect()
}

fn id(one: &ExecutionSummary) -> String {
    one.id.to_string()
}

fn resolved(one: &Resolution) -> Resolved {
    let candidates = one.candidates.iter().map(|candidate| id(&candidate.execution)).collect();
    (id(&one.resolved_by), id(&one.first_seen), id(&one.last_seen), one.checks, candidates)
}

fn lists(stores: &Stores, naive: &Naive, limit: usize) {
    let failed = |row: &Row| row.outcome.as_deref() == Some("failed");
    let ends = |path: &str, file: &str| path == file || path.ends_with(&format!("/{file}"));
    let touched = |row: &Row, file: &str| row.paths.iter().any(|(path, _)| ends(path, file));
    assert_eq!(ids(stores.executions(), limit), naive.list(|_| true));
    assert_eq!(ids(stores.all_failed_executions(), limit), naive.list(failed));
    let mut forward = naive.list(failed);
    forward.reverse();
    assert_eq!(ids(stores.all_failed_executions().oldest_first(), limit), forward);
    for tool in ["file_read", "lsp_check", "Native", "nothing"] {
        let of = |row: &Row| row.tool == tool || row.native_tool.as_deref() == Some(tool);
        let expected = naive.list(|row| failed(row) && of(row));
        assert_eq!(ids(stores.failed_executions(tool), limit), expected, "failed {tool}");
        assert_eq!(ids(stores.executions().with_tool(tool), limit), naive.list(of), "{tool}");
        let query = stores.failed_executions(tool).with_symbol("symbol1").with_file("file1.rs");
        let expected = naive.list(|row| {
            failed(row)
                && of(row)
                && row.symbols.contains(&"symbol1".into())
                && touched(row, "file1.rs")
        });
        assert_eq!(ids(query, limit), expected, "{tool} of a symbol in a file");
    }
    for file in ["src/file1.rs", "file2.rs", "./src/file0.rs", "ile1.rs"] {
        let plain = file.trim_start_matches("./");
        let expected = naive.list(|row| touched(row, plain));
        assert_eq!(ids(stores.executions().with_file(file), limit), expected, "{file}");
    }
    let below = naive.list(|row| failed(row) && !row.paths.is_empty());
    assert_eq!(ids(stores.all_failed_executions().with_path("src/"), limit), below);
    for label in LABELS {
        let expected = naive.list(|row| row.shows(label) && row.at.0 >= NOW_MS as i64);
        let query = stores.executions_producing_diagnostic(label).after_timestamp(NOW_MS);
        assert_eq!(ids(query, limit), expected, "{label}");
    }
    let session = session_id(1).to_string();
    let number = stores.session_numbers(&session).unwrap();
    let of = |row: &Row| row.session.is_some_and(|session| number.contains(&session));
    assert_eq!(ids(stores.executions().with_session(&session), limit), naive.list(of));
    let ok = naive.list(|row| of(row) && row.outcome.as_deref() == Some("ok"));
    assert_eq!(ids(stores.executions().with_session(&session).with_success(true), limit), ok);
    let home = stores.executions().in_repository("/home/me").before_timestamp(NOW_MS + 500);
    let expected = naive.list(|row| row.cwd.is_some() && row.at.0 <= NOW_MS as i64 + 500);
    assert_eq!(ids(home, limit), expected);
    assert_eq!(ids(stores.executions().in_repository("/home/m"), limit), [""; 0]);
}

fn judgements(stores: &Stores, naive: &Naive, limit: usize) {
    for label in LABELS {
        let query = stores.executions_resolving_error(label);
        let found = all(limit, |limit, after| query.clone().page(limit, after).fetch());
        let expected = naive.resolutions(label);
        assert_eq!(found.iter().map(resolved).collect::<Vec<_>>(), expected, "{label}");
        let query =
            stores.successful_resolutions_for_error(label).in_repository("/home/me/project");
        let found = all(limit, |limit, after| query.clone().page(limit, after).fetch());
        let expected: Vec<_> = expected
            .into_iter()
            .filter(|(by, ..)| {
                let by = naive.0.iter().find(|row| row.id == *by).unwrap();
                by.outcome.as_deref() == Some("ok") && by.cwd.is_some()
            })
            .collect();
        assert_eq!(found.iter().map(resolved).collect::<Vec<_>>(), expected, "{label}, ok");
    }
    for row in &naive.0 {
        let (Some(key), Some(arguments)) = (&row.target_key, &row.arguments) else { continue };
        for number in 0..10 {
            let json = format!(r#"{{"command":"step {number}"}}"#);
            if arguments[..] != arguments_digest(&json).0 {
                continue;
            }
            let action = Action::with(&row.tool, &json).unwrap();
            // A check is another in each folder that it was tried in: one pattern each.
            let found = stores.pattern_match(&action).fetch().unwrap().items;
            let counts = found.iter().fold([0; 4], |[ok, failed, refused, interrupted], it| {
                [ok + it.ok, failed + it.failed, refused + it.refused, interrupted + it.interrupted]
            });
            let expected = naive.pattern(&row.tool, key, arguments);
            assert_eq!(counts, expected);
            let query = stores.pattern_match(&action).filter_failure_rate_threshold(0.7);
            let over = found.iter().any(|it| {
                let ran = it.ok + it.failed;
                ran > 0 && it.failed as f64 / ran as f64 >= 0.7
            });
            assert_eq!(!query.fetch().unwrap().items.is_empty(), over);
            let found = stores.recent_failures(&action, Duration::from_millis(600), NOW_MS + 700);
            let found = found.unwrap().map(|found| found.executions).unwrap_or_default();
            let since = NOW_MS as i64 + 100;
            let expected = naive.recent(&row.tool, arguments, since);
            assert_eq!(found.iter().map(id).collect::<Vec<_>>(), expected);
        }
    }
    let query = stores.recurring_diagnostics().at_least(1);
    let mut found = all(limit, |limit, after| query.clone().page(limit, after).fetch());
    found.sort_by(|one, other| one.code.cmp(&other.code));
    let found: Vec<_> = found
        .iter()
        .map(|one| {
            let ends = (id(&one.first), id(&one.last));
            (one.code.clone(), one.executions, one.sessions, ends.0, ends.1, one.still_present)
        })
        .collect();
    assert_eq!(found, naive.recurring());
    for file in ["file0.rs", "src/file1.rs", "src/none.rs"] {
        let found = stores.latest_outcome_for_file(file).unwrap();
        let path = format!("src/{}", file.trim_start_matches("src/"));
        let of = |row: &Row, role_min: u8| {
            let touched = |(of, role): &(String, u8)| *of == path && *role >= role_min;
            row.outcome.is_some() && row.paths.iter().any(touched)
        };
        let last = naive.list(|row| of(row, 0)).into_iter().next();
        let change = naive.list(|row| of(row, 1)).into_iter().next();
        assert_eq!(found.first().map(|one| id(&one.last)), last, "{file}");
        let found = found.first().and_then(|one| one.last_change.as_ref());
        assert_eq!(found.map(id), change, "{file}");
    }
}

/// Checks that show a diagnostic, and a last one that does not.
fn checks(showing: u8) -> MemoryFeed {
    let shown = r#"[{"level":"error","code":"E0425","message":"m","file_name":"src/a.rs"}]"#;
    let mut feed = MemoryFeed::new(1);
    for number in 0..=showing {
        let start = ExecutionStarted {
            arguments: Json(r#"{"command":"cargo check"}"#.to_owned()),
            ..started(number, "lsp_check", None)
        };
        let diagnostics = (number < showing).then(|| Json(shown.to_owned()));
        let closing = Closing { diagnostics, ..closing(Outcome::Failed) };
        let (execution, tool) = (execution_id(number), "lsp_check".to_owned());
        let finish = ExecutionFinished { execution, tool, closing };
        feed.commit(vec![
            event(NOW_MS, None, Body::ExecutionStarted(start)),
            event(NOW_MS, None, Body::ExecutionFinished(finish)),
        ]);
    }
    feed
}

#[test]
fn checks_in_a_row_are_one_however_many_they_are() {
    for (showing, counted, more) in [
        (1, 1, false),
        (3, 3, false),
        (4, 4, false),
        (5, 5, false),
        (100, 100, false),
        (101, 100, true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        caught_up(&places, &checks(showing));
        let stores = Stores::open(&places).unwrap();
        let found = stores.executions_resolving_error("E0425").fetch().unwrap();
        assert_eq!(found.items.len(), 1, "{showing}");
        let one = &found.items[0];
        assert_eq!((one.checks, one.checks_more), (counted, more), "{showing}");
        assert_eq!(one.resolved_by.id, execution_id(showing));
        assert_eq!(one.last_seen.id, execution_id(showing - 1));
        assert!(stores.successful_resolutions_for_error("E0425").fetch().unwrap().items.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(24),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn each_query_says_what_a_naive_fold_says(history in any_history_without_checks(), limit in 1..4_usize) {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        caught_up(&places, &history);
        let (stores, naive) = (Stores::open(&places).unwrap(), Naive::of(&places));
        lists(&stores, &naive, limit);
        judgements(&stores, &naive, limit);
    }
}
