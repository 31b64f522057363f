//! Cells as CSV and JSON.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{Cell, JsonRow, csv_line, distinct};

fn text(text: &str) -> Cell<'_> {
    Cell::Text(Cow::Borrowed(text))
}

#[test]
fn csv_is_that_of_the_rfc() {
    let json = RawValue::from_string(r#"{"a":[1,"x"]}"#.to_owned()).unwrap();
    for (cells, expect) in [
        (vec![text("a"), text("b c"), Cell::Integer(-3)], "a,b c,-3\r\n"),
        (vec![Cell::Null, text(""), Cell::Null], ",\"\",\r\n"),
        (
            vec![text("a,b"), text("say \"hi\""), text("two\r\nlines")],
            "\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\"\r\n",
        ),
        (vec![text("=1+1"), text("@x")], "=1+1,@x\r\n"),
        (
            vec![
                Cell::Real(1.0),
                Cell::Real(f64::INFINITY),
                Cell::Blob(&[0, 255]),
                Cell::Bool(true),
            ],
            "1.0,Inf,00ff,true\r\n",
        ),
        (vec![Cell::Json(Cow::Borrowed(&json))], "\"{\"\"a\"\":[1,\"\"x\"\"]}\"\r\n"),
    ] {
        assert_eq!(csv_line(&cells), expect);
    }
}

#[test]
fn a_row_keeps_the_order_and_the_names_of_its_columns() {
    let names = distinct(&["z", "a", "z", "z_2", "z"].map(str::to_owned));
    assert_eq!(names, ["z", "a", "z_2", "z_2_2", "z_3"]);
    let cells = [text("x\u{1}"), Cell::Integer(i64::MAX), Cell::Blob(b"\x01"), Cell::Null];
    let row = serde_json::to_string(&JsonRow { names: &names, cells: &cells }).unwrap();
    assert_eq!(row, r#"{"z":"x\u0001","a":9223372036854775807,"z_2":"01","z_2_2":null}"#);
}
