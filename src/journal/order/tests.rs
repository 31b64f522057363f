//! Orders as they are written, read and trusted.

use std::collections::BTreeMap;

use super::{OrderError, SignedOrder};
use crate::event::{OrderId, RedactedRecord};
use crate::journal::tlog::{NewKey, generate};

fn order() -> SignedOrder {
    let record = |sequence| RedactedRecord { sequence, leaf: [sequence as u8; 32] };
    SignedOrder {
        order: OrderId([3; 16]),
        at_ms: 1_735_689_600_123,
        by: "me@laptop".into(),
        reason: "the token\nwas printed".into(),
        rule: Some("github-token".into()),
        records: BTreeMap::from([
            ([1; 16], vec![record(3), record(7)]),
            ([2; 16], vec![record(1)]),
        ]),
    }
}

#[test]
fn an_order_is_read_as_it_was_written_and_no_other_way() {
    let text = order().text();
    let read = SignedOrder::parse(&text).expect("an order");
    assert_eq!(read.reason, "the token was printed");
    assert_eq!(read.records, order().records);
    assert_eq!(read.text(), text);
    for (from, to) in [
        ("redaction order v1", "redaction order v2"),
        ("leaf 3 ", "leaf 03 "),
        ("leaf 3 ", "leaf 3  "),
        ("journal 01", "journal 0"),
        ("given 2025", "given 1925"),
        ("by me", "from me"),
    ] {
        assert!(text.contains(from), "{from}");
        assert!(SignedOrder::parse(&text.replacen(from, to, 1)).is_err(), "{to}");
    }
    for end in 0..text.len() {
        // A shorter one names fewer records, or is none.
        if let Ok(read) = SignedOrder::parse(&text[..end]) {
            assert_eq!(read.text(), text[..end]);
        }
    }
}

#[test]
fn an_order_counts_only_by_a_key_that_is_trusted() {
    let key = || generate("me@laptop", NewKey::Open).expect("a key").0;
    let (own, stranger) = (key(), key());
    let note = own.sign(order().text()).expect("signed").to_string();
    let keys = [own.public()];
    assert!(SignedOrder::of_note(&note, &keys).is_ok());
    let other = stranger.sign(order().text()).expect("signed").to_string();
    assert!(matches!(SignedOrder::of_note(&other, &keys), Err(OrderError::Stranger)));
    assert!(matches!(SignedOrder::of_note(&note, &[]), Err(OrderError::Stranger)));
    let changed = note.replacen("leaf 7 ", "leaf 8 ", 1);
    let told = SignedOrder::of_note(&changed, &keys);
    assert!(matches!(told, Err(OrderError::Changed { by }) if by == "me@laptop"));
    assert!(matches!(SignedOrder::of_note(&order().text(), &keys), Err(OrderError::NotOrder(_))));
}
