//! `annals replay`: against the transcript it was imported from, over damage, in parts, by key.

pub mod keys;
mod transcripts;

use annals::internal::event::{
    Body, Content, Envelope, Event, PromptSubmitted, SessionId, Source, encode,
};
use annals_journal_format::JournalId;
use annals_journal_format::storage::FsStorage;
use annals_journal_format::writer::{Record, Writer, WriterOptions};
use serde_json::Value;

use crate::project::{Project, Ran};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// A project with a session of a failing and a passing check, and an open call.
fn checked() -> Project {
    let project = Project::new();
    let lines = concat!(
        r#"{"tool":"file_read","arguments":{"path":"src/a.rs"},"paths":["src/a.rs"],"stdout":"fn f() {}\n","session":"s","agent":"x","call":"c1"}"#,
        "\n",
        r#"{"tool":"lsp_check","arguments":{"path":"src/a.rs"},"paths":["src/a.rs"],"exit_code":101,"stderr":"error[E0425]","diagnostics":[{"level":"error","message":"cannot find value","file_name":"src/a.rs","line_start":3,"code":"E0425"}],"session":"s","agent":"x","call":"c2"}"#,
        "\n",
        r#"{"tool":"splice_patch","arguments":{"file":"src/a.rs"},"paths":["src/a.rs"],"symbols":["f"],"session":"s","agent":"x","call":"c3"}"#,
        "\n",
        r#"{"tool":"lsp_check","arguments":{"path":"src/a.rs"},"paths":["src/a.rs"],"exit_code":0,"session":"s","agent":"x","call":"c4"}"#,
        "\n",
    );
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
    project
}

#[test]
fn the_stores_of_the_last_step_are_the_stores() {
    let project = checked();
    let steps = lines(&project.annals(["replay", "--format", "jsonl"]).code(0).out());
    let last = &steps[steps.len() - 2]["stores"];
    let counts = &project.annals(["status", "--json"]).json()["counts"];
    for name in ["sessions", "prompts", "calls", "ok", "failed", "open"] {
        assert_eq!(last[name], counts[name], "{name}");
    }
    assert_eq!((&last["rows"], &last["pending"]), (&Value::from(4), &Value::from(0)));
    let of = |no: u64| steps.iter().find(|step| step["added"]["row"] == no).expect("a row");
    assert_eq!(of(2)["added"]["pending"], true);
    assert_eq!(of(4)["added"]["resolved"][0], of(2)["added"]["execution"]);
    let edges = of(3)["added"]["graph"]["edges"].as_array().unwrap();
    let told: Vec<String> = edges
        .iter()
        .map(|edge| format!("{} {} {}", edge["edge"], edge["word"], edge["to"]))
        .collect();
    assert_eq!(
        told,
        [
            r#""EXECUTED_ON" "patch" "src/a.rs""#,
            r#""AFFECTED" "patched" "src/a.rs""#,
            r#""REFERENCED" "target_symbol" "f""#
        ]
    );
    assert_eq!(of(2)["added"]["graph"]["edges"][1]["edge"], "PRODUCED");
    let text = project.annals(["replay"]).code(0).out();
    for said in [
        "failed   lsp_check  src/a.rs  exit 101",
        "| error[E0425] src/a.rs:3: cannot find value",
        "+ row 2 (stderr, diagnostics) | 2 rows, 2 calls, 1 failed, 1 pending, 0 prompts",
        "resolves a failure",
        "The journal verified",
        "Every record was shown.",
    ] {
        assert!(text.contains(said), "no {said:?} in\n{text}");
    }
}

