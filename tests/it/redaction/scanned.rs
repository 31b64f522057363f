//! `annals scan`: files, folders, journals and standard input, the place of each secret and nothing of it.

use std::os::unix::fs::symlink;

use annals::internal::event::{Body, Content, Envelope, Event, PromptSubmitted, Source};
use annals::internal::journal::{Durability, Journal, JournalOptions};
use serde_json::{Value, json};

use crate::project::{Project, Ran};

/// What no host of repositories takes for one.
pub fn secret() -> String {
    ["gh", "p_", "x7Rk2mQ9tLw4Zb8nVc3J", "h6Fd1Gs5Py0AeU1hZ"].concat()
}

/// Records a prompt as it is: what an older version, or a rule that was not yet there, let through.
pub fn plant(project: &Project, text: &[u8]) {
    let body = Body::PromptSubmitted(PromptSubmitted {
        text: Content::Inline(text.to_vec()),
        native_id: None,
        actor: None,
        attachments: Vec::new(),
    });
    let event = Event { envelope: Envelope::new(None, Source::Live, 1), body };
    let options = JournalOptions { durability: Durability::Buffered, ..JournalOptions::default() };
    let folder = project.path(".annals/journal");
    let (journal, _) = Journal::open(&folder, &[7; 48], options).expect("a journal");
    journal.append(&[event], 1).expect("recorded");
    journal.sync().expect("synced");
}

/// Holds that nothing of the secret was printed, and gives the document.
#[track_caller]
fn found(ran: Ran) -> Value {
    let secret = secret();
    for part in [&secret[..12], &secret[20..]] {
        assert!(!ran.out().contains(part) && !ran.err().contains(part), "{}", ran.out());
    }
    ran.json()
}

#[test]
fn files_of_every_kind_are_looked_over_and_the_rest_goes_on() {
    let project = Project::empty();
    let secret = secret();
    project.write("src/a.rs", &format!("fn f() {{\n    let t = \"{secret}\";\n}}\n"));
    project.write(".env", &format!("X=1\r\nGITHUB_TOKEN={secret}\r\n"));
    project.write("clean.txt", "nothing\n");
    project.write(&format!("{secret}.txt"), "nothing\n");
    let mut binary = vec![0_u8; (1 << 20) + (80 << 10)];
    binary[(1 << 20) - 10..][..secret.len()].copy_from_slice(secret.as_bytes());
    std::fs::write(project.path("data.bin"), binary).expect("written");
    let elsewhere = Project::empty();
    elsewhere.write("far.txt", &secret);
    symlink(elsewhere.root(), project.path("link")).expect("a link");
    let fifo = std::process::Command::new("mkfifo").arg(project.path("fifo")).status();
    assert!(fifo.is_ok_and(|status| status.success()));

    let told = found(project.annals(["scan", ".", "--json"]).code(1));
    let place = |one: &Value| {
        let path = one["path"].as_str().expect("a path").replace("./", "");
        format!("{path}:{}:{} {} {}", one["line"], one["column"], one["offset"], one["place"])
    };
    let all: Vec<_> = told["findings"].as_array().expect("findings").iter().map(place).collect();
    assert_eq!(
        all,
        [
            ".env:2:14 18 \"bytes\"".to_owned(),
            format!("data.bin:1:{} {} \"bytes\"", (1 << 20) - 9, (1 << 20) - 10),
            "[REDACTED:github-token].txt:null:null 0 \"name\"".to_owned(),
            "src/a.rs:2:14 22 \"bytes\"".to_owned(),
        ]
    );
    assert_eq!((&told["files"], &told["findings_count"]), (&json!(5), &json!(4)));

    // What cannot be read is said, and the rest looked at.
    let ran = project.annals(["scan", "none", "fifo", ".env"]).code(5);
    ran.says(".env:2:14").says("none:").says("fifo:").says("2 places could not be read");
    project.annals(["scan", "clean.txt"]).code(0).says("no secret found in 1 file");
    project.annals(["scan"]).code(2);
    project.annals(["scan", ".", "--max-findings", "1"]).code(1).says("… and 3 more findings");
}

#[test]
fn standard_input_is_looked_over() {
    let project = Project::empty();
    let text = format!("{{\"stdin\":\"export A={}\"}}\n", secret());
    let scan = |format: &[&str]| {
        let mut command = project.command();
        command.args(["scan", "-"]).args(format).write_stdin(text.clone());
        Ran::of(&mut command).code(1)
    };
    scan(&[]).says("-:1:").says("Next: revoke");
    let told = found(scan(&["--format", "jsonl"]));
    assert_eq!((&told["path"], &told["bytes"]), (&json!("-"), &json!(secret().len())));
}

#[test]
fn every_event_of_a_journal_is_looked_over_wherever_it_lies() {
    let project = Project::new();
    let secret = secret();
    let line = format!(r#"{{"tool":"bash_exec","arguments":{{"command":"echo {secret}"}}}}"#);
    Ran::of(project.command().arg("record").write_stdin(line)).code(0);
    let clean = found(project.annals(["scan", ".", "--json"]).code(0));
    assert_eq!((&clean["redacted"], &clean["journals"]), (&json!(1), &json!(1)));

    // Compressed, and no UTF-8: what a search for bytes does not find.
    let lead = "the same words again and again\n".repeat(200);
    plant(&project, &[lead.as_bytes(), secret.as_bytes(), b"\n\xff\n"].concat());
    project.annals(["bundle", "out.bundle"]).code(0);
    let segment = project.segment();
    for path in [".".as_ref(), ".annals".as_ref(), "out.bundle".as_ref(), segment.as_os_str()] {
        let ran = Ran::of(project.command().args(["scan", "--json", "--evidence"]).arg(path));
        let told = found(ran.code(1));
        let one = &told["findings"][0];
        let place = [&one["place"], &one["kind"], &one["field"], &one["offset"], &one["bytes"]];
        let kind = json!("PromptSubmitted");
        let (offset, bytes) = (json!(lead.len()), json!(secret.len()));
        assert_eq!(place, [&json!("event"), &kind, &json!("text"), &offset, &bytes], "{path:?}");
        assert!(one["sequence"].as_u64() > Some(2), "{one}");
    }
    let ran = project.annals(["scan", ".annals/journal"]).code(1);
    let told = ran.out();
    let next = told.lines().find_map(|line| line.trim().strip_prefix("Next: ")).expect("a command");
    let (_, command) = next.split_once("; annals ").expect("a command of ours");
    // Unasked it takes nothing out, and shows what it would.
    let shown = project.annals(command.split(' ')).code(2).out();
    assert!(shown.contains("again and again"), "{shown}");

    // Damaged, it is told and the rest looked at.
    let mut bytes = std::fs::read(&segment).expect("a segment");
    let at = bytes.windows(9).position(|it| it == b"bash_exec").expect("an event");
    bytes[at] ^= 1;
    std::fs::write(&segment, bytes).expect("written");
    project.annals(["scan", ".annals"]).code(3).says("1 secret found").says("could not be read");
    // What only calls itself a segment is looked over as bytes.
    project.write("x/none.seg", &format!("a\n{secret}"));
    project.annals(["scan", "x"]).code(5).says("x/none.seg:2:1");
}
