//! Where every field of a frame lies: chained, never literal.

pub const MARKER_AT: usize = 0;
pub const HEADER_CRC_AT: usize = MARKER_AT + 4;
pub const PAYLOAD_LEN_AT: usize = HEADER_CRC_AT + 4;
pub const KIND_AT: usize = PAYLOAD_LEN_AT + 4;
pub const FLAGS_AT: usize = KIND_AT + 2;
pub const VERSION_AT: usize = FLAGS_AT + 1;
pub const SEQUENCE_AT: usize = VERSION_AT + 1;
pub const TIME_AT: usize = SEQUENCE_AT + 8;
pub const SALT_AT: usize = TIME_AT + 8;
pub const HEADER_BYTES: usize = SALT_AT + 16;

/// A body is never shorter, so that a redacted frame has room for its inner hash in place of
/// salt and payload.
pub const BODY_BYTES_MIN: usize = 16;

pub const TRAILER_FIRST_SEQUENCE_AT: usize = 0;
pub const TRAILER_COMMIT_BYTES_AT: usize = TRAILER_FIRST_SEQUENCE_AT + 8;
pub const TRAILER_DURABLE_AT: usize = TRAILER_COMMIT_BYTES_AT + 8;
pub const TRAILER_CHAIN_AT: usize = TRAILER_DURABLE_AT + 8;
pub const TRAILER_BYTES: usize = TRAILER_CHAIN_AT + 32;

pub const END_FRAME_BYTES_AT: usize = 0;
pub const END_CRC_AT: usize = END_FRAME_BYTES_AT + 4;
pub const END_BYTES: usize = END_CRC_AT + 4;

/// The shortest frame there is.
pub const FRAME_BYTES_MIN: usize = HEADER_BYTES + BODY_BYTES_MIN + END_BYTES;

/// The first four bytes of every frame; odd and asymmetric, so that no run of one byte is one.
pub const MARKER: [u8; 4] = [0xA7, 0x4A, 0x52, 0x4E];

/// Bytes between header and trailer (or end word) for a payload of this length.
pub const fn body_bytes(payload_bytes: usize) -> usize {
    let padded = payload_bytes.next_multiple_of(8);
    if padded < BODY_BYTES_MIN { BODY_BYTES_MIN } else { padded }
}

/// Bytes of a whole frame.
pub const fn frame_bytes(payload_bytes: usize, last: bool) -> usize {
    let trailer = if last { TRAILER_BYTES } else { 0 };
    HEADER_BYTES + body_bytes(payload_bytes) + trailer + END_BYTES
}

/// Of a whole commit's bytes, how many its chain covers: all up to the chain's own field.
pub const fn chained_bytes(commit_bytes: usize) -> usize {
    commit_bytes - END_BYTES - (TRAILER_BYTES - TRAILER_CHAIN_AT)
}

const _: () = {
    assert!(HEADER_BYTES == 48);
    assert!(TRAILER_BYTES == 56);
    assert!(HEADER_BYTES.is_multiple_of(8) && TRAILER_BYTES.is_multiple_of(8) && END_BYTES == 8);
};
