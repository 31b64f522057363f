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

/// The bytes that padded Base64 stands for; `None` where it is none.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    for group in groups {
        let known = group.iter().take_while(|byte| **byte != b'=').count();
        let mut word = 0_u32;
        for byte in group {
            let digit = DIGITS.iter().position(|digit| digit == byte);
            let digit = digit.or((*byte == b'=').then_some(0))?;
            word = word << 6 | u32::try_from(digit).ok()?; // one of 64
        }
        out.extend(word.to_be_bytes().into_iter().skip(1).take(known.saturating_sub(1)));
    }
    rest.is_empty().then_some(out)
}
