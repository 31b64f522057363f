//! The swift ways of encoding and decoding, held to the general ones.

use proptest::prelude::*;

use super::round_trip::{event, execution_body};
use super::samples::samples;
use crate::event::*;

/// The bytes of either way.
fn encoded(event: &Event) -> Vec<u8> {
    let (mut swiftly, mut generally) = (vec![7], vec![7]);
    encode(event, &mut swiftly).unwrap();
    codec::encode_any(event, &mut generally).unwrap();
    assert_eq!(swiftly, generally, "{event:?}");
    swiftly.split_off(1)
}

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
        let mut payload = encoded(&event);
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
        let payload = encoded(&event);
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

#[test]
fn integers_of_every_length_are_encoded_as_in_general() {
    let edges = [0, 250, 251, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, u64::MAX];
    for event in samples() {
        for (at_ms, raw) in edges.into_iter().zip(edges.into_iter().rev()) {
            let mut event = event.clone();
            event.envelope.at_ms = at_ms;
            event.envelope.raw_at_ms = Some(raw);
            event.envelope.redactor_version = raw as u16;
            let count = at_ms as u32;
            event.envelope.redactions = vec![Redaction { rule: "r".repeat(300), count }];
            if let Body::ExecutionFinished(finished) = &mut event.body {
                finished.closing.duration_ms = Some(raw);
                finished.closing.exit_code = Some(raw as i32 ^ (at_ms as i32).rotate_left(9));
            }
            encoded(&event);
        }
    }
}
