//! What edges lead to, when it changes, and when our rows are taken out.

use super::{
    Code, GRAPH, as_rebuilt, call, caught_up, code, digests, execution_id, history, places,
    rebuilt_because,
};
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{StoreName, store_status};

#[test]
fn edges_lead_to_the_codes_own_entities_and_to_stubs_for_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    let code = code(&places);
    let before = code.dump();
    caught_up(&places, &feed);
    let diagnostic = "lsp_check PRODUCED diagnostic:diagnostic:E1:";
    let mut links = code.links();
    assert_eq!(links.iter().filter(|link| link.starts_with(diagnostic)).count(), 1);
    links.retain(|link| !link.starts_with(diagnostic));
    let expect = [
        "file_create AFFECTED annals_stub:src/new.rs",
        "file_create EXECUTED_ON annals_stub:src/new.rs",
        "file_edit AFFECTED File:src/cart.rs",
        "file_edit EXECUTED_ON File:src/cart.rs",
        "file_read EXECUTED_ON File:src/lib.rs",
        "lsp_check EXECUTED_ON File:src/lib.rs",
        "references_to_symbol_name REFERENCED Symbol:add",
        "references_to_symbol_name REFERENCED Symbol:add",
        "references_to_symbol_name REFERENCED Symbol:add",
        "splice_patch AFFECTED File:src/lib.rs",
        "splice_patch EXECUTED_ON File:src/lib.rs",
        "splice_patch REFERENCED Symbol:checkout",
        "symbols_in_file REFERENCED Symbol:add",
        "symbols_in_file REFERENCED annals_stub:gone",
    ];
    assert_eq!(links, expect, "Cart::add is one symbol, add is two, of a file the file's own");
    assert_eq!(code.dump(), before, "what is not ours is as it was");
    let bad = "SELECT count(*) FROM graph_entities WHERE NOT json_valid(data)";
    assert_eq!(code.count(bad), 0);
}

#[test]
fn symbols_are_found_whatever_language_they_are_of() {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let code = Code::make(places.code_graph(), &places.root);
    code.index("cmd/api/main.go", &["main", "Server::Handle"], false);
    code.index("app/cart.py", &["Cart", "Cart::add"], false);
    code.index("web/cart.ts", &["Cart", "Cart::total"], false);
    let mut feed = MemoryFeed::new(1);
    let calls: [(&str, &[&str], &[&str]); 4] = [
        ("references_to_symbol_name", &[], &["Server.Handle"]),
        ("references_to_symbol_name", &[], &["Cart.total"]),
        ("symbols_in_file", &["app/cart.py"], &["Cart"]),
        ("splice_patch", &["cmd/api/main.go"], &["main"]),
    ];
    for (number, (tool, paths, symbols)) in calls.into_iter().enumerate() {
        feed.commit(call(number as u8, tool, paths, symbols).to_vec());
    }
    caught_up(&places, &feed);
    let mut links = code.links();
    links.retain(|link| link.contains(" REFERENCED "));
    let expect = [
        "references_to_symbol_name REFERENCED Symbol:Handle",
        "references_to_symbol_name REFERENCED Symbol:total",
        "splice_patch REFERENCED Symbol:main",
        "symbols_in_file REFERENCED Symbol:Cart",
    ];
    assert_eq!(links, expect);
}

