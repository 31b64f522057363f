//! What the times of documents come from, and how long they are kept by them.

use super::history::session;
use super::told::Told;
use crate::debug::query::RetentionRules;
use crate::event::*;

#[test]
fn one_that_was_escalated_is_kept_as_such_however_it_ends() {
    let mut told = Told::new();
    told.open(0, "a");
    told.open(1, "b");
    told.close(0, DebugStatus::Escalated);
    for id in [0, 1] {
        told.close(id, DebugStatus::Passed);
    }
    let rules = RetentionRules { days: 30, escalated_days: 90, learned_days: 60 };
    let debug = told.stores();
    let days = |id: u8| rules.days_of(&debug.debug().session(session(id)).unwrap().unwrap());
    assert_eq!((days(0), days(1)), (90, 30));
}

#[test]
fn an_imported_document_changed_when_it_came_where_its_time_cannot_be() {
    let mut told = Told::new();
    for time in ["yesterday", "2126-01-01T00:00:00Z"] {
        let document = format!(
            r#"{{"session_id":"x","file_path":"a","created_at":"{time}","updated_at":"{time}",
               "executions":[]}}"#
        );
        let at_ms = told.import(0, &document);
        let document = told.document(0).unwrap();
        assert_eq!(document.updated_at, Some(debug_time(at_ms)));
        assert_eq!(document.created_at.as_deref(), Some(time));
    }
}
