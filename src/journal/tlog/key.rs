//! Keys that sign checkpoints: ed25519, each a file of the user's alone, outside of every project.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use data_encoding::{BASE64, HEXLOWER};
use ed25519_dalek::{Signature as Ed25519, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

use super::TlogError;
use super::note::{Note, Signature};
use crate::config::environment;
use crate::journal::enclosure::OpenHow;
use crate::journal::private::{own_file, own_folder};
use crate::journal::{enclosure, id};

/// Which algorithm, as signed notes number them.
const ED25519: u8 = 1;
const FILE_BYTES_MAX: u64 = 4 << 10;
const FIRST_LINE: &str = "annals signing key v1";

/// Who may have signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    name: String,
    key: VerifyingKey,
}

impl PublicKey {
    /// `name+id+base64`, as signed notes write it.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, rest) = text.trim().split_once('+')?;
        let (key_id, key) = rest.split_once('+')?;
        let bytes = BASE64.decode(key.as_bytes()).ok()?; // no key
        let (algorithm, bytes) = bytes.split_first()?;
        let key = VerifyingKey::from_bytes(bytes.try_into().ok()?).ok()?; // no key
        let public = Self { name: name.to_owned(), key };
        (is_name(name) && *algorithm == ED25519 && HEXLOWER.encode(&public.id()) == key_id)
            .then_some(public)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first bytes of the SHA-256 of name and key.
    pub fn id(&self) -> [u8; 4] {
        let mut hasher = Sha256::new();
        hasher.update(self.name.as_bytes());
        hasher.update([b'\n', ED25519]);
        hasher.update(self.key.as_bytes());
        let hash: [u8; 32] = hasher.finalize().into();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    pub fn verifies(&self, text: &[u8], signature: &[u8]) -> bool {
        let signature = signature.try_into().map(|bytes| Ed25519::from_bytes(&bytes));
        signature.is_ok_and(|it| self.key.verify_strict(text, &it).is_ok())
    }
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let key = BASE64.encode(&[&[ED25519], self.key.as_bytes().as_slice()].concat());
        write!(f, "{}+{}+{key}", self.name, HEXLOWER.encode(&self.id()))
    }
}

/// Letters, digits and `@._-/:` alone: `+` and spaces stand between a key's parts, and others may hide what is shown.
pub fn is_name(name: &str) -> bool {
    let is_fit = |it: char| it.is_ascii_alphanumeric() || "@._-/:".contains(it);
    !name.is_empty() && name.len() <= 200 && name.chars().all(is_fit)
}

/// What signs.
pub struct SecretKey {
    name: String,
    key: SigningKey,
}

impl SecretKey {
    pub fn generate(name: &str) -> Self {
        let [entropy @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = id::entropy();
        Self { name: name.to_owned(), key: SigningKey::from_bytes(&entropy) }
    }

    pub fn public(&self) -> PublicKey {
        PublicKey { name: self.name.clone(), key: self.key.verifying_key() }
    }

    /// Signs a text, which ends in a newline.
    pub fn sign(&self, text: String) -> Note {
        let bytes = self.key.sign(text.as_bytes()).to_bytes().to_vec();
        let signature = Signature { name: self.name.clone(), key_id: self.public().id(), bytes };
        Note { text, signatures: vec![signature] }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        (lines.next()? == FIRST_LINE).then_some(())?;
        let name = lines.next()?.strip_prefix("name ")?;
        let seed = BASE64.decode(lines.next()?.strip_prefix("seed ")?.as_bytes()).ok()?; // no key
        let key = SigningKey::from_bytes(&seed.try_into().ok()?); // as above
        is_name(name).then(|| Self { name: name.to_owned(), key })
    }

    fn text(&self) -> String {
        format!("{FIRST_LINE}\nname {}\nseed {}\n", self.name, BASE64.encode(self.key.as_bytes()))
    }
}

/// Where this user's keys lie: the one that signs, and the public ones that ever did.
pub struct Keys {
    folder: PathBuf,
}

impl Keys {
    /// `None` where the user has no folder for them.
    pub fn of_user() -> Option<Self> {
        Some(Self { folder: environment::config_folder()? })
    }

    pub fn path(&self) -> PathBuf {
        self.folder.join("signing.key")
    }

    fn publics_path(&self) -> PathBuf {
        self.folder.join("signing.pub")
    }

    /// The key that signs; `None` where there is none.
    pub fn secret(&self) -> Result<Option<SecretKey>, TlogError> {
        let path = self.path();
        let bad = |what| TlogError::Key { path: path.clone(), what };
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            _ => {}
        }
        let own = own_folder(&self.folder).and_then(|()| own_file(&path));
        own.map_err(|_| bad("others could read or write it; it must be your own, with mode 0600"))?;
        let bytes = enclosure::read(&path, FILE_BYTES_MAX);
        let bytes = bytes.map_err(|source| self.io(&path, "read", source))?;
        let key = std::str::from_utf8(&bytes).ok().and_then(SecretKey::parse); // as told
        key.ok_or_else(|| bad("it is not what annals key new writes")).map(Some)
    }

    /// Every public key that this user's checkpoints were signed with, the newest last.
    pub fn publics(&self) -> Vec<PublicKey> {
        // Where none is listed there is none.
        let text = enclosure::read(&self.publics_path(), 1 << 20).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        text.lines().filter_map(PublicKey::parse).collect()
    }

    /// Makes a key where there is none.
    pub fn make(&self, name: &str) -> Result<SecretKey, TlogError> {
        let what = || TlogError::Refused {
            what: format!(
                "{} is there already: annals key rotate makes another",
                self.path().display()
            ),
        };
        match self.secret()? {
            Some(_) => Err(what()),
            None => {
                let key = SecretKey::generate(name);
                self.write(&key)?;
                Ok(key)
            }
        }
    }

    /// Puts a new key in the place of the one there is; gives a note, signed by both, that says so.
    pub fn rotate(&self) -> Result<(SecretKey, Note), TlogError> {
        let none =
            || TlogError::Refused { what: "there is no key to rotate: annals key new".into() };
        let old = self.secret()?.ok_or_else(none)?;
        let new = SecretKey::generate(&old.name);
        let text = format!("annals key rotation\n{}\n{}\n", old.public(), new.public());
        let mut note = old.sign(text.clone());
        note.signatures.extend(new.sign(text).signatures);
        self.write(&new)?;
        Ok((new, note))
    }

    fn write(&self, key: &SecretKey) -> Result<(), TlogError> {
        let path = self.path();
        let made = enclosure::make_folders(&self.folder).and_then(|_| own_folder(&self.folder));
        made.map_err(|source| self.io(&self.folder, "made", source))?;
        let temporary = self.folder.join(".new-signing.key");
        let written = || {
            match enclosure::remove(&temporary) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => removed?,
            }
            let mut file = enclosure::open(&temporary, OpenHow::CreateNew)?;
            file.write_all(key.text().as_bytes())?;
            file.sync_all()?;
            enclosure::append(&self.publics_path())?
                .write_all(format!("{}\n", key.public()).as_bytes())?;
            enclosure::rename(&temporary, &path)
        };
        written().map_err(|source| self.io(&path, "written", source))
    }

    fn io(&self, path: &Path, did: &'static str, source: std::io::Error) -> TlogError {
        TlogError::Io { path: path.to_owned(), did, source }
    }
}
