//! What a row says of how an execution ended.

use super::*;

#[test]
fn a_message_tells_refused_and_interrupted_apart() {
    for (ok, error, expect) in [
        (Some(true), None, (Outcome::Ok, None)),
        (Some(false), Some("boom"), (Outcome::Failed, Some("boom"))),
        (Some(false), None, (Outcome::Failed, None)),
        (Some(false), Some("refused: no"), (Outcome::Refused, Some("no"))),
        (Some(false), Some("interrupted: gone"), (Outcome::Interrupted, Some("gone"))),
        (None, None, (Outcome::Interrupted, None)),
        (None, Some("lost"), (Outcome::Interrupted, Some("lost"))),
    ] {
        assert_eq!(ended(ok, error), expect, "{ok:?} {error:?}");
    }
}

#[test]
fn a_row_of_other_types_is_none() {
    let text = |text: &str| Cell::Text(text.to_owned());
    let whole = [
        text("3f0c2a51-7f59-4a7e-9d5c-2f1f6a4b8c01"),
        text("lsp_check"),
        text("{}"),
        Cell::Integer(1_735_036_800_000),
        Cell::Integer(1),
        Cell::Null,
        Cell::Null,
        Cell::Null,
    ];
    assert!(read(&whole).is_ok());
    for (at, cell) in [
        (0, Cell::Null),
        (1, Cell::Integer(1)),
        (2, text("[]")),
        (2, text("{")),
        (4, text("yes")),
        (5, Cell::Integer(1 << 40)),
        (6, Cell::Integer(-5)),
        (7, Cell::Bytes(vec![1])),
    ] {
        let mut row = whole.clone();
        row[at] = cell;
        assert_eq!(read(&row).err(), Some(COLUMNS[at]));
    }
    assert!(read(&whole[1..]).is_err());
    // What is wrong with its time alone is told of that.
    for (cell, words) in [
        (Cell::Real(1.5), "1.5"),
        (Cell::Integer(-1), "-1"),
        (text("soon"), "soon"),
        (Cell::Null, "null"),
    ] {
        let mut row = whole.clone();
        row[3] = cell;
        assert_eq!(read(&row).unwrap().at.odd_time.as_deref(), Some(words));
    }
}
