//! VS Code's matchers, in its documented shapes, and what they read then.

use super::import;
use super::vscode::{ImportFault, Imported};
use crate::event::{CheckAspect, CheckList, CheckStanding, DeclaredCheck};
use crate::parse::check::lines::OutputStream;
use crate::parse::check::{CheckReader, CheckRules};

/// A file, line, column, level, code and message a problem.
type Told = (&'static str, u32, Option<u32>, &'static str, Option<&'static str>, &'static str);

const SINGLE: &str = r#"{
    // The version of the tasks' format
    "version": "2.0.0",
    "tasks": [{
        "label": "watch", "command": "tsc", "args": ["--watch"],
        "problemMatcher": {
            "owner": "typescript", "fileLocation": "relative",
            "pattern": { /* as documented */
                "regexp": "^([^\\s].*)\\((\\d+|\\d+,\\d+|\\d+,\\d+,\\d+,\\d+)\\):\\s+(error|warning|info)\\s+(TS\\d+)\\s*:\\s*(.*)$",
                "file": 1, "location": 2, "severity": 3, "code": 4, "message": 5,
            },
        },
    }],
}"#;

const GCC: &str = r#"{ "problemMatcher": [{ "owner": "cpp", "severity": "warning", "pattern": {
    "regexp": "^ours: (.*):(\\d+):(\\d+): (.*)$", "file": 1, "line": 2, "column": 3, "message": 4 } }] }"#;

/// Where it says nothing the groups are file, line, column, and the whole is the message.
const DEFAULTS: &str =
    r#"{ "name": "plain", "pattern": { "regexp": "^at ([^:]+):([0-9]+):([0-9]+) .*$" } }"#;

const MULTI: &str = r#"{ "owner": "ours", "severity": "error", "pattern": [
    { "regexp": "^broken: (.*)$", "message": 1 },
    { "regexp": "^  in (\\S+) line (\\d+)$", "file": 1, "line": 2 } ] }"#;

const LOOP: &str = r#"{ "owner": "lint", "pattern": [
    { "regexp": "^([^\\s].*)$", "file": 1 },
    { "regexp": "^\\s+(\\d+):(\\d+)\\s+(error|warning|info)\\s+(.*)\\s\\s+(.*)$",
      "line": 1, "column": 2, "severity": 3, "message": 4, "code": 5, "loop": true } ] }"#;

/// What a check of the project's own prints, read by the matchers of a file.
fn read(file: &str, printed: &str) -> Vec<String> {
    let matchers = import(file, "tasks.json").unwrap().matchers;
    let check = DeclaredCheck {
        command: "./ours.sh".to_owned(),
        kind: CheckAspect::Lint,
        found_in: DeclaredCheck::USER.to_owned(),
        runs: None,
        standing: CheckStanding::InForce,
    };
    let own = CheckRules::from(CheckList { checks: vec![check], matchers });
    let mut reader = CheckReader::of("./ours.sh --all", &own);
    reader.feed(OutputStream::Stdout, printed.as_bytes());
    let report = reader.finish(Some(1));
    assert_eq!(report.kind, Some(CheckAspect::Lint));
    let told = |it: &crate::parse::check::diagnostic::Finding| {
        let of = &it.diagnostic;
        format!("{:?}", (&of.file_name, of.line_start, it.column, &of.level, &of.code, &of.message))
    };
    report.findings.iter().map(told).collect()
}

#[test]
fn each_documented_shape_reads_what_it_is_for() {
    let cases: [(&str, &str, &[Told]); 5] = [
        (
            SINGLE,
            "src/a b.ts(3,14): info TS9: odd\nsrc/c.ts(7): error TS2: bad\n",
            &[
                ("src/a b.ts", 3, Some(14), "note", Some("TS9"), "odd"),
                ("src/c.ts", 7, None, "error", Some("TS2"), "bad"),
            ],
        ),
        (GCC, "ours: x.q:1:2: loose end\n", &[("x.q", 1, Some(2), "warning", None, "loose end")]),
        (DEFAULTS, "at x.q:4:5 halt\n", &[("x.q", 4, Some(5), "error", None, "at x.q:4:5 halt")]),
        (
            MULTI,
            "broken: the axle\n  in car.q line 12\nbroken: nothing follows\nmore\n",
            &[("car.q", 12, None, "error", None, "the axle")],
        ),
        (
            LOOP,
            "test.q\n  1:0   error    Missing strict  quirk\n  1:9   info  Dense  dense/ness\n\nnext.q\n  4:2  warning  Odd  odd\n",
            &[
                ("test.q", 1, Some(0), "error", Some("quirk"), "Missing strict"),
                ("test.q", 1, Some(9), "note", Some("dense/ness"), "Dense"),
                ("next.q", 4, Some(2), "warning", Some("odd"), "Odd"),
            ],
        ),
    ];
    for (file, printed, expected) in cases {
        let told = |it: &Told| {
            let (file, line, column, level, code, message) = *it;
            format!("{:?}", (Some(file), Some(line), column, level, code, message))
        };
        let expected: Vec<_> = expected.iter().map(told).collect();
        assert_eq!(read(file, printed), expected, "{file}");
    }
}