#[test]
fn a_part_is_told_as_it_is_named() {
    let project = checked();
    let id =
        project.annals(["show", "2", "--json"]).json()["execution"].as_str().unwrap().to_owned();
    let session = project.annals(["sessions", "--json"]).json()[0]["session"].clone();
    let (begin, session) = (&id[..id.len() - 3], &session.as_str().unwrap()[..8]);
    let whole = lines(&project.annals(["replay", "--format", "jsonl"]).out());
    let of = |no: u64| whole.iter().find(|step| step["added"]["row"] == no).unwrap();
    let second = (of(2)["started_sequence"].as_u64().unwrap(), of(2)["sequence"].as_u64().unwrap());
    let last = whole.iter().filter_map(|step| step["sequence"].as_u64()).max().unwrap();
    let fourth = (of(4)["started_sequence"].as_u64().unwrap(), of(4)["sequence"].as_u64().unwrap());
    for (words, expect) in [
        (vec!["--from", "2", "--to", "2"], second),
        (vec!["--from", begin, "--to", begin], second),
        (vec!["--from", "last", "--to", "last"], fourth),
        (vec!["--from", "@3", "--to", "@4"], (3, 4)),
        (vec!["--from", session, "--to", "@7"], (3, 7)),
        (vec!["--from", "2", "--to", "@999"], (second.0, last)),
        (vec!["--from", "1h"], (1, last)),
        (vec!["--at", "@5"], (1, 5)),
        (vec!["--session", "s", "--to", "1"], (3, of(1)["sequence"].as_u64().unwrap())),
    ] {
        let words = ["replay", "--format", "jsonl"].iter().chain(&words);
        let steps = lines(&project.annals(words).code(0).out());
        let places: Vec<u64> = steps.iter().filter_map(|step| step["sequence"].as_u64()).collect();
        assert_eq!((places[0], places[places.len() - 1]), expect, "{steps:#?}");
        let before = &whole[places[places.len() - 1] as usize - 1]["stores"];
        assert_eq!(&steps[steps.len() - 2]["stores"], before, "the stores are the whole journal's");
    }
    for (words, said) in [
        (["--from", "77"], "nothing in the journal is \"77\""),
        (["--to", "ffffffff"], "nothing in the journal"),
        (["--session", "nobody"], "no session in the journal"),
        (["--from", "next tuesday"], "names no execution"),
        (["--speed", "0"], "above 0"),
    ] {
        project.annals(["replay"].iter().chain(&words)).code(2).says(said);
    }
    let future = project.annals(["replay", "--from", "2200-01-01"]).code(0);
    future.says("0 steps shown");
}

#[test]
fn what_cannot_be_shown_is_named_and_the_exit_code_is_verifys() {
    let project = checked();
    let clean = project.annals(["replay", "--json"]).code(0).out();
    let segment = project.segment();
    let copy = project.path("copy.seg");
    std::fs::copy(&segment, &copy).unwrap();
    std::fs::remove_dir_all(project.path(".annals")).unwrap();
    std::fs::remove_file(project.path("execution_log.db")).unwrap();

    let folder = project.path("journal");
    std::fs::create_dir(&folder).unwrap();
    let lone = folder.join(segment.file_name().unwrap());
    std::fs::rename(&copy, &lone).unwrap();
    let again = project.annals(["--dir", lone.to_str().unwrap(), "replay", "--json"]).code(0).out();
    assert_eq!(again.lines().count(), clean.lines().count(), "a lone segment is told whole");

    let mut bytes = std::fs::read(&lone).unwrap();
    let at = bytes.windows(12).position(|part| part == b"cannot find ").expect("a diagnostic");
    bytes[at] ^= 1;
    std::fs::write(&lone, &bytes).unwrap();
    let steps = project.annals(["--dir", "journal", "replay", "--json"]).code(3).out();
    let steps = lines(&steps);
    let end = steps.last().unwrap();
    assert_eq!((&end["verified"], &end["damaged"]), (&Value::from(false), &Value::from(true)));
    let lost = end["not_shown"]["lost"][0][0].as_u64().expect("a lost event");
    assert!(steps.iter().any(|step| step["what"] == "lost" && step["sequence"] == lost));
    let text = project.annals(["--dir", "journal", "replay"]).code(3).out();
    assert!(text.contains(&format!("Not shown, lost: @{lost}")), "{text}");
    assert!(text.contains("did NOT verify"), "{text}");
    // A part that the damage does not touch verifies.
    let before = format!("@{}", lost - 1);
    let part = project.annals(["--dir", "journal", "replay", "--to", &before]).code(0);
    part.says("The journal verified over this part");
    let left: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, std::slice::from_ref(&lone), "nothing was written beside it");
    assert_eq!(std::fs::read(&lone).unwrap(), bytes);
}

