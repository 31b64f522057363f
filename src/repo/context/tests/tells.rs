//! What packs tell.

use super::{Ground, items};
use crate::event::Body;
use crate::journal::ReplayItem;
use crate::repo::context::{ContextAsked, refresh_tree};
use crate::repo::pack::SectionName;

#[test]
fn a_pack_tells_the_memory_and_the_map_of_the_tree() {
    let ground = Ground::new(&[("src/main.rs", "fn main() {\n"), ("README.md", "# Shop\n")]);
    ground.convention("Errors", "name the place\n## Notes\n- none");
    ground.decision("one journal", &["src/journal"]);
    ground.note("cargo is slow here");
    ground.summary("step-1", "What happened: 3 executions");
    ground.summary("step-2", "What happened: 1 execution");
    let text = ground.text();
    assert_eq!(
        text,
        "## Conventions\n- Errors: name the place\n    \\## Notes\n    - none\n\n\
         ## Decisions\n- one journal (src/journal): for a reason\n\n\
         ## Notes\n- (manual) cargo is slow here\n\n\
         ## Latest summaries\n- run step-1: What happened: 3 executions\n\
         - run step-2: What happened: 1 execution\n\n\
         ## Repo map\n- the whole tree: 2 files (Markdown 1, Rust 1)\n- src/: 1 file (Rust 1)\n\
         - README.md: # Shop\n- src/main.rs: fn main"
    );
    let one = ContextAsked { summaries_max: Some(1), no_map: true, ..ContextAsked::default() };
    let told = ground.ask(&one);
    let (summaries, left_out) = items(&told, SectionName::Summaries);
    assert_eq!(
        (summaries, left_out),
        (vec!["run step-2: What happened: 1 execution".to_owned()], 1)
    );
    assert!(told.pack.text.ends_with("## Left out\n- 1 summary"), "{}", told.pack.text);
    assert!(!told.pack.text.contains("Repo map"));
}

#[test]
fn decisions_that_touch_the_paths_at_hand_alone_are_told() {
    let ground = Ground::new(&[]);
    ground.decision("files", &["src/files/**"]);
    ground.decision("everywhere", &[]);
    ground.decision("the journal", &["src/journal"]);
    let about = |paths: &[&str]| {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let told = ground.ask(&ContextAsked { paths, ..ContextAsked::default() });
        let (items, left_out) = items(&told, SectionName::Decisions);
        let items = items.iter().map(|it| it.split([' ', ':']).next().unwrap().to_owned());
        (items.collect::<Vec<_>>().join(","), left_out)
    };
    assert_eq!(about(&["src/journal/a.rs"]), ("the".to_owned(), 2));
    assert_eq!(about(&["src/files/a/b.rs", "src/journal"]), ("the,files".to_owned(), 1));
    assert_eq!(about(&["docs"]), (String::new(), 3));
    assert_eq!(about(&[]), ("the,everywhere,files".to_owned(), 0));
    let paths = vec!["src/journal/a.rs".to_owned()];
    let text = ground.ask(&ContextAsked { paths, ..ContextAsked::default() }).pack.text;
    assert!(text.ends_with("## Left out\n- 2 decisions: everywhere; files"), "{text}");
}

#[test]
fn a_tree_is_recorded_only_where_it_looks_otherwise() {
    let ground = Ground::new(&[("a.rs", "fn a() {\n    1\n}\n")]);
    let stored = || {
        let project = ground.project();
        let reader = project.reader().unwrap();
        let is_index = |item: &ReplayItem| matches!(item, ReplayItem::Event(it) if matches!(it.event.body, Body::IndexStored(_)));
        let all = reader.replay(crate::event::Sequence(0), None);
        all.filter_map(Result::ok).filter(|item| is_index(item)).count()
    };
    let refresh = || refresh_tree(&ground.project()).unwrap().recorded.is_some();
    assert!(refresh());
    assert!(!refresh());
    // A keystroke changes nothing that a map tells.
    ground.write("a.rs", "fn a() {\n    1 + 1\n}\n// grown\n");
    assert!(!refresh());
    assert_eq!(stored(), 1);
    ground.write("a.rs", "fn a() {}\nfn b() {}\n");
    assert!(refresh());
    assert_eq!(stored(), 2);
    // No graph at all: the map is told without it.
    ground.write("codegraph.db", "no database");
    let seen = refresh_tree(&ground.project()).unwrap();
    assert!(seen.symbols_lag.is_some() && seen.recorded.is_none());
}

#[test]
fn a_tree_that_cannot_be_remembered_is_told_all_the_same() {
    let ground = Ground::new(&[("a.rs", "fn a() {}\n")]);
    ground.write(".annals/packs", "no folder");
    let seen = refresh_tree(&ground.project()).unwrap();
    assert!(seen.recorded.is_some());
    assert!(ground.text().contains("a.rs: fn a"));
}