#[test]
fn names_of_vs_codes_own_lead_to_our_tables() {
    let text = r#"{ "tasks": [
        { "problemMatcher": "$tsc" }, { "problemMatcher": ["$eslint-stylish", "$gcc"] },
        { "problemMatcher": { "base": "$tsc" } }, { "problemMatcher": [] } ] }"#;
    let known = [("$tsc", "tsc"), ("$eslint-stylish", "eslint"), ("$gcc", "gcc")];
    let known = known.map(|(name, table)| (name.to_owned(), table)).to_vec();
    assert_eq!(import(text, "tasks.json"), Ok(Imported { matchers: Vec::new(), known }));
    for (_, table) in super::vscode::KNOWN {
        assert!(crate::parse::check::problem::has_table(table), "{table}");
    }
}

#[test]
fn an_extensions_named_patterns_are_found_in_its_file() {
    let text = r#"{ "contributes": {
        "problemPatterns": [{ "name": "ours", "regexp": "^!([^ ]+) (\\d+) (.*)$",
                              "file": 1, "line": 2, "message": 3 }],
        "problemMatchers": [{ "name": "ours", "owner": "ours", "pattern": "$ours" }] } }"#;
    assert_eq!(read(text, "!x.q 3 odd\n").len(), 1);
}

#[test]
fn what_cannot_be_had_is_refused_with_its_place() {
    for (regexp, says) in [
        (r"^(?=x)(.*):(\\d+)$", "pattern 1: look-around"),
        (r"^(a)(?<!b)(c)$", "at character 5"),
        (r"^(.)\\1$", "pattern 1: backreferences are not supported, at character 5"),
        (r"(((((a{99}){99}){99}){99}){99})", "too large"),
        (r"^(.*$", "unclosed group, at character 2"),
        (r"^.*$", "its group 1 is to be the file, and it has 0"),
    ] {
        let text =
            format!(r#"{{ "pattern": {{ "regexp": "{regexp}", "file": 1, "message": 0 }} }}"#);
        let told = import(&text, "x.json").unwrap_err().to_string();
        assert!(told.contains(says), "{regexp}: {told}");
    }
    assert!(matches!(import("{", "x.json"), Err(ImportFault::NotJson(_))));
    assert_eq!(import("{}", "x.json"), Err(ImportFault::Nothing));
    let unknown = import(r#"{ "problemMatcher": "$nobody" }"#, "x.json").unwrap_err();
    assert!(unknown.to_string().contains("is not known here"), "{unknown}");
    let one = r#"{ "pattern": { "regexp": "^(.*):([0-9]+)$", "file": 1, "message": 0 } }"#;
    let many = format!("[{}]", [one; 33].join(","));
    assert_eq!(import(&many, "x.json"), Err(ImportFault::TooMany));
    let lines = format!(r#"{{ "pattern": [{}] }}"#, [r#"{ "regexp": "x" }"#; 9].join(","));
    assert!(import(&lines, "x.json").unwrap_err().to_string().contains("from 1 to 8"), "{lines}");
    for (place, reads) in [
        (r#""absolute""#, true),
        (r#"["autoDetect", "${workspaceFolder}"]"#, true),
        (r#"["relative", "${workspaceFolder}/sub"]"#, false),
        (r#""elsewhere""#, false),
    ] {
        let text = one.replacen('{', &format!(r#"{{ "fileLocation": {place}, "#), 1);
        assert_eq!(import(&text, "x.json").is_ok(), reads, "{place}");
    }
    let deep = "[".repeat(100_000);
    assert!(matches!(import(&deep, "x.json"), Err(ImportFault::NotJson(_))));
}

#[test]
fn classes_of_a_script_stay_classes() {
    let text = r#"{ "pattern": { "regexp": "^\\[([^[\\]&&]+)\\/(\\d+)] (?:a|(?<said>b.*))$",
                     "file": 1, "line": 2, "message": 3 } }"#;
    assert_eq!(read(text, "[x.q/3] bad\n").len(), 1);
}

#[test]
fn comments_are_none_inside_of_strings() {
    let plain = super::jsonc::plain("{\"a\": \"// , ]\", /* , */ \"b\": [1, 2, // end\n ],}");
    let read: serde_json::Value = serde_json::from_str(&plain).unwrap();
    assert_eq!(read, serde_json::json!({ "a": "// , ]", "b": [1, 2] }));
}
