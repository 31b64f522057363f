//! Public keys, as signed notes write them: `name+id+base64`.

use data_encoding::{BASE64, HEXLOWER};
use ed25519_dalek::{Signature as Ed25519, VerifyingKey};
use sha2::{Digest, Sha256};

use super::epochs::EpochsPublic;
use super::sshsig;

const ED25519: u8 = 1;
const COSIGNER: u8 = 4;
/// An algorithm that has no number: words that name it follow.
const NAMED: u8 = 0xff;
const SSH: &[u8] = b"annals sshsig v1";
const EPOCHS: &[u8] = b"annals epochs v1";

/// Who may have signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// Empty: whoever signed with it under whatever name, of a key as ssh writes it.
    name: String,
    key: Algorithm,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Ed25519(VerifyingKey),
    /// A witness's, which signs a time as well (C2SP tlog-cosignature).
    Cosigner(VerifyingKey),
    /// As `ssh-keygen -Y sign` signs.
    Ssh(VerifyingKey),
    /// One key an epoch, and old ones erased.
    Epochs(EpochsPublic),
}

/// What a signature comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signed {
    Not,
    /// By a key whose epoch was over, or had not begun, when it signed.
    Expired,
    /// Who signed said when, Unix seconds, and how exactly that is known: within so many seconds.
    By {
        at_s: Option<(u64, u64)>,
    },
}

impl PublicKey {
    pub(super) fn new(name: &str, key: Algorithm) -> Self {
        Self { name: name.to_owned(), key }
    }

    /// `name+id+base64`, or as ssh writes one: `ssh-ed25519 base64 [name]`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.starts_with(sshsig::ALGORITHM) {
            let key = Algorithm::Ssh(sshsig::public(text)?);
            return Some(Self { name: String::new(), key });
        }
        let (name, rest) = text.split_once('+')?;
        let (key_id, key) = rest.split_once('+')?;
        let bytes = BASE64.decode(key.as_bytes()).ok()?; // no key
        let (algorithm, bytes) = bytes.split_first()?;
        let of = |bytes: &[u8]| VerifyingKey::from_bytes(bytes.try_into().ok()?).ok(); // no key
        let key = match *algorithm {
            ED25519 => Algorithm::Ed25519(of(bytes)?),
            COSIGNER => Algorithm::Cosigner(of(bytes)?),
            NAMED => match (bytes.strip_prefix(SSH), bytes.strip_prefix(EPOCHS)) {
                (Some(bytes), _) => Algorithm::Ssh(of(bytes)?),
                (_, Some(bytes)) => Algorithm::Epochs(EpochsPublic::parse(bytes)?),
                _ => return None,
            },
            _ => return None,
        };
        let public = Self { name: name.to_owned(), key };
        (is_name(name) && HEXLOWER.encode(&public.id()) == key_id).then_some(public)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a witness's, which vouches for no journal by itself.
    pub fn is_cosigner(&self) -> bool {
        matches!(self.key, Algorithm::Cosigner(_))
    }

    /// Whether it is the other, under that name or any.
    pub fn is(&self, other: &Self) -> bool {
        self.key == other.key && (self.name.is_empty() || self.name == other.name)
    }

    /// Whether both are of one key, whatever each is called.
    pub fn has_key_of(&self, other: &Self) -> bool {
        self.key == other.key
    }

    fn bytes(&self) -> Vec<u8> {
        match &self.key {
            Algorithm::Ed25519(key) => [&[ED25519], key.as_bytes().as_slice()].concat(),
            Algorithm::Cosigner(key) => [&[COSIGNER], key.as_bytes().as_slice()].concat(),
            Algorithm::Ssh(key) => [&[NAMED], SSH, key.as_bytes()].concat(),
            Algorithm::Epochs(epochs) => [&[NAMED], EPOCHS, &epochs.bytes()].concat(),
        }
    }

    /// The first bytes of the SHA-256 of name and key.
    pub fn id(&self) -> [u8; 4] {
        self.id_as(&self.name)
    }

    fn id_as(&self, name: &str) -> [u8; 4] {
        let hash = Sha256::digest([name.as_bytes(), b"\n", &self.bytes()].concat());
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// Whether a signature of that name and id is to be one by it.
    pub fn is_of(&self, name: &str, key_id: &[u8; 4]) -> bool {
        (self.name.is_empty() || self.name == name) && self.id_as(name) == *key_id
    }

    pub fn verify(&self, text: &[u8], signature: &[u8]) -> Signed {
        let known = |holds: bool, at_s| if holds { Signed::By { at_s } } else { Signed::Not };
        match &self.key {
            Algorithm::Ed25519(key) => known(holds(key, text, signature), None),
            Algorithm::Cosigner(key) => {
                let Some((time, signature)) = signature.split_first_chunk() else {
                    return Signed::Not;
                };
                let time = u64::from_be_bytes(*time);
                let head = format!("cosignature/v1\ntime {time}\n");
                known(holds(key, &[head.as_bytes(), text].concat(), signature), Some((time, 0)))
            }
            Algorithm::Ssh(key) => known(sshsig::holds(key, text, signature), None),
            Algorithm::Epochs(epochs) => epochs.verify(text, signature),
        }
    }
}

pub(super) fn holds(key: &VerifyingKey, text: &[u8], signature: &[u8]) -> bool {
    let signature = signature.try_into().map(|bytes| Ed25519::from_bytes(&bytes));
    signature.is_ok_and(|it| key.verify_strict(text, &it).is_ok())
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (id, key) = (HEXLOWER.encode(&self.id()), BASE64.encode(&self.bytes()));
        write!(f, "{}+{id}+{key}", self.name)
    }
}

/// Letters, digits and `@._-/:` alone: `+` and spaces stand between a key's parts, and others may hide what is shown.
pub fn is_name(name: &str) -> bool {
    let is_fit = |it: char| it.is_ascii_alphanumeric() || "@._-/:".contains(it);
    !name.is_empty() && name.len() <= 200 && name.chars().all(is_fit)
}
