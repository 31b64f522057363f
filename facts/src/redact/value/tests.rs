//! Values in every form, found by themselves and by what is kept of them.

use std::sync::Arc;

use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};

use super::{KeptValues, Values, Written};
use crate::redact::Redactor;

const VALUE: &str = "correct \"horse\"/battery+st\\aple=é7";

fn wide(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(order).collect()
}

fn percent(text: &str, kept: fn(u8) -> bool) -> String {
    text.bytes()
        .map(|it| if kept(it) { (it as char).into() } else { format!("%{it:02X}") })
        .collect()
}

/// Texts that hold the value, each in another way.
fn written() -> Vec<(&'static str, Vec<u8>, Written)> {
    let json = |text: &str| serde_json::to_string(text).expect("a text");
    let within = |before: &str| format!("{before}{VALUE} and more of it").into_bytes();
    let url = |it: u8| it.is_ascii_alphanumeric() || b"-_.~".contains(&it);
    let mime = BASE64.encode(&[b"a".repeat(40), within("x"), b"z".repeat(80)].concat());
    let mime: Vec<_> = mime.as_bytes().chunks(76).map(<[u8]>::to_vec).collect();
    vec![
        ("plain", within("it is "), Written::Plain),
        ("json", json(VALUE).into_bytes(), Written::Json),
        ("json in json", json(&json(VALUE)).into_bytes(), Written::Json),
        ("ascii json", json(VALUE).replace('é', "\\u00e9").into_bytes(), Written::Json),
        ("base64", BASE64.encode(&within("")).into_bytes(), Written::Base64),
        ("base64 one on", BASE64.encode(&within("a")).into_bytes(), Written::Base64),
        ("base64 two on", BASE64.encode(&within("ab")).into_bytes(), Written::Base64),
        ("base64 of urls", BASE64URL_NOPAD.encode(&within("~~")).into_bytes(), Written::Base64),
        ("base64 in lines", mime.join(&b'\n'), Written::Base64),
        (
            "base64 twice",
            BASE64.encode(BASE64.encode(&within("")).as_bytes()).into(),
            Written::Base64,
        ),
        ("hex", HEXLOWER.encode(&within("")).into_bytes(), Written::Hex),
        ("upper hex", HEXUPPER.encode(&within("")).into_bytes(), Written::Hex),
        ("percent", percent(VALUE, url).into_bytes(), Written::Percent),
        ("all percent", percent(VALUE, |_| false).into_bytes(), Written::Percent),
        ("utf-16", wide(VALUE, u16::to_le_bytes), Written::Utf16),
        ("utf-16, the higher first", wide(VALUE, u16::to_be_bytes), Written::Utf16),
        ("powershell", BASE64.encode(&wide(VALUE, u16::to_le_bytes)).into(), Written::Base64),
    ]
}

#[test]
fn a_value_is_found_however_it_is_written() {
    let values = Values::new(&[b"another".to_vec(), VALUE.into()]).expect("two");
    for (what, text, written) in written() {
        let found = values.find(&text);
        let told: Vec<_> = found.iter().map(|it| (it.value, it.written)).collect();
        assert_eq!(told, [(1, written)], "{what}");
        assert!(values.is_in(&text), "{what}");
    }
    for part in ["correct \"horse", "horse\"/battery+st\\aple=é7 battery", ""] {
        assert_eq!(values.find(part.as_bytes()), [], "{part}");
    }
}

#[test]
fn a_value_of_which_only_some_characters_are_escaped_is_found() {
    let values = Values::new(&[b"s3cr3t/with+signs".to_vec()]).expect("one");
    for text in ["s3cr3t%2Fwith+signs", "s3c%723t/with%2Bsigns", "s3cr3t\\/with\\u002bsigns"] {
        assert_eq!(values.find(text.as_bytes()).len(), 1, "{text}");
    }
}

#[test]
fn what_is_kept_of_a_value_finds_it_again_in_every_form() {
    let empty = KeptValues::new([7; 32], Vec::new());
    let kept = Arc::new(KeptValues::new([7; 32], empty.of(VALUE.as_bytes())));
    let redactor = Redactor::with_variables(&[]).knowing(Some(kept));
    for (what, text, _) in written() {
        let found = redactor.find(&text);
        assert_eq!(found.len(), 1, "{what}");
        assert_eq!(found[0].rule, "redacted-before", "{what}");
    }
    let clean = redactor.redact_text(&format!("echo {VALUE}"));
    assert_eq!(clean, "echo [REDACTED:redacted-before]");
    assert_eq!(
        redactor.redact_text("correct horse battery staple"),
        "correct horse battery staple"
    );
}

#[test]
fn what_is_kept_under_another_key_says_nothing() {
    let (one, other) = (KeptValues::new([1; 32], Vec::new()), KeptValues::new([2; 32], Vec::new()));
    let (one, other) = (one.of(VALUE.as_bytes()), other.of(VALUE.as_bytes()));
    assert_eq!(one.len(), other.len());
    assert!(one.iter().all(|it| other.iter().all(|other| it.digest != other.digest)));
}

const LINES: &str =
    "-----BEGIN FOO-----\nQkxvYmJ5LTc3MzE \"quoted\"\nZZtop-9981-Quux\n-----END FOO-----";

