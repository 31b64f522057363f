//! One frame: a record that stands alone.
//!
//! ```text
//! header 48 · body max(16, payload rounded up to 8) · [trailer 56, in a commit's last] · end 8
//! ```

mod carried;
mod crc_seed;
mod crc_short;
mod encode;
mod flags;
mod header;
pub mod kind;
pub mod layout;
mod leaf;
mod payload;
mod place;
mod redact;
mod trailer;
mod view;

pub use carried::Carried;
pub use crc_seed::CrcSeed;
pub use encode::{Draft, commit_bytes, encode_commit};
pub use flags::Flags;
pub use header::FrameHeader;
pub use leaf::{LeafParts, inner_hash, leaf};
pub use payload::{PayloadError, StoredPayload, open_payload, store_payload};
pub use place::{close_commit, lay_frame, place_commit};
pub use redact::redact;
pub use trailer::Trailer;
pub use view::{FrameFault, FrameView};
