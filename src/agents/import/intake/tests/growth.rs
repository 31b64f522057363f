//! What hooks read of a transcript while it grows.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use super::super::growth::import_part;
use super::{project, recorded};
use crate::agents::Agent;
use crate::agents::import::{ImportReport, ImportRequest, import, import_growth};
use crate::event::{Body, Content};
use crate::journal::Project;

const SESSION: &str = "11111111-2222-4333-8444-555555555555";

fn line(kind: &str, second: u64, message: &str) -> String {
    format!(
        r#"{{"type":"{kind}","uuid":"u{second}","sessionId":"{SESSION}","cwd":"/w","timestamp":"2026-01-05T12:00:{second:02}.000Z","message":{message}}}"#
    ) + "\n"
}

fn asked(second: u64, text: &str) -> String {
    line("user", second, &format!(r#"{{"role":"user","content":"{text}"}}"#))
}

fn said(second: u64, id: &str, model: &str, output: u64, block: &str) -> String {
    let usage = format!(r#"{{"input_tokens":8,"output_tokens":{output}}}"#);
    let message = format!(
        r#"{{"id":"{id}","role":"assistant","model":"{model}","usage":{usage},"content":[{block}]}}"#
    );
    line("assistant", second, &message)
}

fn text(text: &str) -> String {
    format!(r#"{{"type":"text","text":"{text}"}}"#)
}

fn append(path: &Path, bytes: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(bytes.as_bytes()).unwrap();
}

fn stop(project: &Project, path: &Path) -> ImportReport {
    import_growth(project, Agent::ClaudeCode, path, SESSION, true).unwrap().0
}

/// Of each message that is on record: its id, text and output tokens.
fn messages(project: &Project) -> Vec<(String, String, Option<u64>)> {
    let said = recorded(project).into_iter().filter_map(|it| match it.event.body {
        Body::AssistantSaid(said) => {
            let Content::Inline(text) = said.text else { panic!("a short text") };
            Some((said.native_id, String::from_utf8(text).unwrap(), said.usage.output))
        }
        _ => None,
    });
    said.collect()
}

fn told(id: &str, text: &str, output: u64) -> (String, String, Option<u64>) {
    (id.to_owned(), text.to_owned(), Some(output))
}

#[test]
fn a_stop_reads_on_from_where_the_last_one_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let path = dir.path().join("session.jsonl");
    let call = r#"{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}"#;
    let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}"#;
    append(&path, &asked(1, "look"));
    append(&path, &said(2, "msg_1", "one", 1, r#"{"type":"thinking","thinking":"hm"}"#));
    append(&path, &said(3, "msg_1", "one", 1, &text("First.")));
    append(&path, &said(4, "msg_1", "one", 30, call));
    append(&path, &line("user", 5, result));
    // The last line is being written.
    let last = said(6, "msg_2", "one", 7, &text("Done."));
    append(&path, &last[..40]);
    assert_eq!(stop(&project, &path).unreadable_lines, 0);
    assert_eq!(messages(&project), [told("msg_1", "First.", 30)]);
    append(&path, &last[40..]);
    let grown = stop(&project, &path);
    assert_eq!(messages(&project), [told("msg_1", "First.", 30), told("msg_2", "Done.", 7)]);
    // The message before is read again, since it might have gone on; what is before that is not.
    assert_eq!((grown.lines, grown.recorded), (5, 1), "{grown:?}");
    // A further turn, by another model; the last message grows after the stop.
    append(&path, &asked(7, "again"));
    append(&path, &said(8, "msg_3", "two", 2, &text("Half")));
    assert_eq!(stop(&project, &path).prompts, 1);
    append(&path, &said(9, "msg_3", "two", 20, &text("whole.")));
    stop(&project, &path);
    let known = messages(&project);
    assert_eq!(known[2..], [told("msg_3", "Half", 2), told("msg_3", "Half\nwhole.", 20)]);
    let changes = recorded(&project).into_iter().filter_map(|it| match it.event.body {
        Body::ModelChanged(changed) => Some((changed.from, changed.to)),
        _ => None,
    });
    assert_eq!(changes.collect::<Vec<_>>(), [(Some("one".to_owned()), "two".to_owned())]);
    // A later import of the same file adds nothing that is said.
    let request = ImportRequest { paths: vec![path.clone()], ..ImportRequest::default() };
    let events = |project: &Project| messages(project).len();
    let before = events(&project);
    import(&project, &request, &indicatif::ProgressBar::hidden()).unwrap();
    assert_eq!(events(&project), before);
    // A file that was written anew is read from its beginning.
    std::fs::write(
        &path,
        format!("{}{}", asked(10, "new"), said(11, "msg_4", "two", 3, &text("New."))),
    )
    .unwrap();
    assert_eq!(stop(&project, &path).lines, 2);
    assert_eq!(messages(&project).last(), Some(&told("msg_4", "New.", 3)));
}

#[test]
fn what_is_more_than_a_stop_reads_is_told_and_read_by_the_next_ones() {
    let part = |bytes_max: u64| {
        let dir = tempfile::tempdir().unwrap();
        let project = project(dir.path());
        let path = dir.path().join("session.jsonl");
        for at in 0..20 {
            append(&path, &asked(2 * at, "look"));
            append(&path, &said(2 * at + 1, &format!("msg_{at}"), "one", 3, &text("Seen.")));
        }
        let mut lefts = Vec::new();
        loop {
            let of = import_part(&project, Agent::ClaudeCode, &path, SESSION, (true, bytes_max));
            lefts.push(of.unwrap().1);
            if lefts.last() == Some(&0) || lefts.len() > 99 {
                return (lefts, messages(&project));
            }
        }
    };
    let (whole, parts) = (part(1 << 20), part(1_000));
    assert_eq!(whole.0, [0]);
    assert!(parts.0.len() > 4 && parts.0.is_sorted_by(|one, next| one > next), "{:?}", parts.0);
    assert_eq!((whole.1.len(), &whole.1), (20, &parts.1));
}

#[test]
fn no_secret_of_a_transcript_stands_in_what_is_remembered_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let path = dir.path().join("session.jsonl");
    let secret = "ghp_8Fq2LmZx7RtYw0Kp3VbNc5HjD1GsE9uA4oTi";
    append(&path, &asked(1, "look"));
    append(&path, &said(2, "msg_1", secret, 1, &text("First.")));
    append(&path, &asked(3, "again"));
    stop(&project, &path);
    let kept = std::fs::read_dir(project.sessions_dir()).unwrap();
    let kept: Vec<_> =
        kept.map(|it| std::fs::read_to_string(it.unwrap().path()).unwrap()).collect();
    assert!(kept.iter().any(|it| it.contains("offset")), "{kept:?}");
    assert!(kept.iter().all(|it| !it.contains(secret)), "{kept:?}");
}

#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let pipe = dir.path().join("pipe.jsonl");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    let report = stop(&project, &pipe);
    assert_eq!((report.skipped.len(), report.recorded), (1, 0), "{report:?}");
}

#[test]
fn answers_are_left_out_where_the_settings_say_so_and_thoughts_unless_they_do() {
    for (settings, said_texts, thoughts) in [
        ("", vec!["Hello."], vec![]),
        ("[record]\nthinking = true\n", vec!["Hello."], vec!["hm"]),
        ("[record]\nanswers = false\nthinking = true\n", vec![], vec![]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let before = project(dir.path());
        std::fs::write(before.config_path(), settings).unwrap();
        drop(before);
        let project = Project::open(dir.path()).unwrap();
        let path = dir.path().join("session.jsonl");
        append(&path, &asked(1, "greet"));
        append(&path, &said(2, "msg_1", "one", 1, r#"{"type":"thinking","thinking":"hm"}"#));
        append(&path, &said(3, "msg_1", "one", 9, &text("Hello.")));
        stop(&project, &path);
        let texts = messages(&project).into_iter().map(|it| it.1);
        assert_eq!(texts.collect::<Vec<_>>(), said_texts, "{settings}");
        let thinking = recorded(&project).into_iter().filter_map(|it| match it.event.body {
            Body::AssistantSaid(said) => said.thinking,
            _ => None,
        });
        let thoughts: Vec<_> =
            thoughts.into_iter().map(|it: &str| Content::from(it.to_owned())).collect();
        assert_eq!(thinking.collect::<Vec<_>>(), thoughts, "{settings}");
    }
}
