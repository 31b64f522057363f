//! The two ways in which ends were written.

use super::*;

#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Ends(#[serde(with = "super")] Vec<End>);

#[test]
fn ends_that_an_older_build_wrote_are_read_and_what_is_none_is_not() {
    let ends = vec![(7, [0xab; 32]), (9, [1; 32])];
    let text = serde_json::to_string(&Ends(ends.clone())).unwrap();
    assert!(text.contains(&format!("[7,\"{}\"]", "ab".repeat(32))), "{text}");
    for text in [text, serde_json::to_string(&ends).unwrap()] {
        assert_eq!(serde_json::from_str::<Ends>(&text).unwrap().0, ends);
    }
    for odd in ["\"ab\"", "[1,2]", "null", "7", "\"é\"", "\"\\u0061b\""] {
        let text = format!("[[7,{odd}]]");
        assert!(serde_json::from_str::<Ends>(&text).is_err(), "{odd}");
    }
}