#[test]
fn kinds_that_a_later_annals_writes_are_named_with_their_number() {
    let project = checked();
    let journal = project.path(".annals/journal");
    let options = WriterOptions::new([7; 32]);
    let (writer, _) = Writer::open(FsStorage, &journal, options).unwrap();
    for (kind, skippable) in [(0x0999, true), (0x0998, false)] {
        let time_ms = 1_766_534_400_000;
        let record = Record { kind, version: 1, time_ms, skippable, payload: b"later" };
        writer.append(&[record]).unwrap();
    }
    drop(writer);
    let ran = project.annals(["replay"]).code(0);
    for said in [
        "event of unknown kind 0x0999",
        "0x0998: cannot be read",
        "Not shown, this build cannot read: @",
        "Not shown, of kinds this build does not know: @",
    ] {
        assert!(ran.out().contains(said), "no {said:?} in\n{}", ran.out());
    }
    let steps = lines(&project.annals(["replay", "--json"]).code(0).out());
    let of = |what: &str| steps.iter().find(|step| step["what"] == what).unwrap().clone();
    assert_eq!(of("unknown")["kind_number"], 0x0999);
    assert_eq!(of("undecodable")["kind_number"], 0x0998);
    let exported = project.annals(["export", "jsonl"]).code(1).out();
    assert!(exported.contains(r#""kind_number":2457,"what":"unknown""#), "{exported}");
}

#[test]
fn bundles_and_copies_that_may_not_be_written_are_replayed_exported_and_asked() {
    let project = checked();
    project.annals(["bundle", "x.bundle"]).code(0);
    let whole = project.annals(["replay", "--json"]).code(0).out();
    let steps = |text: &str| {
        let steps = lines(text).into_iter().filter(|step| step["what"] == "event");
        steps.map(|step| step["event"].clone()).collect::<Vec<_>>()
    };
    for words in [["--dir", "x.bundle"], ["--dir", ".annals/journal"], ["--dir", "."]] {
        let words = |more: &[&'static str]| {
            ["--evidence"].iter().chain(&words).chain(more).copied().collect::<Vec<_>>()
        };
        let told = project.annals(words(&["replay", "--json"])).code(0).out();
        assert_eq!(steps(&told), steps(&whole));
        let rows = project.annals(words(&["export", "csv", "executions"])).code(0).out();
        assert_eq!(rows.lines().count(), 5);
        let events = project.annals(words(&["export", "jsonl"])).code(0).out();
        assert_eq!(events.lines().count(), steps(&whole).len());
        project.annals(words(&["sql", "SELECT count(*) AS n FROM executions"])).code(0).says("4");
    }
}

#[test]
fn a_later_segment_alone_is_told_without_what_came_before_it() {
    let project = Project::empty();
    let journal = project.path("journal");
    std::fs::create_dir(&journal).unwrap();
    let options = WriterOptions { segment_bytes_max: 16 << 10, ..WriterOptions::new([9; 32]) };
    let writer = Writer::create(FsStorage, &journal, JournalId([3; 16]), options).unwrap();
    let session = Some(SessionId([4; 16]));
    for at in 0..40_u64 {
        // What cannot be made much smaller.
        let noise = |it: u64| {
            char::from(b'a' + (blake3::hash(&(at * 2_000 + it).to_le_bytes()).as_bytes()[0] % 26))
        };
        let noise: String = (0..1_800).map(noise).collect();
        let text = Content::Inline(format!("prompt {at} {noise}").into_bytes());
        let body = Body::PromptSubmitted(PromptSubmitted {
            text,
            native_id: None,
            actor: None,
            attachments: Vec::new(),
        });
        let time_ms = 1_766_534_400_000 + at;
        let envelope = Envelope::new(session, Source::Live, time_ms);
        let mut payload = Vec::new();
        let kind = body.kind().0;
        encode(&Event { envelope, body }, &mut payload).unwrap();
        let record = Record { kind, version: 2, time_ms, skippable: false, payload: &payload };
        writer.append(&[record]).unwrap();
    }
    drop(writer);
    let mut segments: Vec<_> =
        std::fs::read_dir(&journal).unwrap().map(|entry| entry.unwrap().path()).collect();
    segments.retain(|path| path.extension().is_some_and(|extension| extension == "seg"));
    segments.sort();
    assert!(segments.len() > 2, "{segments:?}");
    let mut told = 0;
    for segment in &segments {
        let alone = ["--dir", segment.to_str().unwrap(), "replay", "--json"];
        let steps = lines(&project.annals(alone).code(0).out());
        assert!(steps.iter().all(|step| step["what"] != "lost"), "{steps:#?}");
        told += steps.len() - 1;
    }
    assert_eq!(told, 40, "each prompt once");
    let whole = project.annals(["--dir", "journal", "replay"]).code(0).out();
    assert!(whole.contains("prompt 39 ") && whole.contains("40 steps shown."), "{whole}");
    let part = ["--dir", "journal", "replay", "--from", "@20", "--to", "@22"];
    project.annals(part).code(0).says("22 prompts").says("3 steps shown.");
}

#[test]
fn from_a_session_to_the_same_is_that_session() {
    let project = Project::new();
    let ids = [(); 2].map(|()| {
        let told = project.annals(["session", "start"]).code(0).out();
        told.trim().rsplit('=').next().expect("an id").to_owned()
    });
    for at in [0, 1, 0] {
        let mut run = project.command();
        Ran::of(run.env("ANNALS_SESSION", &ids[at]).args(["run", "--", "true"])).code(0);
    }
    let steps = |words: &[&str]| {
        let words = ["replay", "--format", "jsonl"].iter().chain(words);
        let mut steps = lines(&project.annals(words).code(0).out());
        steps.pop();
        steps
    };
    let [one, other] = &ids;
    let named = steps(&["--session", one]);
    assert!(named.len() > 4 && named == steps(&["--from", one, "--to", one]));
    assert!(steps(&["--from", one, "--to", other]).len() > named.len());
    assert!(steps(&["--from", one]).len() > named.len(), "open at its end");
}
