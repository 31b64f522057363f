//! The swift way of decoding, held to the general one.

use proptest::prelude::*;

use super::round_trip::{event, execution_body};
use super::samples::samples;
use crate::event::*;

/// Whatever it decodes, the general way decodes as well, to the same event.
fn hold(kind: Kind, schema: u8, payload: &[u8]) -> Option<Event> {
    let swiftly = swift::decode(kind, schema, payload)?;
    let generally = codec::decode_any(kind, schema, payload).unwrap();
    assert_eq!(format!("{swiftly:?}"), format!("{generally:?}"));
    Some(swiftly)
}

proptest! {
    #[test]
    fn both_ways_give_the_same_event(event in event(), body in execution_body(), at: usize, byte: u8) {
        let event = Event { body, ..event };
        let (kind, schema) = (event.body.kind(), event.body.schema());
        let mut payload = Vec::new();
        encode(&event, &mut payload).unwrap();
        let is_swift = matches!(
            event.body,
            Body::ExecutionStarted(_) | Body::ExecutionFinished(_)
        );
        prop_assert_eq!(hold(kind, schema, &payload), is_swift.then_some(event));
        let at = at % payload.len();
        payload[at] = byte;
        hold(kind, schema, &payload);
        hold(kind, schema, &payload[..at]);
    }
}

#[test]
fn every_changed_byte_is_decoded_as_in_general_or_left_to_it() {
    let mut swift = 0;
    for event in samples() {
        let (kind, schema) = (event.body.kind(), event.body.schema());
        let mut payload = Vec::new();
        encode(&event, &mut payload).unwrap();
        swift += usize::from(hold(kind, schema, &payload).is_some());
        for at in 0..payload.len() {
            for value in [0, 1, 2, 3, 0x7f, 0x80, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff] {
                let mut changed = payload.clone();
                changed[at] = value;
                hold(kind, schema, &changed);
            }
        }
    }
    assert!(swift >= 2, "{swift} samples");
}
