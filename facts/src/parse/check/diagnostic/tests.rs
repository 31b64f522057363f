//! Diagnostics out of real outputs and hostile ones.

use super::{DIAGNOSTICS_LEN_MAX, Diagnostic, MESSAGE_BYTES_MAX, to_json};
use crate::parse::check::{RUST, diagnostics};

const CARGO_TEXT: &str = "\
    Checking demo v0.1.0 (/tmp/demo)
warning: unused variable: `y`
 --> src/main.rs:3:9
  |
3 |     let y = 1;
  |         ^ help: if this is intentional, prefix it with an underscore: `_y`
  |
  = note: `#[warn(unused_variables)]` (part of `#[warn(unused)]`) on by default

error[E0425]: cannot find value `x` in this scope
 --> src/main.rs:2:5
  |
2 |     x
  |     ^ not found in this scope

For more information about this error, try `rustc --explain E0425`.
warning: `demo` (bin \"demo\") generated 1 warning
error: could not compile `demo` (bin \"demo\") due to 1 previous error; 1 warning emitted
";

fn of(level: &str, message: &str, place: Option<(&str, u32)>, code: Option<&str>) -> Diagnostic {
    Diagnostic {
        level: level.to_owned(),
        message: message.to_owned(),
        file_name: place.map(|(file, _)| file.to_owned()),
        line_start: place.map(|(_, line)| line),
        code: code.map(str::to_owned),
    }
}

#[test]
fn what_compilers_print_becomes_the_contracts_objects() {
    let e0425 = "cannot find value `x` in this scope";
    let at = Some(("src/main.rs", 2));
    let cargo_json = format!(
        "{}\n{}\n{}\n",
        r#"{"reason":"compiler-message","package_id":"p","message":{"$message_type":"diagnostic","message":"M","code":{"code":"E0425","explanation":"…"},"level":"error","spans":[{"file_name":"other.rs","line_start":9,"is_primary":false},{"file_name":"src/main.rs","line_start":2,"is_primary":true}],"children":[],"rendered":"…"}}"#
            .replace("\"M\"", &format!("\"{e0425}\"")),
        r#"{"reason":"compiler-message","message":{"message":"aborting due to 1 previous error","code":null,"level":"error","spans":[]}}"#,
        r#"{"reason":"build-finished","success":false}"#,
    );
    let rustc_json = r#"{"$message_type":"diagnostic","message":"cannot find value `x` in this scope","code":{"code":"E0425"},"level":"error","spans":[{"file_name":"src/main.rs","line_start":2,"is_primary":true}]}"#;
    let only_error = vec![of("error", e0425, at, Some("E0425"))];
    let table: [(&str, &str, &str, Vec<Diagnostic>); 10] = [
        ("nothing", "", "", vec![]),
        (
            "text for people",
            "",
            CARGO_TEXT,
            vec![
                of("warning", "unused variable: `y`", Some(("src/main.rs", 3)), None),
                only_error[0].clone(),
            ],
        ),
        (
            "coloured text",
            "",
            "\u{1b}[0m\u{1b}[1m\u{1b}[38;5;9merror[E0425]\u{1b}[0m\u{1b}[0m\u{1b}[1m: cannot find value `x` in this scope\u{1b}[0m\n \u{1b}[0m\u{1b}[34m--> \u{1b}[0msrc/main.rs:2:5\n",
            only_error.clone(),
        ),
        ("cargo's JSON", &cargo_json, "error: could not compile", only_error.clone()),
        ("rustc's JSON", "", rustc_json, only_error.clone()),
        ("the same twice", &format!("{rustc_json}\n{rustc_json}"), "", only_error.clone()),
        (
            "an error that points nowhere",
            "",
            "error: linker `cc` not found\n",
            vec![of("error", "linker `cc` not found", None, None)],
        ),
        ("a remark", "", "warning: virtual workspace defaulting to resolver 1\n", vec![]),
        ("someone's JSON", "{\"message\":5}\n{\"reason\":\"x\"}\n{{{\n", "", vec![]),
        ("a torn place", "", "error: x\n --> :::\n", vec![of("error", "x", None, None)]),
    ];
    for (name, stdout, stderr, expect) in table {
        assert_eq!(diagnostics(RUST, stdout.as_bytes(), stderr.as_bytes()), expect, "{name}");
    }
}

#[test]
fn hostile_output_is_bounded() {
    let many: String = (0..DIAGNOSTICS_LEN_MAX + 50).map(|n| format!("error: {n}\n")).collect();
    assert_eq!(diagnostics(RUST, b"", many.as_bytes()).len(), DIAGNOSTICS_LEN_MAX);
    let long = format!("error: {}\n", "ü".repeat(MESSAGE_BYTES_MAX));
    assert_eq!(diagnostics(RUST, b"", long.as_bytes())[0].message.len(), MESSAGE_BYTES_MAX);
    assert!(diagnostics(RUST, &[0xff, 0x1b, b'[', 0xfe], b"\x1b[").is_empty());
    let deep = "{\"message\":".repeat(100_000);
    assert!(diagnostics(RUST, deep.as_bytes(), b"").is_empty());
}

#[test]
fn the_artifact_has_exactly_the_contracts_fields() {
    let json = to_json(&[of("error", "m", Some(("f.rs", 1)), Some("E0425"))]);
    let expect =
        r#"[{"level":"error","message":"m","file_name":"f.rs","line_start":1,"code":"E0425"}]"#;
    assert_eq!(json.expect("serializes").expect("not empty").0, expect);
    assert_eq!(to_json(&[]).expect("serializes"), None);
}
