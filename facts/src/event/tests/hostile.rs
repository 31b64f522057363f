//! Bytes that nobody wrote: an error, or an event, and never more memory than they could fill.

use proptest::prelude::*;

use super::samples::samples;
use crate::event::limits::PAYLOAD_BYTES_MAX;
use crate::event::*;

proptest! {
    #[test]
    fn any_bytes_are_an_event_or_an_error(
        at in 0..Kind::ALL.len(),
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
    ) {
        let kind = Kind::ALL[at];
        let schema = kind.schema().unwrap();
        if let Ok(event) = decode(kind, schema, &bytes) {
            let mut again = Vec::new();
            encode(&event, &mut again).unwrap();
            prop_assert_eq!(decode(kind, schema, &again).unwrap(), event);
        }
    }
}

#[test]
fn every_changed_byte_and_every_cut_of_every_kind_is_an_event_or_an_error() {
    for event in samples() {
        let mut bytes = Vec::new();
        encode(&event, &mut bytes).unwrap();
        let (kind, schema) = (event.body.kind(), event.body.schema());
        for at in 0..bytes.len() {
            assert!(
                decode(kind, schema, &bytes[..at]).is_err(),
                "{}: cut at {at}",
                event.body.name()
            );
            for value in [0, 1, 0x7f, 0x80, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                // Either is right; that it comes back is the promise.
                drop(decode(kind, schema, &changed));
            }
        }
    }
}

#[test]
fn a_length_that_nothing_follows_allocates_nothing() {
    // A count of u64::MAX, as bincode writes it, where the first text of each kind begins.
    let huge = [0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    for event in samples() {
        let mut bytes = Vec::new();
        encode(&event, &mut bytes).unwrap();
        for at in 0..bytes.len() {
            let hostile = [&bytes[..at], &huge[..]].concat();
            // Where a plain number ends the event it may be one; a text or list never is.
            if let Ok(event) = decode(event.body.kind(), event.body.schema(), &hostile) {
                let mut again = Vec::new();
                encode(&event, &mut again).unwrap();
                assert!(again.len() <= hostile.len());
            }
        }
    }
}

#[test]
fn what_this_build_does_not_know_is_told_apart_from_damage() {
    let mut bytes = Vec::new();
    encode(&samples()[0], &mut bytes).unwrap();
    let kind = samples()[0].body.kind();
    assert!(matches!(decode(Kind(0x7f01), 1, &bytes), Err(EventError::UnknownKind { .. })));
    assert!(matches!(
        decode(kind, 2, &bytes),
        Err(EventError::NewerSchema { schema: 2, known: 1, .. })
    ));
    assert!(matches!(decode(kind, 0, &bytes), Err(EventError::UnknownKind { .. })));
}

#[test]
fn an_event_beyond_its_limit_is_refused_and_leaves_the_buffer_as_it_was() {
    let mut event = samples().swap_remove(11);
    if let Body::PromptSubmitted(prompt) = &mut event.body {
        prompt.text = Content::Inline(vec![0; PAYLOAD_BYTES_MAX]);
    }
    let mut bytes = b"before".to_vec();
    assert!(encode(&event, &mut bytes).is_err());
    assert_eq!(bytes, b"before");
}