#[test]
fn what_was_indexed_again_is_linked_again_and_nothing_else_is_touched() {
    type Step = (&'static str, fn(&Code));
    let steps: [Step; 9] = [
        ("indexed again", |code| code.index("src/lib.rs", &["checkout"], false)),
        ("indexed again, old symbols left", |code| {
            code.index("src/cart.rs", &["Cart", "Cart::add"], true);
        }),
        ("a symbol gone", |code| code.index("src/lib.rs", &["other"], false)),
        ("a symbol gone, left behind", |code| code.index("src/price.rs", &[], true)),
        ("the symbol back", |code| code.index("src/lib.rs", &["checkout", "gone"], false)),
        ("a stub's file appears", |code| code.index("src/new.rs", &[], false)),
        ("a file deleted", |code| code.forget("src/lib.rs", false)),
        ("a file deleted, its symbols left", |code| code.forget("src/cart.rs", true)),
        ("all of it back", |code| {
            code.index("src/lib.rs", &["checkout"], false);
            code.index("src/cart.rs", &["Cart::add"], false);
        }),
    ];
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    let code = code(&places);
    caught_up(&places, &feed.up_to(5));
    for (name, step) in steps {
        step(&code);
        let status = store_status(&places, &feed.up_to(5)).unwrap();
        assert!(status[GRAPH].problem.is_some(), "{name}: status says so");
        let before = code.dump();
        assert_eq!(rebuilt_because(&places, &feed.up_to(5)), None, "{name}: linked, not rebuilt");
        as_rebuilt(&places, &feed.up_to(5), name);
        assert_eq!(code.dump(), before, "{name}");
        let unused = "SELECT count(*) FROM graph_entities s WHERE kind = 'annals_stub' AND \
                      NOT EXISTS (SELECT 1 FROM graph_edges WHERE to_id = s.id)";
        assert_eq!(code.count(unused), 0, "{name}");
    }
    // New events and a new index in one step.
    code.index("src/new.rs", &["fresh"], false);
    caught_up(&places, &feed);
    as_rebuilt(&places, &feed, "both at once");
    assert!(code.links().contains(&"file_create AFFECTED File:src/new.rs".to_owned()));
}

#[test]
fn a_stub_names_the_first_that_led_to_it_whichever_was_linked_first() {
    type Case = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);
    let cases: [Case; 3] = [
        ("src/lib.rs", "file_read", &["src/lib.rs"], &[]),
        ("src/cart.rs", "file_read", &["src/cart.rs"], &[]),
        ("checkout", "references_to_symbol_name", &[], &["checkout"]),
    ];
    for (stub, tool, paths, symbols) in cases {
        let folder = tempfile::tempdir().unwrap();
        let (places, mut feed) = (places(folder.path()), history());
        let code = code(&places);
        caught_up(&places, &feed);
        code.forget("src/lib.rs", false);
        code.forget("src/cart.rs", false);
        // New to the graph, and caught up before what was there already is linked again.
        feed.commit(call(50, tool, paths, symbols).to_vec());
        assert_eq!(rebuilt_because(&places, &feed), None, "{stub}: linked, not rebuilt");
        let named = format!(
            "SELECT count(*) FROM graph_entities WHERE kind = 'annals_stub' AND name = '{stub}' \
             AND json_extract(data, '$.execution_id') <> '{}'",
            execution_id(50)
        );
        assert_eq!(code.count(&named), 1, "{stub}");
        as_rebuilt(&places, &feed, stub);
    }
}

#[test]
fn rows_taken_out_by_hand_come_back() {
    let cases = [
        "DELETE FROM graph_entities WHERE kind = 'execution'",
        "DELETE FROM graph_entities WHERE kind = 'diagnostic'",
        "DELETE FROM graph_edges WHERE edge_type = 'AFFECTED'",
        "DELETE FROM graph_edges WHERE from_id IN \
             (SELECT id FROM graph_entities WHERE kind = 'execution'); \
         DELETE FROM graph_entities WHERE kind IN ('execution', 'diagnostic', 'annals_stub')",
        "UPDATE graph_entities SET data = '{}' WHERE kind = 'execution'",
        "INSERT INTO graph_edges (from_id, to_id, edge_type, data) SELECT max(id), max(id), \
             'EXECUTED_ON', '{}' FROM graph_entities WHERE kind = 'execution'",
        "DROP TABLE annals_cursor; DROP TABLE annals_targets",
        "UPDATE annals_cursor SET tools = 'no json'",
    ];
    for sql in cases {
        let folder = tempfile::tempdir().unwrap();
        let (places, feed) = (places(folder.path()), history());
        let code = code(&places);
        caught_up(&places, &feed);
        let good = digests(&places);
        code.run(sql);
        let before = code.dump();
        let named = [StoreName::CODE_GRAPH];
        let report = rebuild(&places, &feed, &named, RebuildMode::Check).unwrap();
        assert!(report.differs(), "{sql}: {report:?}");
        for time in 0..2 {
            let report = rebuild(&places, &feed, &named, RebuildMode::Replace).unwrap();
            assert!(report.stores[0].replaced);
            assert_eq!(digests(&places), good, "{sql}, {time}");
        }
        assert_eq!(code.dump(), before, "{sql}");
        as_rebuilt(&places, &feed, sql);
    }
}