#[test]
fn a_value_of_several_lines_is_found_whatever_ends_them_and_stands_before_each() {
    let each = |begin: fn(usize) -> String, end: &str| {
        let lines = LINES.lines().enumerate().map(|(at, line)| begin(at + 9) + line + end);
        lines.collect::<String>()
    };
    let long = LINES.replace('\n', "\r\n");
    let json = |text: &str| serde_json::to_string(text).expect("a text");
    for value in [LINES, &long] {
        let values = Values::new(&[value.into()]).expect("one");
        for text in [
            LINES.to_owned(),
            long.clone(),
            json(&long),
            BASE64.encode(long.as_bytes()),
            each(|at| format!("{at:6}\t"), "\n"),
            json(&each(|at| format!("{at:6}\t"), "\n")),
            each(|at| format!("{at:5}→"), "\n"),
            each(|at| format!("{at}:"), "\r\n"),
            each(|_| "+".to_owned(), "\n"),
            each(|_| "> ".to_owned(), "\n"),
            each(|_| "    ".to_owned(), "\n"),
            each(|_| "  | ".to_owned(), "\n"),
        ] {
            assert_eq!(values.find(&format!("it is\n{text}\n").into_bytes()).len(), 1, "{text}");
        }
        let other = LINES.replace("ZZtop", "other");
        assert_eq!(values.find(other.as_bytes()), [], "{other}");
    }
    let values = Values::new(&[b"first line\n\nthird line".to_vec()]).expect("one");
    for text in ["> first line\n>\n> third line", "  1\tfirst line\n  2\t\n  3\tthird line\n"] {
        assert_eq!(values.find(text.as_bytes()).len(), 1, "{text}");
    }
    // Either end of a line is known again.
    let empty = KeptValues::new([7; 32], Vec::new());
    let kept = Arc::new(KeptValues::new([7; 32], empty.of(LINES.as_bytes())));
    let redactor = Redactor::with_variables(&[]).knowing(Some(kept));
    for text in [LINES, &long] {
        assert!(!redactor.redact_text(text).contains("ZZtop"), "{text}");
    }
}

/// As programs print bytes.
fn dumped(bytes: &[u8], numbered: fn(usize) -> String, group: usize, middle: &str) -> String {
    let row = |(at, row): (usize, &[u8])| {
        let halves = row.chunks(8).map(|half| {
            let groups = half.chunks(group).map(|it| HEXLOWER.encode(it));
            groups.collect::<Vec<_>>().join(" ")
        });
        let shown: String =
            row.iter().map(|it| if it.is_ascii_graphic() { *it as char } else { '.' }).collect();
        let halves = halves.collect::<Vec<_>>().join(middle);
        format!("{}{halves}  {shown}\n", numbered(at * 16))
    };
    bytes.chunks(16).enumerate().map(row).collect()
}

#[test]
fn a_value_in_digits_with_something_between_and_in_short_or_marked_lines_is_found() {
    let value = "plumbus-7731-Grommet";
    let values = Values::new(&[value.into()]).expect("one");
    let kept = KeptValues::new([7; 32], Vec::new());
    let kept = Arc::new(KeptValues::new([7; 32], kept.of(value.as_bytes())));
    let redactor = Redactor::with_variables(&[]).knowing(Some(kept));
    let within = format!("a head of some bytes {value} and so on, for a while longer, and longer");
    let hex = HEXLOWER.encode(value.as_bytes());
    let spaced = |sign: &str| {
        let pairs = hex.as_bytes().chunks(2).map(|it| String::from_utf8_lossy(it).into_owned());
        pairs.collect::<Vec<_>>().join(sign)
    };
    let lines = |text: String, width: usize, begin: fn(usize) -> String| {
        let rows = text.as_bytes().chunks(width).map(|it| String::from_utf8_lossy(it).into_owned());
        rows.enumerate().map(|(at, row)| begin(at + 8) + &row + "\n").collect::<String>()
    };
    let base64 = BASE64.encode(within.as_bytes());
    let mut texts = vec![
        spaced(" "),
        spaced(":"),
        spaced("-").to_uppercase(),
        HEXLOWER.encode(&wide(value, u16::to_le_bytes)),
        BASE64.encode(hex.as_bytes()),
        lines(HEXLOWER.encode(within.as_bytes()), 32, |_| String::new()),
        dumped(within.as_bytes(), |at| format!("{at:08x}: "), 2, " "),
        dumped(within.as_bytes(), |at| format!("{at:08x}  "), 1, "  "),
        dumped(value.as_bytes(), |at| format!("{at:08x}: "), 2, " "),
    ];
    for width in [24, 32, 40, 48, 64, 76] {
        texts.push(lines(base64.clone(), width, |_| String::new()));
        texts.push(lines(base64.clone(), width, |_| "> ".to_owned()));
        texts.push(lines(base64.clone(), width, |_| "+".to_owned()));
        texts.push(lines(base64.clone(), width, |at| format!("{at:6}\t")));
        texts.push(
            serde_json::to_string(&lines(base64.clone(), width, |at| format!("{at:6}\t")))
                .expect("a text"),
        );
    }
    for text in texts {
        let text = format!("pre {text} post, 12:30:45 00-11-22\n");
        // What stands in a line behind something else is no first line of several.
        for text in [text.clone(), text.replacen("pre ", "pre\n", 1)] {
            let is_marked =
                text.starts_with("pre >") || text.starts_with("pre +") || text.starts_with("pre  ");
            if !is_marked {
                assert_eq!(values.find(text.as_bytes()).len(), 1, "{text}");
                assert_eq!(redactor.find(text.as_bytes()).len(), 1, "known again: {text}");
            }
        }
    }
    for text in
        ["12:30:45 00-11-22 33-44-55", "de ad be ef 00 11 22 33", "00000000: 7265 6164 2069 7420"]
    {
        assert_eq!(values.find(text.as_bytes()), [], "{text}");
    }
}
