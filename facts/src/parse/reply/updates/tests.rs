//! What a block asks for: each key of spec 003's table, its alias, and its types.

use super::{
    ArchivalChange, ArchivalWrite, CoreWrite, MemorySearch, Operation, RecallEvict, RecallWrite,
    Updates,
};

fn read(json: &str) -> Updates {
    Updates::parse(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

fn core(key: &str, value: &str, importance: Option<u8>, ttl: Option<&str>) -> CoreWrite {
    let (key, value) = (key.to_owned(), value.to_owned());
    CoreWrite { key, value, importance, ttl: ttl.map(str::to_owned) }
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|it| (*it).to_owned()).collect()
}

#[test]
fn every_key_and_its_alias_mean_the_same() {
    let values = [
        (Operation::CoreSet, r#"{"a":"1"}"#),
        (Operation::CoreGet, r#"["a","b"]"#),
        (Operation::CoreDelete, r#"["a"]"#),
        (Operation::ArchivalWrite, r#"[{"text":"t","tags":["X"]}]"#),
        (Operation::ArchivalUpdate, r#"[{"id":1,"text":"t"}]"#),
        (Operation::ArchivalSearch, r#"{"query":"q","k":5}"#),
        (Operation::RecallAppend, r#"{"kind":"k","summary":"s"}"#),
        (Operation::RecallSearch, r#"{"query":"q"}"#),
        (Operation::RecallEvict, r#"{"oldest":2}"#),
        (Operation::RecallSummarize, "true"),
        (Operation::Consolidate, "true"),
    ];
    assert_eq!(values.len(), Operation::TABLE.len());
    for (operation, value) in values {
        let by_key = read(&format!("{{\"{}\":{value}}}", operation.key()));
        assert_eq!(by_key.asked(), [operation], "{value}");
        assert_eq!(by_key.has_reads(), operation.is_read());
        assert_eq!(by_key.is_read_only(), operation.is_read());
        assert!(!by_key.is_empty());
        if let Some(alias) = Operation::TABLE[operation as usize].2 {
            assert_eq!(read(&format!("{{\"{alias}\":{value}}}")), by_key);
        }
        let none = read(&format!("{{\"{}\":null}}", operation.key()));
        assert!(none.is_empty(), "null asks for nothing");
    }
    let all = values.map(|(operation, value)| format!("\"{}\":{value}", operation.key()));
    let all = read(&format!("{{{}}}", all.join(",")));
    assert_eq!(all.asked(), Operation::TABLE.map(|(it, ..)| it), "in order of application");
    assert!(all.has_reads() && !all.is_read_only());
}

#[test]
fn values_are_read_as_the_table_types_them() {
    let updates = read(
        r#"{"core":{"a":"1","b":2.5,"c":true,"d":["x"],"e":{"value":"v","importance":9,"ttl":60},
            "f":{"value":{"x":1},"importance":"2","ttl":"1h"}},
            "core_delete":"gone","core_get":["a","a"]}"#,
    );
    let want = [
        core("a", "1", None, None),
        core("b", "2.5", None, None),
        core("c", "true", None, None),
        core("d", r#"["x"]"#, None, None),
        core("e", "v", Some(5), Some("60")),
        core("f", r#"{"x":1}"#, Some(2), Some("1h")),
    ];
    assert_eq!(updates.core, want);
    assert_eq!(updates.core_delete, strings(&["gone"]));
    assert_eq!(updates.core_get, strings(&["a"]), "each key once");

    let updates = read(
        r#"{"archival":{"content":"t","tags":"X","meta":{"node_id":"n","refs":["a","b"],"x":null}},
            "archival_update":{"record_id":"7","tags":[]},
            "archival_search":{"query":"q","k":5000,"tags":["A","A"]},
            "recall":{"content":"s","refs":["r"],"phase":"draft"},
            "recall_search":{},"recall_evict":{"ids":["1",2,2],"kind":"k"},
            "recall_summarize":{},"consolidate":false,"zz":1,"other":2}"#,
    );
    let meta = [("node_id", "n"), ("refs", "a"), ("refs", "b")];
    let meta = meta.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    assert_eq!(updates.archival, [ArchivalWrite { text: "t".into(), tags: strings(&["X"]), meta }]);
    let change = ArchivalChange { id: 7, text: None, tags: Some(Vec::new()), meta: Vec::new() };
    assert_eq!(updates.archival_update, [change]);
    let tags = Some(strings(&["A"]));
    let search = MemorySearch { query: "q".into(), k: Some(100), tags };
    assert_eq!(updates.archival_search, Some(search));
    let recall = RecallWrite {
        kind: None,
        text: "s".into(),
        tags: Vec::new(),
        refs: strings(&["r"]),
        meta: Vec::new(),
        phase: Some("draft".into()),
    };
    assert_eq!(updates.recall, [recall]);
    assert_eq!(
        updates.recall_search,
        Some(MemorySearch { query: String::new(), k: None, tags: None })
    );
    let evict = RecallEvict { ids: vec![1, 2], kind: Some("k".into()), oldest: 0 };
    assert_eq!(updates.recall_evict, Some(evict));
    assert!(updates.recall_summarize && !updates.consolidate);
    assert_eq!(updates.unknown, strings(&["other", "zz"]), "kept aside and told");
}

#[test]
fn what_means_nothing_is_told_with_the_keys_that_do() {
    let updates = read(
        r#"{"cores":{"x":"1"},"core":{"a":{"value":"v","ttl":"10m"},"b":{"value":"v","ttl":60}}}"#,
    );
    let told: Vec<String> =
        updates.left_out().iter().map(|(at, why)| format!("{at}: {why}")).collect();
    let [unknown, ttl] = told.as_slice() else { panic!("{told:?}") };
    assert!(unknown.starts_with("cores: means nothing"), "{unknown}");
    assert!(unknown.contains("core, core_get, core_delete, archival,"), "{unknown}");
    assert_eq!(ttl, "core.a.ttl: \"10m\" is no number of seconds: the value is kept for ever");
    assert!(read(r#"{"core":{"a":"1"}}"#).left_out().is_empty());
    for nothing in [r#"{"cores":{"x":"1"}}"#, r#"{"zz":1,"core":{},"core_get":null}"#] {
        let error = Updates::parse(nothing).unwrap_err();
        assert_eq!(error.kind(), "unknown_keys", "{nothing}");
        assert!(error.to_string().contains("recall_summarize, consolidate"), "{error}");
    }
}

#[test]
fn a_key_is_bounded_and_its_error_names_its_beginning() {
    let set = |bytes: usize| format!("{{\"core\":{{\"{}\":1}}}}", "k".repeat(bytes));
    assert_eq!(read(&set(1_024)).core[0].key.len(), 1_024);
    let said = Updates::parse(&set(1_025)).unwrap_err().to_string();
    assert!(said.contains(&"k".repeat(80)) && !said.contains(&"k".repeat(81)), "{said}");
    assert!(said.contains("1025 bytes; at most 1024"), "{said}");
}

#[test]
fn a_wrong_value_is_an_error_that_names_its_place() {
    let cases = [
        (r#"{"core":["a"]}"#, "`core` is a list"),
        (r#"{"core":{"a":null}}"#, "`core.a` is null"),
        (r#"{"core":{"a":{"importance":5}}}"#, "`core.a` is an object"),
        (r#"{"core":{"a":{"value":"v","importance":"high"}}}"#, "`core.a.importance` is a text"),
        (r#"{"core":{"":"v"}}"#, "`core` has an empty key"),
        (r#"{"core_get":{"a":1}}"#, "`core_get` is an object"),
        (r#"{"core_get":[["a"]]}"#, "`core_get[0]` is a list"),
        (r#"{"archival":["text"]}"#, "`archival[0]` is a text"),
        (r#"{"archival":[{"tags":[]}]}"#, "`archival[0].text` is missing"),
        (r#"{"archival":[{"text":"  "}]}"#, "`archival[0].text` is empty"),
        (r#"{"archival":[{"text":"t"},{"text":5}]}"#, "`archival[1].text` is a number"),
        (r#"{"archival":[{"text":"t","meta":5}]}"#, "`archival[0].meta` is a number"),
        (r#"{"archival_update":[{"text":"t"}]}"#, "`archival_update[0].id` is missing"),
        (r#"{"archival_update":[{"id":-1}]}"#, "`archival_update[0].id` is a number"),
        (r#"{"archival_search":"q"}"#, "`archival_search` is a text"),
        (r#"{"archival_search":{"query":5}}"#, "`archival_search.query` is a number"),
        (r#"{"archival_search":{"k":0}}"#, "`archival_search.k` is 0"),
        (r#"{"recall":"s"}"#, "`recall` is a text"),
        (r#"{"recall_search":[]}"#, "`recall_search` is a list"),
        (r#"{"recall_evict":{}}"#, "`recall_evict` names no event"),
        (r#"{"recall_evict":5}"#, "`recall_evict` is a number"),
        (r#"{"recall_summarize":"yes"}"#, "`recall_summarize` is a text"),
        (r#"{"consolidate":1}"#, "`consolidate` is a number"),
        (
            r#"{"mem_core_get":5.5,"core_get":[]}"#,
            "`core_get` and `mem_core_get` name one operation",
        ),
    ];
    for (json, begins) in cases {
        let error = Updates::parse(json).expect_err(json).to_string();
        assert!(error.starts_with(begins), "{json}: {error}");
    }
}
