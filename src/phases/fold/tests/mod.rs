//! The logs of a node and of its prompts: where they lie, and what is in them.

mod document;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Experiments;
use crate::event::*;
use crate::store::folder::Folder;
use crate::store::projector::FilesProjector;
use crate::store::{Anomaly, Position, Projector};

fn experiment() -> Experiment {
    Experiment { run: "run-1".to_owned(), index: 3, name: "exp".to_owned() }
}

fn place(node: &str) -> NodePlace {
    NodePlace { experiment: experiment(), node: node.to_owned(), branch: "b".to_owned() }
}

fn prompt(label: &str, round: u64) -> PromptPlace {
    PromptPlace {
        experiment: experiment(),
        session: "s1".to_owned(),
        stage: "1_creative_research_1_first_attempt".to_owned(),
        label: label.to_owned(),
        counter: 1,
        round,
    }
}

fn inline(text: &str) -> Content {
    Content::Inline(text.as_bytes().to_vec())
}

fn completed(node: &str, phase: PhaseName, log: Content) -> Body {
    let (executions, duration_ms) = (Vec::new(), 7);
    Body::PhaseCompleted(PhaseCompleted { place: place(node), phase, log, executions, duration_ms })
}

fn failed(node: &str, phase: PhaseName, log: Content) -> Body {
    Body::PhaseFailed(PhaseFailed {
        place: place(node),
        phase,
        log,
        executions: Vec::new(),
        duration_ms: 7,
        error: "exit code 1".to_owned(),
    })
}

fn queried(label: &str, sections: &str, reply: &str) -> Body {
    Body::ModelQueried(ModelQueried {
        node: place("n1"),
        prompt: prompt(label, 0),
        sections: inline(sections),
        reply: inline(reply),
        error: None,
        duration_ms: 1_500,
    })
}

fn applied(operations: &str, prompt: Option<PromptPlace>) -> Body {
    Body::UpdatesApplied(UpdatesApplied {
        branch: "b".to_owned(),
        asked: Vec::new(),
        operations: Json(operations.to_owned()),
        began_ms: 1_706_123_456_000,
        ended_ms: 1_706_123_456_789,
        prompt,
        origin: MemoryOrigin::by(MemoryDoor::Model),
    })
}

fn rendered(no_limit: bool, prompt: Option<PromptPlace>) -> Body {
    Body::PromptRendered(PromptRendered {
        branch: "b".to_owned(),
        task_hint: Some("draft".to_owned()),
        budget_chars: 24_000,
        no_limit,
        rendered: inline("text"),
        rendered_chars: 15_432,
        core_count: 5,
        recall_count: 12,
        archival_count: 8,
        began_ms: 1_706_123_456_000,
        ended_ms: 1_706_123_456_100,
        prompt,
        origin: MemoryOrigin::by(MemoryDoor::Api),
    })
}

/// What these events make below a folder, and what was noted of them.
fn folded(bodies: &[Body]) -> (tempfile::TempDir, PathBuf, Vec<Anomaly>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("experiments");
    let mut projector = FilesProjector::<Experiments>::new(Folder::create(&path).unwrap());
    projector.begin().unwrap();
    for (sequence, body) in (1..).zip(bodies) {
        let envelope = Envelope::new(None, Source::Live, 1_706_123_456_789);
        let event = Event { envelope, body: body.clone() };
        let recorded = Recorded { sequence: Sequence(sequence), recorded_ms: 0, event };
        projector.apply(&recorded, None).unwrap();
    }
    let anomalies = projector.take_anomalies();
    projector.commit(Position { journal: [1; 16], sequence: 1, chain: [0; 32] }).unwrap();
    (folder, path, anomalies)
}

fn files(path: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => folders.push(entry),
                false => {
                    found.push(entry.strip_prefix(path).unwrap().to_string_lossy().into_owned());
                }
            }
        }
    }
    found.retain(|name| name != ".cursor.json");
    found.sort();
    found
}

