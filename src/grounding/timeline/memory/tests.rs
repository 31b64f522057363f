//! The notation: what is read, what is refused, and that both ways agree.

use proptest::prelude::*;

use super::{MemoryQuery, MemoryTopic};

#[test]
fn spec_001s_own_queries_are_read() {
    let base = MemoryQuery::default;
    let summary = || MemoryQuery { topic: MemoryTopic::TimelineSummary, ..base() };
    let cases = [
        ("memory_query(timeline_summary)", summary()),
        ("memory_query(timeline_summary, last=10)", MemoryQuery { last: Some(10), ..summary() }),
        (
            "memory_query(get_timeline_position)",
            MemoryQuery { topic: MemoryTopic::Position, ..base() },
        ),
        (
            "memory_query(get_recent_timeline, n=5)",
            MemoryQuery { topic: MemoryTopic::Recent, last: Some(5), ..base() },
        ),
        (
            "memory_query(\n    tool=\"lsp_check\",\n    success=true,\n    after_id=142\n)",
            MemoryQuery {
                tool: Some("lsp_check".into()),
                success: Some(true),
                after_id: Some(142),
                ..base()
            },
        ),
        (
            "memory_query(tool=\"X\", success=false)",
            MemoryQuery { tool: Some("X".into()), success: Some(false), ..base() },
        ),
        ("memory_query", base()),
        (" memory_query ( ) ", base()),
        ("timeline_summary, last=3,", MemoryQuery { last: Some(3), ..summary() }),
        ("after_id=#7", MemoryQuery { after_id: Some(7), ..base() }),
        (
            r#"memory_query(path='a "b".rs', symbol=foo::bar, project)"#,
            MemoryQuery {
                path: Some("a \"b\".rs".into()),
                symbol: Some("foo::bar".into()),
                project: true,
                ..base()
            },
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(MemoryQuery::parse(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn what_is_no_query_is_refused_with_its_reason() {
    let cases = [
        ("memory_query(", "closing parenthesis"),
        ("memory_query(nonsense)", "there is no query nonsense"),
        ("memory_query(toll=1)", "there is no parameter toll"),
        ("memory_query(success=maybe)", "takes true or false"),
        ("memory_query(last=-1)", "takes a number"),
        ("memory_query(last=99999999999999999999)", "takes a number"),
        ("memory_query(tool=\"x)", "a quote is open"),
        ("memory_query(tool=\"x\" success=true)", "a comma is missing"),
        ("memory_query(=3)", "a name is missing"),
        ("memory_query(query=what)", "there is no query what"),
        (&"x".repeat(5_000), "longer than"),
    ];
    for (text, why) in cases {
        let error = MemoryQuery::parse(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
        assert!(error.contains("memory_query(timeline_summary, last=10)"), "{error}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        topic in prop::sample::select(&[
            MemoryTopic::Executions, MemoryTopic::TimelineSummary, MemoryTopic::FailureLoops,
        ][..]),
        texts in prop::array::uniform4(prop::option::of("[^\\x00]{0,12}")),
        numbers in prop::array::uniform3(prop::option::of(any::<u32>())),
        success in any::<Option<bool>>(),
        project in any::<bool>(),
    ) {
        let [tool, path, symbol, session] = texts;
        let [after_id, before_id, last] = numbers;
        let query = MemoryQuery {
            topic, tool, path, symbol, session, success, project,
            after_id: after_id.map(u64::from),
            before_id: before_id.map(u64::from),
            last: last.map(|last| last as usize),
            diagnostic: None,
        };
        prop_assert_eq!(MemoryQuery::parse(&query.to_string()).unwrap(), query);
    }

    #[test]
    fn nothing_makes_it_panic(text in "\\PC{0,80}") {
        drop(MemoryQuery::parse(&text));
        drop(MemoryQuery::parse(&format!("memory_query({text})")));
    }
}
