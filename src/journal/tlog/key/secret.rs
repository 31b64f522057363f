//! What signs: a key that lies open, one behind a passphrase, one of ssh's, or one that changes by itself.

use data_encoding::BASE64;
use ed25519_dalek::{Signer, SigningKey};

use super::epochs::EpochsKey;
use super::locked::LockedKey;
use super::public::{Algorithm, PublicKey, is_name};
use super::sshsig::SshKey;
use super::{Sign, TlogError};
use crate::journal::{clock, id};

const FIRST_LINE: &str = "annals signing key v1";

/// A key that lies open.
pub struct SecretKey {
    pub(super) name: String,
    pub(super) key: SigningKey,
}

impl SecretKey {
    pub fn generate(name: &str) -> Self {
        let [entropy @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = id::entropy();
        Self { name: name.to_owned(), key: SigningKey::from_bytes(&entropy) }
    }
}

impl Sign for SecretKey {
    fn public(&self) -> PublicKey {
        PublicKey::new(&self.name, Algorithm::Ed25519(self.key.verifying_key()))
    }

    fn signature(&self, text: &str) -> Result<Vec<u8>, TlogError> {
        Ok(self.key.sign(text.as_bytes()).to_bytes().to_vec())
    }
}

/// What lies in the file of the key.
pub enum Key {
    Open(SecretKey),
    Locked(LockedKey),
    Ssh(SshKey),
    Epochs(EpochsKey),
}

/// How a key is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    Open,
    Locked,
    Ssh,
    Epochs,
}

impl KeyKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Locked => "passphrase",
            Self::Ssh => "ssh",
            Self::Epochs => "epochs",
        }
    }
}

impl Key {
    pub fn kind(&self) -> KeyKind {
        match self {
            Self::Open(_) => KeyKind::Open,
            Self::Locked(_) => KeyKind::Locked,
            Self::Ssh(_) => KeyKind::Ssh,
            Self::Epochs(_) => KeyKind::Epochs,
        }
    }

    pub fn public(&self) -> PublicKey {
        match self {
            Self::Open(key) => key.public(),
            Self::Locked(key) => key.public.clone(),
            Self::Ssh(key) => key.public.clone(),
            Self::Epochs(key) => key.public(),
        }
    }

    pub(super) fn parse(text: &str, leaves: Option<Vec<u8>>) -> Option<Self> {
        let mut lines = text.lines();
        (lines.next()? == FIRST_LINE).then_some(())?;
        let mut line = |word: &str| lines.next()?.strip_prefix(word)?.strip_prefix(' ');
        let name = line("name")?;
        is_name(name).then_some(())?;
        let (kind, value) = lines.next()?.split_once(' ')?;
        Some(match kind {
            "seed" => {
                let seed = BASE64.decode(value.as_bytes()).ok()?; // no key
                let key = SigningKey::from_bytes(&seed.try_into().ok()?); // as above
                Self::Open(SecretKey { name: name.to_owned(), key })
            }
            "locked" => Self::Locked(LockedKey::parse(value, lines.next()?)?),
            "ssh" => {
                let public = PublicKey::parse(lines.next()?.strip_prefix("public ")?)?;
                Self::Ssh(SshKey { public, path: value.into() })
            }
            "epochs" => Self::Epochs(EpochsKey::parse(name, value, leaves?)?),
            _ => return None,
        })
    }

    pub(super) fn text(&self) -> String {
        let (public, rest) = (
            self.public(),
            match self {
                Self::Open(key) => format!("seed {}", BASE64.encode(key.key.as_bytes())),
                Self::Locked(key) => format!("locked {}\npublic {}", key.text(), key.public),
                Self::Ssh(key) => format!("ssh {}\npublic {}", key.path.display(), key.public),
                Self::Epochs(key) => format!("epochs {}", key.text()),
            },
        );
        format!("{FIRST_LINE}\nname {}\n{rest}\n", public.name())
    }

    /// One that signs by itself: neither a person nor another program is asked.
    pub fn alone(&self) -> Option<&dyn Sign> {
        match self {
            Self::Open(key) => Some(key),
            Self::Epochs(key) => Some(key),
            Self::Locked(_) | Self::Ssh(_) => None,
        }
    }

    /// Whether it has to become the key of a later epoch before it signs.
    pub(super) fn evolved(&self) -> Option<Self> {
        match self {
            Self::Epochs(key) => key.evolved(clock::now_ms() / 1_000).map(Self::Epochs),
            _ => None,
        }
    }
}
