//! What is wrong is told by its field.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::read;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read, never asked")]
struct Convention {
    title: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(borrow)]
    raw: Option<&'static RawValue>,
}

#[test]
fn the_field_is_named_wherever_it_is() {
    let given = |json: &'static str| read::<Vec<Convention>>(json.as_bytes());
    for (json, within, says) in [
        (r#"[{"title":"a"},{"title":"b"},{"title":7}]"#, "conventions[2].title", "invalid type"),
        (r#"[{"title":"a","tags":["x",1]}]"#, "conventions[0].tags[1]", "invalid type"),
        (r#"[{"title":"a","tag":[]}]"#, "conventions[0].tag", "unknown field"),
        (r#"[{}]"#, "conventions[0]", "missing field `title`"),
        ("{}", "conventions", "invalid type"),
        ("[] 7", "conventions", "trailing characters"),
        ("[", "conventions", "EOF"),
    ] {
        let error = given(json).expect_err(json);
        assert_eq!(error.within("conventions"), within, "{json}: {error}");
        assert!(error.to_string().contains(says), "{json}: {error}");
    }
    assert_eq!(given(r#"[{"title":"a","raw":9007199254740993}]"#).unwrap().len(), 1);
}
