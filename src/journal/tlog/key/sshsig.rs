//! Keys that people have already: what `ssh-keygen -Y sign` writes, by a file's key or by an agent's (OpenSSH's
//! PROTOCOL.sshsig).

use std::path::PathBuf;

use data_encoding::BASE64;
use ed25519_dalek::VerifyingKey;
use sha2::{Digest, Sha256, Sha512};

use super::public::{Algorithm, PublicKey, holds as ed25519_holds};

/// The only kind of key that is checked here.
pub(super) const ALGORITHM: &str = "ssh-ed25519";
/// Keeps a signature over a checkpoint from being taken for one over anything else.
pub const NAMESPACE: &str = "annals";
const MAGIC: &[u8] = b"SSHSIG";
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";

/// Whose private half ssh has.
#[derive(Clone, Debug)]
pub struct SshKey {
    pub public: PublicKey,
    /// The public key's file, as `ssh-keygen -Y sign -f` takes it.
    pub path: PathBuf,
}

impl SshKey {
    /// That of a public key's line, which lies in this file.
    pub fn of(line: &str, name: &str, path: PathBuf) -> Option<Self> {
        Some(Self { public: PublicKey::new(name, Algorithm::Ssh(public(line)?)), path })
    }
}

/// A public key's line: `ssh-ed25519 base64`, and whatever stands behind it.
pub(super) fn public(line: &str) -> Option<VerifyingKey> {
    let mut words = line.split_ascii_whitespace();
    let (algorithm, key) = (words.next()?, words.next()?);
    let bytes = BASE64.decode(key.as_bytes()).ok()?; // no key
    (algorithm == ALGORITHM).then_some(())?;
    key_of(&bytes)
}

fn key_of(bytes: &[u8]) -> Option<VerifyingKey> {
    let (algorithm, rest) = string(bytes)?;
    let (key, rest) = string(rest)?;
    let is_whole = algorithm == ALGORITHM.as_bytes() && rest.is_empty();
    is_whole.then_some(())?;
    VerifyingKey::from_bytes(key.try_into().ok()?).ok() // no key
}

/// A length of four bytes, then so many, and what follows.
fn string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_be_bytes(*length) as usize)
}

fn put(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_be_bytes(), bytes].concat()
}

/// The bytes of a signature in its armour; `None` where it is none.
pub fn blob(armoured: &str) -> Option<Vec<u8>> {
    let body = armoured.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let body: String = body.split_ascii_whitespace().collect();
    BASE64.decode(body.as_bytes()).ok() // as it says
}

/// Whether a signature is one by this key over this text.
pub(super) fn holds(key: &VerifyingKey, text: &[u8], blob: &[u8]) -> bool {
    let parts = || {
        let rest = blob.strip_prefix(MAGIC)?.strip_prefix(&1_u32.to_be_bytes())?;
        let (public, rest) = string(rest)?;
        let (namespace, rest) = string(rest)?;
        let (reserved, rest) = string(rest)?;
        let (hash, rest) = string(rest)?;
        let (signature, rest) = string(rest)?;
        let (algorithm, signature) = string(signature)?;
        let (signature, tail) = string(signature)?;
        let is_ours = key_of(public)? == *key && namespace == NAMESPACE.as_bytes();
        let is_whole = rest.is_empty() && tail.is_empty() && algorithm == ALGORITHM.as_bytes();
        let hashed = match hash {
            b"sha512" => Sha512::digest(text).to_vec(),
            b"sha256" => Sha256::digest(text).to_vec(),
            _ => return None,
        };
        let signed = [MAGIC, &put(namespace), &put(reserved), &put(hash), &put(&hashed)].concat();
        (is_ours && is_whole && ed25519_holds(key, &signed, signature)).then_some(())
    };
    parts().is_some()
}
