//! Contents and Base64 in JSON.

use std::error::Error;
use std::rc::Rc;

use super::super::content::base64;
use crate::event::*;

struct Blobs;

impl ReadsContents for Blobs {
    fn read(&self, content: &Content) -> Result<Vec<u8>, Box<dyn Error>> {
        match content {
            Content::Repeated { .. } => Ok(b"once more".to_vec()),
            _ => Err("gone".into()),
        }
    }
}

#[test]
fn base64_is_that_of_the_rfc() {
    // RFC 4648, §10.
    for (bytes, expect) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(base64(bytes.as_bytes()), expect);
        assert_eq!(base64_bytes(expect).as_deref(), Some(bytes.as_bytes()));
    }
    assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    for none in ["Zg=", "Zm9v!", "Zm9vY", "====Z", "ä"] {
        assert_eq!(base64_bytes(none), None, "{none}");
    }
}

#[test]
fn a_content_is_told_whole_and_where_it_lies() {
    let blob = "12".repeat(32);
    let contents = [
        (
            Content::Inline(b"out".to_vec()),
            r#"{"bytes":3,"encoding":"utf-8","data":"out","tail":null,"blob":null,"repeats":null,"problem":null}"#.to_owned(),
        ),
        (
            Content::Truncated { head: b"head".to_vec(), tail: vec![0xff], len: 9 },
            r#"{"bytes":9,"encoding":"base64","data":"aGVhZA==","tail":"/w==","blob":null,"repeats":null,"problem":null}"#.to_owned(),
        ),
        (
            Content::Blob { hash: [0x12; 32], len: 300_000 },
            format!(
                r#"{{"bytes":300000,"encoding":null,"data":null,"tail":null,"blob":"{blob}","repeats":null,"problem":"gone"}}"#
            ),
        ),
        (
            Content::Repeated { sequence: 7, hash: [0x12; 32], len: 9 },
            r#"{"bytes":9,"encoding":"utf-8","data":"once more","tail":null,"blob":null,"repeats":7,"problem":null}"#.to_owned(),
        ),
    ];
    for (it, expect) in contents {
        let written = serde_json::to_string(&WithContents { it: &it, reader: Rc::new(Blobs) });
        assert_eq!(written.unwrap(), expect);
    }
}

#[test]
fn what_memory_was_asked_is_tagged() {
    let asked = [
        (MemoryQuery::Core { keys: vec!["k".into()] }, r#"{"what":"core","keys":["k"]}"#),
        (MemoryQuery::Recall { query: "q".into(), k: 8 }, r#"{"what":"recall","query":"q","k":8}"#),
        (MemoryQuery::Record { id: 3 }, r#"{"what":"record","id":3}"#),
        (MemoryQuery::Node { scope: "all".into() }, r#"{"what":"node","scope":"all"}"#),
    ];
    for (query, expect) in asked {
        assert_eq!(serde_json::to_string(&query).unwrap(), expect);
    }
}
