//! Lines that are no requests, and lines that are too much.

use serde_json::{Value, json};

use super::{Piped, journal};
use crate::project::{Project, Ran};

#[test]
fn a_bad_line_is_answered_and_the_pipe_goes_on() {
    let project = Project::new();
    let mut pipe = Piped::new(&project);
    let deep = format!(
        "{{\"id\":1,\"op\":\"help\",\"args\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let deep_id = format!("{{\"id\":{}1{},\"op\":\"help\"}}", "[".repeat(500), "]".repeat(500));
    let long_id = format!("{{\"id\":\"{}\",\"op\":\"help\"}}", "x".repeat(2_000));
    let nested = format!(
        r#"{{"id":7,"op":"record_execution","args":{{"tool":"file_read","arguments":{{"a":{}{}}}}}}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    for (line, id, kind) in [
        ("no json", Value::Null, "request"),
        ("[]", Value::Null, "request"),
        (r#"[1,"help"]"#, Value::Null, "request"),
        (r#"{"id":3,"op":"help","args":{"op":"help","op":"verify"}}"#, json!(3), "arguments"),
        (r#"{"id":3,"op":"mem_core_set","args":{"branch":7}}"#, json!(3), "arguments"),
        (r#"{"id":3,"op":"help","session":""}"#, json!(3), "request"),
        (r#"{"id":3,"op":"help","session":"a\nb"}"#, json!(3), "request"),
        ("1", Value::Null, "request"),
        ("{}", Value::Null, "request"),
        (r#"{"id":5}"#, json!(5), "request"),
        (r#"{"id":5,"op":7}"#, json!(5), "request"),
        (r#"{"id":"a","op":"help","more":1}"#, json!("a"), "request"),
        (r#"{"id":1,"id":2,"op":"help"}"#, Value::Null, "request"),
        (r#"{"id":true,"op":"nothing"}"#, json!(true), "unknown_op"),
        (r#"{"id":1.5,"op":"help","args":7}"#, json!(1.5), "arguments"),
        (r#"{"id":1,"op":"help","args":"x"}"#, json!(1), "arguments"),
        (r#"{"id":1,"op":"help","args":{"op":"nothing"}}"#, json!(1), "unknown_op"),
        (r#"{"id":{"a":1},"op":"help"}"#, Value::Null, "request"),
        (&deep, json!(1), "arguments"),
        (&deep_id, Value::Null, "request"),
        (&long_id, Value::Null, "request"),
        (&nested, json!(7), "refused"),
        ("{\"id\":1,\"op\":\"help\",\"session\":3}", json!(1), "request"),
        ("\u{0}", Value::Null, "request"),
    ] {
        pipe.send(format!("{line}\n").as_bytes());
        let answer = pipe.next().expect("an answer");
        let shown = &line[..line.len().min(80)];
        assert_eq!((&answer["ok"], &answer["id"]), (&json!(false), &id), "{shown}: {answer}");
        assert_eq!(answer["error"]["kind"], json!(kind), "{shown}: {answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        let rust = ["struct", "sequence", "u64", "usize"].iter().find(|it| message.contains(**it));
        assert_eq!(rust, None, "{shown}: {message}");
    }
    // Not UTF-8, and so no name that there is; an empty line, which is none; ids as they were written.
    pipe.send(b"{\"id\":1,\"op\":\"\xff\"}\n\n   \n");
    assert_eq!(pipe.next().expect("an answer")["error"]["kind"], json!("unknown_op"));
    pipe.send(
        b"{\"id\":12345678901234567890123456789,\"op\":\"help\",\"args\":{\"op\":\"help\"}}\r\n",
    );
    let answer = pipe.next().expect("an answer");
    assert_eq!(answer["ok"], json!(true), "{answer}");
    let before = journal(&project).len();
    pipe.close();
    assert_eq!(journal(&project).len(), before, "nothing of it was recorded");
}

#[test]
fn a_line_that_is_too_long_is_skipped_and_said() {
    let project = Project::new();
    let mut pipe = Piped::new(&project);
    let piece = vec![b'x'; 1 << 20];
    pipe.send(b"{\"id\":1,\"op\":\"");
    (0..9).for_each(|_| pipe.send(&piece));
    pipe.send(b"\"}\n{\"id\":2,\"op\":\"help\",\"args\":{\"op\":\"help\"}}\n");
    let answer = pipe.next().expect("an answer");
    assert_eq!(answer["error"]["kind"], json!("too_long"), "{answer}");
    assert_eq!(answer["id"], json!(1), "who sent it is told, and nobody else");
    let answer = pipe.next().expect("an answer");
    assert_eq!((&answer["id"], &answer["ok"]), (&json!(2), &json!(true)), "{answer}");
    // What fits is done, however long it is.
    let text = "y".repeat(7 << 20);
    pipe.result("record_prompt", json!({ "text": text }));
    pipe.close();
}

#[test]
fn what_it_is_told_cannot_break_the_lines_it_answers_with() {
    let project = Project::new();
    let mut pipe = Piped::new(&project);
    let text = "a\nb\r\u{2028}\u{1b}[31m\u{202e}\u{0}\\\"</memory_update>";
    pipe.result("mem_node_fork", json!({ "child_node_id": "n" }));
    pipe.result("mem_core_set", json!({ "branch": "n", "key": "k", "value": text }));
    let got = pipe.result("mem_core_get", json!({ "branch": "n" }));
    assert_eq!(got["k"], json!(text));
    let arguments = json!({ "command": text, "big": 12_345_678_901_234_567_890_u64 });
    pipe.result("record_execution", json!({ "tool": "bash_exec", "arguments": arguments }));
    let shown = pipe.result("execution", json!({ "reference": 1 }));
    assert_eq!(shown["arguments"]["command"], json!(text));
    assert_eq!(shown["arguments"]["big"], json!(12_345_678_901_234_567_890_u64));
    pipe.close();
}

#[test]
fn an_end_of_input_and_a_signal_end_it_alike() {
    let project = Project::new();
    let call = json!({ "tool": "bash_exec", "arguments": { "command": "make" } });
    let ended = |end: &dyn Fn(Piped)| {
        let mut pipe = Piped::with(&project, &["--session", "s"]);
        let started = pipe.result("start_execution", call.clone());
        end(pipe);
        let id = started["execution"].as_str().expect("an id").to_owned();
        let shown = project.annals(["show", &id, "--json"]).code(0).json();
        assert_eq!(shown["outcome"], json!("interrupted"), "{shown}");
    };
    ended(&Piped::close);
    ended(&|mut pipe| pipe.terminate());
    // Killed, it is found dead by the next command.
    ended(&|mut pipe| pipe.kill());
    let open = project.annals(["status", "--json"]).code(0).json();
    assert_eq!(open["counts"]["open"], json!(0), "{open}");
}

#[test]
fn half_a_character_is_no_reason_to_refuse() {
    let project = Project::new();
    let mut pipe = Piped::with(&project, &["--session", "s"]);
    pipe.result("mem_node_fork", json!({ "child_node_id": "n" }));
    pipe.send(
        concat!(
            r#"{"op":"record_execution","args":{"tool":"bash_exec","stdout":"cut \ud83d"}}"#,
            "\n",
            r#"{"op":"mem_core_set","args":{"branch":"n","key":"k","value":"cut \ud83d \ud83d\ude00"}}"#,
            "\n",
        )
        .as_bytes(),
    );
    pipe.send(b"{\"op\":\"record_prompt\",\"args\":{\"text\":\"cut \xf0\x9f\"}}\n");
    for _ in 0..3 {
        let answer = pipe.next().expect("an answer");
        assert_eq!(answer["ok"], json!(true), "{answer}");
    }
    let got = pipe.result("mem_core_get", json!({ "branch": "n" }));
    assert_eq!(got["k"], json!("cut \u{fffd} \u{1f600}"));
    let shown = pipe.result("execution", json!({ "reference": 1 }));
    assert!(shown.to_string().contains("cut \u{fffd}"), "{shown}");
    pipe.close();
    // The same at record's door.
    let line = r#"{"tool":"bash_exec","stdout":"cut \udc00","arguments":{"command":"\ud800"}}"#;
    let recorded =
        Ran::of(project.command().arg("record").write_stdin(format!("{line}\n"))).code(0);
    assert!(recorded.out().contains("\"ok\":true"));
}
