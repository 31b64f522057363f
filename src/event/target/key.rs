//! Sixteen bytes that stand for a target or for arguments.

/// Sixteen bytes of blake3: one size whatever was hashed, so that indexes stay small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallDigest(pub [u8; 16]);

/// The digest of a call's canonical arguments.
pub fn arguments_digest(arguments: &str) -> CallDigest {
    digest(b"arguments\0", arguments)
}

/// The digest of a normalised target.
pub(super) fn target_key(normal: &str) -> CallDigest {
    digest(b"target\0", normal)
}

fn digest(domain: &[u8], text: &str) -> CallDigest {
    let mut hash = blake3::Hasher::new();
    hash.update(domain).update(text.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    CallDigest(bytes)
}