#[test]
fn files_lie_where_the_document_says() {
    let (_folder, path, anomalies) = folded(&[
        completed("n1", PhaseName::Download, inline("$ pip install\n")),
        completed("n1", PhaseName::Coding, inline("a.c\n")),
        failed("n1", PhaseName::Compile, inline("$ cc\nno\n")),
        completed("n1", PhaseName::Compile, inline("$ cc\n")),
        completed(
            "n1",
            PhaseName::Run,
            Content::Truncated { head: b"begins".to_vec(), tail: b"ends".to_vec(), len: 1_000 },
        ),
        Body::ArtifactsAccepted(ArtifactsAccepted {
            place: place("n1"),
            artifacts: inline(r#"{"phase_artifacts":{},"constraints":{}}"#),
        }),
        queried("draft_attempt1", r#"{"Introduction":"Hello"}"#, "{}"),
        applied("[]", Some(prompt("draft_attempt1", 0))),
        rendered(false, Some(prompt("draft_attempt1", 0))),
        applied("[]", None),
        rendered(false, None),
    ]);
    let node = "run-1/logs/3-exp/phase_logs/node_n1";
    let session = "run-1/logs/3-exp/prompt_logs/s1";
    let expected = [
        format!("{node}/artifacts.json"),
        format!("{node}/compile.log"),
        format!("{node}/download.log"),
        format!("{node}/run.log"),
        format!("{session}/draft_attempt1_round0.json"),
        format!("{session}/draft_attempt1_round0.md"),
        format!("{session}/memory_injections.jsonl"),
        format!("{session}/memory_operations.jsonl"),
    ];
    assert_eq!(files(&path), expected);
    assert_eq!(anomalies, []);
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert_eq!(read(&format!("{node}/compile.log")), "$ cc\nno\n$ cc\n");
    assert_eq!(read(&format!("{node}/run.log")), "begins\n[… 990 bytes left out …]\nends");
    assert_eq!(
        read(&format!("{node}/artifacts.json")),
        r#"{"phase_artifacts":{},"constraints":{}}"#
    );
}

#[test]
fn lines_are_the_documents_to_the_letter() {
    let operations =
        r#"[{"key":"best_params","timestamp":1706123456.1,"type":"core_set","value":"v"}]"#;
    let at = || Some(prompt("draft_attempt1", 0));
    let (_folder, path, _) =
        folded(&[applied(operations, at()), rendered(false, at()), rendered(true, at())]);
    let session = path.join("run-1/logs/3-exp/prompt_logs/s1");
    let read = |name: &str| fs::read_to_string(session.join(name)).unwrap();
    assert_eq!(
        read("memory_operations.jsonl"),
        concat!(
            r#"{"timestamp":1706123456.789,"stage":"1_creative_research_1_first_attempt","#,
            r#""label":"draft_attempt1","counter":1,"timing":{"start_timestamp":1706123456.0,"#,
            r#""end_timestamp":1706123456.789,"duration_seconds":0.789},"operations_count":1,"#,
            r#""operations":[{"type":"core_set","timestamp":1706123456.1,"key":"best_params","#,
            "\"value\":\"v\"}]}\n"
        )
    );
    let injections = read("memory_injections.jsonl");
    let (first, second) = injections.split_once('\n').unwrap();
    assert_eq!(
        first,
        concat!(
            r#"{"timestamp":1706123456.789,"stage":"1_creative_research_1_first_attempt","#,
            r#""label":"draft_attempt1","task_hint":"draft","budget_chars":24000,"#,
            r#""rendered_chars":15432,"core_count":5,"recall_count":12,"archival_count":8,"#,
            r#""timing":{"start_timestamp":1706123456.0,"end_timestamp":1706123456.1,"#,
            r#""duration_seconds":0.1}}"#
        )
    );
    assert!(second.contains("\"budget_chars\":null"), "{second}");
}

#[test]
fn a_prompt_is_told_to_programs_and_to_people() {
    let sections = r#"{"Introduction":"Hello\nyou","Instructions":{"Response format":"JSON","Rules":["one","two"]},"Z":1,"A":{}}"#;
    let (_folder, path, _) = folded(&[queried("draft_attempt1", sections, "the reply")]);
    let session = path.join("run-1/logs/3-exp/prompt_logs/s1");
    let json = fs::read_to_string(session.join("draft_attempt1_round0.json")).unwrap();
    let read: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["prompt"], serde_json::from_str::<Value>(sections).unwrap());
    assert_eq!(read["response"], "the reply");
    assert_eq!((&read["round"], &read["duration_seconds"]), (&0.into(), &1.5.into()));
    assert_eq!(
        fs::read_to_string(session.join("draft_attempt1_round0.md")).unwrap(),
        "# Introduction\n\nHello\nyou\n\n# Instructions\n\n## Response format\n\nJSON\n\n## Rules\n\n\
         - one\n- two\n\n# Z\n\n1\n\n# A\n"
    );
}

#[test]
fn what_cannot_be_told_is_an_anomaly_and_stops_nothing() {
    use crate::store::AnomalyKind::{InvalidJson, LostContent};
    let gone = || Content::Blob { hash: [7; 32], len: 300_000 };
    let repeated = Content::Repeated { sequence: 1, hash: [7; 32], len: 5_000 };
    let deep = "[".repeat(5_000);
    let cases = [
        (completed("n1", PhaseName::Run, gone()), LostContent, 0),
        (failed("n1", PhaseName::Run, repeated), LostContent, 0),
        (
            Body::ArtifactsAccepted(ArtifactsAccepted { place: place("n1"), artifacts: gone() }),
            LostContent,
            0,
        ),
        (queried("d", "not JSON", "r"), InvalidJson, 2),
        (queried("d", &deep, "r"), InvalidJson, 2),
        (applied("{", Some(prompt("d", 0))), InvalidJson, 1),
    ];
    for (body, kind, made) in cases {
        let (_folder, path, anomalies) = folded(&[body]);
        let kinds: Vec<_> = anomalies.iter().map(|anomaly| anomaly.kind).collect();
        assert_eq!((kinds, files(&path).len()), (vec![kind], made), "{anomalies:?}");
    }
}

#[test]
fn hostile_names_stay_below_the_folder() {
    let long = "x".repeat(256);
    for name in ["../../../../../../tmp/x", "/etc", "..", "a\0b", ".cursor.json", &long] {
        let experiment = Experiment { run: name.to_owned(), index: 0, name: name.to_owned() };
        let node = NodePlace { experiment: experiment.clone(), ..place(name) };
        let prompt = PromptPlace { experiment, session: name.to_owned(), ..prompt(name, u64::MAX) };
        let Body::PhaseCompleted(ended) = completed(name, PhaseName::Run, inline("log")) else {
            unreachable!()
        };
        let (folder, path, _) = folded(&[
            Body::PhaseCompleted(PhaseCompleted { place: node, ..ended }),
            applied("[]", Some(prompt)),
        ]);
        let made = files(&path);
        assert_eq!(made.len(), 2, "{name}: {made:?}");
        assert!(made.iter().all(|file| file.split('/').count() == 6), "{name}: {made:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{name}");
    }
}
