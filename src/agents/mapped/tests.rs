//! Toy agents, by their mappings.

use std::path::Path;

use super::*;

const TOY: &str = r#"agent = "toy"
session = "/run"
time = "/at"
time_format = "unix_ms"

[tools]
sh = "bash_exec"

[call]
when = { "/kind" = "do" }
id = "/no"
tool = "/what/tool"
arguments = "/what/with"

[result]
when = { "/kind" = "did" }
id = "/no"
output = "/out"
exit_code = "/code"
duration_s = "/took"

[prompt]
when = { "/kind" = "ask" }
text = "/text"
"#;

fn told(mapping: &str, lines: &[&str]) -> Vec<String> {
    let mapping = Arc::new(Mapping::of(mapping, Path::new("toy.toml")).unwrap());
    let mut mapped = Mapped { mapping, file: "f".to_owned() };
    let mut told = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut out = Vec::new();
        if let Err(flaw) = mapped.line(at as u64 + 1, line, &mut out) {
            told.push(format!("! {flaw}"));
        }
        for record in out {
            let head = format!("{:?} {:?}", record.head.session.unwrap(), record.head.at_ms);
            told.extend(record.parts.iter().map(|part| match part {
                Part::Call(it) => {
                    format!("{head} {} {} {} {}", it.id, it.tool, it.native_tool, it.arguments)
                }
                Part::Result(it) => {
                    format!(
                        "{head} {} {:?} {:?} {:?}",
                        it.id, it.outcome, it.exit_code, it.duration_ms
                    )
                }
                Part::Prompt(it) => format!("{head} asked {}", it.text),
                other => format!("{other:?}"),
            }));
        }
    }
    told
}

#[test]
fn a_toy_agent_is_read_by_its_mapping() {
    let lines = [
        r#"{"kind":"ask","run":"r1","at":1770000000000,"text":"go"}"#,
        r#"{"kind":"do","run":"r1","at":1770000001000,"no":1,"what":{"tool":"sh","with":"ls"}}"#,
        r#"{"kind":"did","run":"r1","at":1770000002000,"no":1,"out":"a","code":2,"took":0.5}"#,
        r#"{"kind":"do","run":"r1","no":2,"what":{"with":{}}}"#,
        r#"{"kind":"did","run":"r1","no":3,"code":"zz"}"#,
        r#"{"kind":"did","run":"r1","no":4,"code":"3"}"#,
        r#"{"kind":"do","run":"r1","at":"soon","no":5,"what":{"tool":"sh"}}"#,
        r#"{"kind":"rest"}"#,
        r#"{"kind":"#,
        "[1]",
        "",
    ];
    assert_eq!(
        told(TOY, &lines),
        [
            "\"r1\" Some(1770000000000) asked go",
            "\"r1\" Some(1770000001000) 1 bash_exec sh {\"command\":\"ls\"}",
            "\"r1\" Some(1770000002000) 1 Failed Some(2) Some(500)",
            &format!("! {}", Flaw::NotARecord),
            &format!("! {}", Flaw::NotARecord),
            "\"r1\" None 4 Failed Some(3) None",
            "\"r1\" None 5 bash_exec sh {}",
            &format!("! {}", Flaw::Torn),
            &format!("! {}", Flaw::NotARecord),
        ]
    );
    let whole = "agent = \"one\"\n[call]\ntool = \"/t\"\n[result]\nsuccess = \"/s\"\nsuccess_is = [\"ok\"]\nerror = \"/e\"\n";
    assert_eq!(
        told(whole, &[r#"{"t":"x","s":"ok"}"#, r#"{"t":"y","s":false,"e":"no"}"#]),
        [
            "\"f\" None line 1 x x {}",
            "\"f\" None line 1 Ok None None",
            "\"f\" None line 2 y y {}",
            "\"f\" None line 2 Failed None None",
        ]
    );
}

#[test]
fn what_is_wrong_in_a_mapping_is_named_by_line_and_key() {
    for (text, line, key, reason) in [
        ("agent = \"toy\"\n[call]\ntool = \"tool\"\n", 3, Some("tool"), "no JSON pointer"),
        (
            "agent = \"toy\"\n\n[call]\ntool = \"/t\"\nargs = \"/a\"\n",
            5,
            Some("args"),
            "unknown field",
        ),
        ("agent = \"codex\"\n[call]\ntool = \"/t\"\n", 1, Some("agent"), "a source of its own"),
        ("agent = \"a b\"\n", 1, Some("agent"), "letters"),
        ("agent = \"toy\"\ntime_format = \"days\"\n", 2, Some("time_format"), "unknown variant"),
        ("agent = \"toy\"\n", 2, None, "nothing would be read"),
        ("agent = \"toy\"\n[call]\nid = \"/i\"\n", 2, None, "missing field `tool`"),
        ("agent = \"toy\"\n[message]\ntext = \"/t\"\n[result]\n", 4, None, "nobody's"),
        ("agent = 'toy\n", 1, Some("agent"), ""),
    ] {
        let error = Mapping::of(text, Path::new("m.toml")).unwrap_err().to_string();
        let place = match key {
            Some(key) => format!("m.toml:{line}: {key}: "),
            None => format!("m.toml:{line}: "),
        };
        assert!(error.starts_with(&place) && error.contains(reason), "{text}\n{error}");
    }
}
