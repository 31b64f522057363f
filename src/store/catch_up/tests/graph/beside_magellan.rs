//! Whatever magellan does between whatever happens, the graph is what a rebuild would make.

use proptest::prelude::*;

use super::super::history::any_history;
use super::{Code, as_rebuilt, places};
use crate::event::Body;
use crate::store::catch_up::tests::catch_up_by;

/// What magellan may do between two calls.
#[derive(Clone, Debug)]
enum Meanwhile {
    Index { file: u8, symbols: u8, orphans: bool },
    Forget { file: u8, orphans: bool },
}

fn any_meanwhile() -> impl Strategy<Value = Meanwhile> {
    prop_oneof![
        3 => (0..3_u8, 0..8_u8, any::<bool>())
            .prop_map(|(file, symbols, orphans)| Meanwhile::Index { file, symbols, orphans }),
        2 => (0..3_u8, any::<bool>())
            .prop_map(|(file, orphans)| Meanwhile::Forget { file, orphans }),
    ]
}

const SYMBOLS: [&str; 3] = ["one", "Type::one", "Type::two"];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(16),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever magellan does between whatever happens: the graph is what a rebuild would make.
    #[test]
    fn a_graph_caught_up_beside_magellan_equals_one_rebuilt(
        mut history in any_history(),
        meanwhile in prop::collection::vec((0..25_usize, any_meanwhile(), 0..4_usize), 0..8),
        known in any::<bool>(),
        batch in prop::sample::select(&[1_u64, 7, 1000][..]),
    ) {
        // In the graph's own folder, and about symbols.
        for (at, recorded) in history.events.iter_mut().enumerate() {
            if let Body::ExecutionStarted(start) = &mut recorded.event.body {
                start.cwd = None;
                start.symbols = vec![SYMBOLS[at % 3].to_owned()];
                let tools = ["splice_patch", "references_to_symbol_name"];
                start.tool = tools[at % 2].to_owned();
            }
            if let Body::ExecutionFinished(end) = &mut recorded.event.body {
                end.tool = ["splice_patch", "lsp_check", "symbols_in_file"][at % 3].to_owned();
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        let code = Code::make(places.code_graph(), &places.root);
        if known {
            (0..3).for_each(|file| code.index(&format!("src/file{file}.rs"), &SYMBOLS, false));
        }
        let mut meanwhile = meanwhile;
        meanwhile.iter_mut().for_each(|(at, ..)| *at %= history.commits.len() + 1);
        meanwhile.sort_by_key(|(at, ..)| *at);
        meanwhile.push((history.commits.len(), Meanwhile::Forget { file: 9, orphans: false }, 0));
        let mut reached = 0;
        for (stop, what, later) in meanwhile {
            reached = stop.max(reached);
            let shown = history.up_to(reached);
            let report = catch_up_by(&places, &shown, batch);
            prop_assert!(report.is_current(), "{report:?}");
            as_rebuilt(&places, &shown, "caught up");
            let path = |file: u8| format!("src/file{file}.rs");
            match what {
                Meanwhile::Forget { file, orphans } => code.forget(&path(file), orphans),
                Meanwhile::Index { file, symbols, orphans } => {
                    let of = |bit: &usize| symbols & (1 << bit) != 0;
                    let symbols: Vec<&str> = (0..3).filter(of).map(|bit| SYMBOLS[bit]).collect();
                    code.index(&path(file), &symbols, orphans);
                }
            }
            let before = code.dump();
            // What is recorded after it is caught up together with it.
            reached += later;
            let shown = history.up_to(reached);
            let report = catch_up_by(&places, &shown, batch);
            prop_assert!(report.is_current(), "{report:?}");
            as_rebuilt(&places, &shown, "linked again");
            prop_assert_eq!(code.dump(), before);
        }
    }
}
