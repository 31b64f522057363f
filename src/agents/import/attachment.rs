//! A picture or document in a transcript: what it is, how long, and the digest of its bytes.

use crate::event::Attachment;

/// Decoded so many characters at a time; four become three bytes.
const STEP: usize = 4 << 10;

/// One that a transcript holds in Base64; `None` where that is none.
pub fn attachment(
    name: Option<String>,
    media_type: Option<String>,
    base64: &str,
) -> Option<Attachment> {
    let data = base64.trim_end_matches('=').as_bytes();
    let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0);
    let mut decoded = Vec::with_capacity(STEP);
    for step in data.chunks(STEP) {
        decoded.clear();
        for four in step.chunks(4) {
            let mut bits = 0_u32;
            for &letter in four {
                bits = bits << 6 | sextet(letter)?;
            }
            let missing = 4 - four.len();
            let whole = (bits << (6 * missing)).to_be_bytes();
            // One letter alone is no byte.
            decoded.extend_from_slice(
                &whole[1..1 + 3_usize.checked_sub(missing).filter(|it| *it > 0)?],
            );
        }
        hasher.update(&decoded);
        bytes += decoded.len() as u64;
    }
    let digest = *hasher.finalize().as_bytes();
    (bytes > 0).then_some(Attachment { name, media_type, bytes, digest })
}

fn sextet(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

/// A `data:` URL: its media type, and the Base64 behind it.
pub fn of_url(url: &str) -> Option<Attachment> {
    let (head, data) = url.strip_prefix("data:")?.split_once(',')?;
    let media_type = head.strip_suffix(";base64")?;
    attachment(None, Some(media_type.to_owned()).filter(|it| !it.is_empty()), data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_of_the_bytes() {
        let long = "QUJD".repeat(5_000);
        for (base64, bytes) in [
            ("aGVsbG8=", Some(b"hello".to_vec())),
            ("aGVsbG8", Some(b"hello".to_vec())),
            ("aGVsbA==", Some(b"hell".to_vec())),
            ("-_-_", Some(vec![0xfb, 0xff, 0xbf])),
            (&long, Some(b"ABC".repeat(5_000))),
            ("", None),
            ("a", None),
            ("aGVs bG8", None),
        ] {
            let found = attachment(None, Some("image/png".into()), base64);
            let told = found.map(|it| (it.bytes, it.digest));
            let expected = bytes.map(|it| (it.len() as u64, *blake3::hash(&it).as_bytes()));
            assert_eq!(told, expected, "{:.20}", base64);
        }
        let of_url = of_url("data:image/png;base64,aGVsbG8=").and_then(|it| it.media_type);
        assert_eq!(of_url.as_deref(), Some("image/png"));
    }
}
