//! One execution whole, with a log and without.

use proptest::prelude::*;

use super::history::any_history;
use super::{caught_up, places};
use crate::event::Sequence;
use crate::execution::log::RecordedTexts;
use crate::execution::query::{LogFilter, Reference, Stores};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(48),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_journal_says_of_an_execution_what_the_log_does(history in any_history()) {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        caught_up(&places, &history);
        let stores = Stores::open(&places).unwrap();
        let all = LogFilter { last: 1_000, corrected: true, ..LogFilter::default() };
        for row in stores.log(&all).unwrap().executions {
            let Some(ordinal) = row.ordinal else { continue };
            let found = stores.show(&Reference::Ordinal(ordinal)).unwrap();
            let texts = RecordedTexts::of(&history, &places, Sequence(row.sequence));
            let texts = texts.unwrap().unwrap();
            prop_assert_eq!(Some(texts.arguments_json), found.arguments_json);
            prop_assert_eq!(texts.error_message, found.error_message);
            prop_assert_eq!(texts.artifacts, found.artifacts);
        }
    }
}
