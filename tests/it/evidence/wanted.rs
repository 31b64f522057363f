//! A copy's stores are made as far as a question asks them, and answer as all of them do.

use std::fs;
use std::path::{Path, PathBuf};

use super::Evidence;
use crate::project::Ran;

const QUESTIONS: &[&str] = &[
    "log -n 5",
    "log --json",
    "log --failed",
    "log --grep echo",
    "sessions",
    "sessions --commits",
    "failures",
    "failures --json",
    "timeline",
    "stats",
    "stats loop",
    "show @3",
    "show 2",
    "show last --json",
    "search echo --json",
    "diff --json",
    "blame a",
    "query latest a",
    "log --at @5",
];

fn said(ran: &Ran) -> (String, String, Option<i32>) {
    (ran.out(), ran.err(), ran.output.status.code())
}

/// The stores that lie in the cache.
fn made(cache: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(cache.join("annals")).expect("a cache").flatten();
    for entry in entries.filter(|it| it.path().join("held").exists()) {
        for (store, place) in
            [("index", ".annals/index.db"), ("log", "execution_log.db"), ("graph", "codegraph.db")]
        {
            found.extend(entry.path().join(place).exists().then(|| store.to_owned()));
        }
    }
    found
}

#[test]
fn a_question_makes_the_stores_it_asks_and_answers_as_all_of_them_do() {
    let evidence = Evidence::new();
    let copied = evidence.copy("copied");
    let all: Vec<_> = {
        evidence.run(&copied, "--evidence trace last").code(0);
        assert_eq!(made(&evidence.cache()), ["index", "log", "graph"]);
        QUESTIONS
            .iter()
            .map(|it| said(&evidence.run(&copied, &format!("--evidence {it}"))))
            .collect()
    };
    let anew = |question: &str| {
        fs::remove_dir_all(evidence.cache()).expect("removed");
        evidence.run(&copied, &format!("--evidence {question}"))
    };
    for (question, all) in QUESTIONS.iter().zip(&all) {
        assert_eq!(&said(&anew(question)), all, "{question}");
    }
    // What another question asks is made beside what is there.
    anew("log");
    assert_eq!(made(&evidence.cache()), ["index"]);
    assert_eq!(said(&evidence.run(&copied, "--evidence show 2")), all[12]);
    assert_eq!(made(&evidence.cache()), ["index"]);
    assert_eq!(said(&evidence.run(&copied, "--evidence log --grep echo")), all[3]);
    assert_eq!(made(&evidence.cache()), ["index", "log"]);
    let trace = said(&evidence.run(&copied, "--evidence trace last"));
    assert_eq!(made(&evidence.cache()), ["index", "log", "graph"]);
    assert_eq!(said(&anew("trace last")), trace);
}

#[test]
fn what_was_made_and_changed_since_is_made_again() {
    let evidence = Evidence::new();
    let copied = evidence.copy("copied");
    let ask = |question: &str| said(&evidence.run(&copied, &format!("--evidence {question}")));
    let told: Vec<_> = ["stats", "log --json", "sessions"].map(ask).to_vec();
    let entries = fs::read_dir(evidence.cache().join("annals")).expect("a cache").flatten();
    let stores = entries.map(|it| it.path().join(".annals/index.db"));
    let index = stores.into_iter().find(|it| it.exists()).expect("an index");
    let sound = fs::read(&index).expect("read");
    let inode = || std::os::unix::fs::MetadataExt::ino(&fs::metadata(&index).expect("there"));
    let made = (inode(), fs::metadata(&index).expect("there").modified().expect("a time"));
    evidence.run(&copied, "--evidence status").code(0);
    evidence.run(&copied, "--evidence stats").code(0);
    let there = (inode(), fs::metadata(&index).expect("there").modified().expect("a time"));
    assert_eq!(there, made, "what did not change is not made again");
    for page in [3, 8, 11, 19, 30] {
        let mut bytes = fs::read(&index).unwrap_or_else(|_| sound.clone());
        let at = (page * 4096).min(bytes.len().saturating_sub(4096));
        bytes[at..at + 4096].fill(0);
        fs::write(&index, bytes).expect("written");
        assert_eq!(["stats", "log --json", "sessions"].map(ask).to_vec(), told, "page {page}");
    }
}

#[test]
fn first_questions_at_once_make_what_each_asks() {
    let evidence = Evidence::new();
    let copied = evidence.copy("copied");
    for _ in 0..4 {
        drop(fs::remove_dir_all(evidence.cache()));
        let questions = ["log", "trace last", "status", "log --grep echo", "diff"];
        let asked = questions.map(|it| (it, format!("--evidence {it}")));
        std::thread::scope(|scope| {
            for (question, words) in &asked {
                let (evidence, copied) = (&evidence, &copied);
                scope.spawn(move || {
                    let ran = evidence.run(copied, words);
                    assert_eq!(ran.output.status.code(), Some(0), "{question}: {}", ran.err());
                });
            }
        });
    }
}

#[test]
fn a_damaged_copy_is_told_by_whichever_question_comes_first() {
    let evidence = Evidence::new();
    let copied = evidence.copy("copied");
    let journal = fs::read_dir(copied.join(".annals/journal")).expect("a journal").flatten();
    let segment: PathBuf = journal
        .map(|it| it.path())
        .find(|it| it.extension().is_some_and(|it| it == "seg"))
        .expect("one");
    let mut bytes = fs::read(&segment).expect("read");
    // In the middle of what is written.
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("frames");
    bytes[4096 + (end - 4096) / 2] ^= 0x40;
    fs::write(&segment, bytes).expect("written");
    let first = said(&evidence.run(&copied, "--evidence verify"));
    assert_eq!(first.2, Some(3), "{first:?}");
    for question in ["log", "show @3", "sessions", "failures", "timeline", "trace last"] {
        let ran = evidence.run(&copied, &format!("--evidence {question}"));
        assert_eq!(ran.output.status.code(), Some(3), "{question}: {}", ran.err());
        assert!(ran.err().contains("is damaged"), "{question}: {}", ran.err());
        fs::remove_dir_all(evidence.cache()).expect("removed");
    }
}

#[test]
fn a_graph_that_is_gone_or_damaged_in_the_cache_is_made_again() {
    let evidence = Evidence::new();
    let copied = evidence.copy("copied");
    let ask = || said(&evidence.run(&copied, "--evidence export jsonl edges"));
    let told = ask();
    assert!(told.0.contains("EXECUTED_ON") && told.2 == Some(0), "{told:?}");
    let graph = || {
        let entries = fs::read_dir(evidence.cache().join("annals")).expect("a cache").flatten();
        let mut graphs = entries.map(|it| it.path().join("codegraph.db")).filter(|it| it.is_file());
        graphs.next().expect("a graph")
    };
    fs::remove_file(graph()).expect("it is there");
    assert_eq!(ask(), told);
    fs::write(graph(), "no database").expect("it is there");
    assert_eq!(ask(), told);
}
