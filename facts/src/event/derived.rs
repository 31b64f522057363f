//! How what is derived is kept between two calls: in the encoding of events, bounded, whole. Other rooms name no
//! encoding; what they keep they derive from these.

use bincode::config::{Configuration, Limit, LittleEndian, Varint};

pub use bincode::de::Decoder;
pub use bincode::enc::Encoder;
pub use bincode::error::{DecodeError, EncodeError};
pub use bincode::{Decode, Encode, impl_borrow_decode};

/// More than anything takes that is kept so.
pub const BYTES_MAX: usize = 1 << 20;

type Bounded = Configuration<LittleEndian, Varint, Limit<BYTES_MAX>>;
const CONFIG: Bounded = bincode::config::standard().with_limit::<BYTES_MAX>();

pub fn encode(it: &impl Encode) -> Result<Vec<u8>, EncodeError> {
    bincode::encode_to_vec(it, CONFIG)
}

/// `None` where these bytes are none of that kind, or more than one. They may be anybody's.
pub fn decode<T: Decode<()>>(bytes: &[u8]) -> Option<T> {
    let (it, used) = bincode::decode_from_slice(bytes, CONFIG).ok()?; // as the line above says
    (used == bytes.len()).then_some(it)
}
