//! Base64 (RFC 4648, §4, padded), for bytes that are no text.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes in Base64.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut word = [0; 4];
        word[1..=group.len()].copy_from_slice(group);
        let word = u32::from_be_bytes(word);
        for at in 0..4_u32 {
            let digit = usize::try_from(word >> (18 - 6 * at) & 0x3f).unwrap_or(0);
            let known = at as usize <= group.len();
            out.push(if known { char::from(DIGITS[digit]) } else { '=' });
        }
    }
    out
}
