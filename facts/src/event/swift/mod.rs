//! The two kinds that nearly every event is of, encoded and decoded field by field.
//!
//! Generic decoding zeroes each text before it is filled and claims each byte before it is read; generic encoding hands
//! on each byte by itself: half the time of a replay, and of an append that is not flushed. What is odd here is
//! nobody's error yet: the general way does it, or says what is wrong.

mod decode;
mod encode;

use super::Kind;

pub(super) use decode::decode;
pub(super) use encode::encode;

const STARTED: Kind = Kind(0x0401);
const FINISHED: Kind = Kind(0x0402);

/// Lists are short here: a longer one is left to the general way, which holds it to its limit.
const LIST_LEN_MAX: usize = 256;
/// So is a payload that may come near its limit.
const BYTES_MAX: usize = super::limits::PAYLOAD_BYTES_MAX / 2;
