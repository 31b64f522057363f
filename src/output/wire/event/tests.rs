//! Contents and Base64 in JSON.

use super::{decode, encode};

#[test]
fn base64_is_that_of_the_rfc() {
    // RFC 4648, §10.
    for (bytes, expect) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(encode(bytes.as_bytes()), expect);
        assert_eq!(decode(expect).as_deref(), Some(bytes.as_bytes()));
    }
    assert_eq!(encode(&[0xff, 0xfe, 0xfd]), "//79");
    for none in ["Zg=", "Zm9v!", "Zm9vY", "====Z", "ä"] {
        assert_eq!(decode(none), None, "{none}");
    }
}
