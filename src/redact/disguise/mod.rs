//! Texts that say something else once they are decoded.

pub(super) mod base64;
pub(super) mod escapes;
