//! A picture or document in a transcript: what it is, how long, and the digest of its bytes.

use crate::event::{Attachment, base64_bytes};

/// One that a transcript holds in Base64; `None` where that is none.
pub fn attachment(
    name: Option<String>,
    media_type: Option<String>,
    base64: &str,
) -> Option<Attachment> {
    let bytes = base64_bytes(base64).filter(|it| !it.is_empty())?;
    let digest = *blake3::hash(&bytes).as_bytes();
    Some(Attachment { name, media_type, bytes: bytes.len() as u64, digest })
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
            ("aGVsbA==", Some(b"hell".to_vec())),
            ("+/+/", Some(vec![0xfb, 0xff, 0xbf])),
            ("aGVsbG8", None),
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
