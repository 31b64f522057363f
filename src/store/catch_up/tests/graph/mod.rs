//! The graph against histories and against what magellan does to it meanwhile.

mod beside_magellan;
mod code;
mod lags;
mod links;

use rusqlite::Connection;

use super::history::{NOW_MS, closing, declared, event, execution_id, started};
use super::{caught_up, digests, places};
use crate::event::{Body, Closing, Event, ExecutionFinished, ExecutionStarted, Json, Outcome};
use crate::store::catch_up::{RebuildReason, catch_up};
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{StoreName, StorePlaces, store_status};
use code::Code;

const GRAPH: usize = 2;

fn call(number: u8, tool: &str, paths: &[&str], symbols: &[&str]) -> [Event; 2] {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let start = ExecutionStarted {
        paths: texts(paths),
        symbols: texts(symbols),
        cwd: None,
        ..started(number, tool, Some(number))
    };
    let diagnostics = (tool == "lsp_check").then(|| {
        Json(r#"[{"level":"error","message":"m","file_name":"src/lib.rs","code":"E1"}]"#.into())
    });
    let finished = ExecutionFinished {
        execution: execution_id(number),
        tool: tool.to_owned(),
        closing: Closing { diagnostics, ..closing(Outcome::Ok) },
    };
    let now = |body| event(NOW_MS, Some(1), body);
    [now(Body::ExecutionStarted(start)), now(Body::ExecutionFinished(finished))]
}

/// Reads, edits, checks and questions about three files and some symbols.
fn history() -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    feed.commit(vec![event(NOW_MS, None, declared(&["file_edit"]))]);
    let calls: [(&str, &[&str], &[&str]); 8] = [
        ("file_read", &["src/lib.rs"], &[]),
        ("file_edit", &["./src/cart.rs"], &[]),
        ("splice_patch", &["src/lib.rs"], &["checkout"]),
        ("references_to_symbol_name", &[], &["Cart::add"]),
        ("references_to_symbol_name", &[], &["add"]),
        ("lsp_check", &["."], &[]),
        ("file_create", &["src/new.rs"], &[]),
        ("symbols_in_file", &["src/cart.rs"], &["add", "gone"]),
    ];
    for (number, (tool, paths, symbols)) in calls.into_iter().enumerate() {
        feed.commit(call(number as u8, tool, paths, symbols).to_vec());
    }
    feed
}

fn code(places: &StorePlaces) -> Code {
    let code = Code::make(places.code_graph(), &places.root);
    code.index("src/lib.rs", &["checkout"], false);
    code.index("src/cart.rs", &["Cart", "Cart::add"], false);
    code.index("src/price.rs", &["Price::add"], false);
    code
}

/// What is in the graph is what a build from nothing would put there, and it is settled.
fn as_rebuilt(places: &StorePlaces, feed: &MemoryFeed, when: &str) {
    let named = [StoreName::CODE_GRAPH];
    let report = rebuild(places, feed, &named, RebuildMode::Check).unwrap();
    if report.stores[0].same != Some(true) {
        let (has, named) = (contents(places), [StoreName::CODE_GRAPH]);
        rebuild(places, feed, &named, RebuildMode::Replace).unwrap();
        let wants = contents(places);
        let beyond: Vec<_> = has.iter().filter(|row| !wants.contains(row)).collect();
        let lacks: Vec<_> = wants.iter().filter(|row| !has.contains(row)).collect();
        panic!("{when}: too many {beyond:#?}, too few {lacks:#?}, {report:?}");
    }
    let status = store_status(places, feed).unwrap();
    assert_eq!(status[GRAPH].problem, None, "{when}");
}

/// Every row of ours, without its ids.
fn contents(places: &StorePlaces) -> Vec<String> {
    let conn = Connection::open(places.code_graph()).unwrap();
    let mut rows = Vec::new();
    for sql in [
        "SELECT format('%s %s %s', kind, name, data) FROM graph_entities \
         WHERE kind IN ('execution', 'diagnostic', 'annals_stub')",
        "SELECT format('%s %s %s:%s %s %s', f.name, e.edge_type, t.kind, t.name, t.file_path, e.data) \
         FROM graph_edges e JOIN graph_entities f ON f.id = e.from_id AND f.kind = 'execution' \
         LEFT JOIN graph_entities t ON t.id = e.to_id",
    ] {
        let mut statement = conn.prepare(sql).unwrap();
        let found = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.extend(found.map(Result::unwrap));
    }
    rows
}

fn rebuilt_because(places: &StorePlaces, feed: &MemoryFeed) -> Option<RebuildReason> {
    catch_up(places, feed).stores[GRAPH].outcome.as_ref().unwrap().rebuilt
}
