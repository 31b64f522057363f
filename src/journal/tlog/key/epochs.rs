//! Keys that change by themselves: one for each epoch, of which the one before is erased, so that who takes the machine
//! over today cannot sign as if it had been yesterday.
//!
//! ```text
//! seed of the next epoch = derive("annals epoch next v1", seed)      nobody goes back
//! key of an epoch        = ed25519 of derive("annals epoch key v1", seed)
//! public key             = start ‖ seconds of an epoch ‖ height ‖ root over the public keys of all 2^height epochs
//! signature              = epoch ‖ time ‖ its public key ‖ the path to the root ‖ ed25519 over epoch, time and text
//! ```
//!
//! The public key is one and public, and a signature stands by itself.

use data_encoding::BASE64;
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

use super::public::{Algorithm, PublicKey, Signed, holds};
use super::{Sign, TlogError};
use crate::journal::{clock, id};
use annals_journal_format::tree::{Hash, node};

const HEIGHT: u8 = 10;
const DAY_S: u32 = 24 * 60 * 60;
/// An epoch of a year makes keys for a thousand of them.
pub const EPOCH_DAYS_MAX: u32 = 366;
const HEIGHT_MAX: u8 = 16;
const HASH_BYTES: usize = 32;

/// What is public of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EpochsPublic {
    /// Unix seconds.
    start_s: u64,
    epoch_s: u32,
    height: u8,
    root: Hash,
}

impl EpochsPublic {
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (start, rest) = bytes.split_first_chunk()?;
        let (epoch, rest) = rest.split_first_chunk()?;
        let (height, root) = rest.split_first()?;
        let (start_s, epoch_s) = (u64::from_be_bytes(*start), u32::from_be_bytes(*epoch));
        let is_sane = epoch_s > 0 && *height <= HEIGHT_MAX && start_s < u64::MAX >> 1;
        let root = root.try_into().ok()?; // no key
        is_sane.then_some(Self { start_s, epoch_s, height: *height, root })
    }

    pub fn bytes(&self) -> Vec<u8> {
        let (start, epoch) = (self.start_s.to_be_bytes(), self.epoch_s.to_be_bytes());
        [start.as_slice(), &epoch, &[self.height], &self.root].concat()
    }

    /// The epoch of a moment, Unix seconds; `None` before the first.
    fn epoch(&self, at_s: u64) -> Option<u64> {
        Some(at_s.checked_sub(self.start_s)? / u64::from(self.epoch_s))
    }

    fn epochs(&self) -> u64 {
        1 << self.height
    }

    pub fn verify(&self, text: &[u8], signature: &[u8]) -> Signed {
        let parts = || {
            let (epoch, rest) = signature.split_first_chunk()?;
            let (time, rest) = rest.split_first_chunk()?;
            let (key, rest) = rest.split_first_chunk::<HASH_BYTES>()?;
            let (path, own) = rest.split_at_checked(usize::from(self.height) * HASH_BYTES)?;
            let path = path.as_chunks::<HASH_BYTES>().0;
            let (epoch, time) = (u32::from_be_bytes(*epoch), u64::from_be_bytes(*time));
            let is_in = u64::from(epoch) < self.epochs() && climb(epoch, key, path) == self.root;
            let key = VerifyingKey::from_bytes(key).ok()?; // no key
            (is_in && holds(&key, &signed(epoch, time, text), own)).then_some((epoch, time))
        };
        match parts() {
            None => Signed::Not,
            Some((epoch, time)) if self.epoch(time) == Some(u64::from(epoch)) => {
                Signed::By { at_s: Some((time, u64::from(self.epoch_s))) }
            }
            Some(_) => Signed::Expired,
        }
    }
}

fn signed(epoch: u32, time: u64, text: &[u8]) -> Vec<u8> {
    [format!("annals epochs v1\nepoch {epoch}\ntime {time}\n").as_bytes(), text].concat()
}

fn leaf(epoch: u32, key: &[u8; HASH_BYTES]) -> Hash {
    Sha256::digest([&[0], epoch.to_be_bytes().as_slice(), key].concat()).into()
}

fn climb(epoch: u32, key: &[u8; HASH_BYTES], path: &[Hash]) -> Hash {
    let mut hash = leaf(epoch, key);
    for (height, beside) in path.iter().enumerate() {
        hash = match epoch >> height & 1 {
            0 => node(&hash, beside),
            _ => node(beside, &hash),
        };
    }
    hash
}

/// The root over leaves, a power of two of them, and the hashes beside the way to one of them.
fn walk(leaves: &[Hash], mut at: usize) -> (Hash, Vec<Hash>) {
    let (mut row, mut path) = (leaves.to_vec(), Vec::new());
    while row.len() > 1 {
        path.extend(row.get(at ^ 1));
        row = row.chunks_exact(2).map(|pair| node(&pair[0], &pair[1])).collect();
        at >>= 1;
    }
    (row.first().copied().unwrap_or_default(), path)
}

/// The key of the epoch that it is of, from which all later ones come, and none before.
#[derive(Clone)]
pub struct EpochsKey {
    name: String,
    public: EpochsPublic,
    epoch: u32,
    seed: [u8; 32],
    /// Of all epochs: their public keys are known, and their secrets gone.
    pub(super) leaves: Vec<Hash>,
}

impl EpochsKey {
    pub fn generate(name: &str, days: u32) -> Self {
        let [seed @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = id::entropy();
        Self::of(name, clock::now_ms() / 1_000, days.saturating_mul(DAY_S), seed)
    }

    pub(super) fn of(name: &str, start_s: u64, epoch_s: u32, seed: [u8; 32]) -> Self {
        let (mut at, mut leaves) = (seed, Vec::new());
        for epoch in 0..1_u32 << HEIGHT {
            leaves.push(leaf(epoch, key(&at).verifying_key().as_bytes()));
            at = next(&at);
        }
        let root = walk(&leaves, 0).0;
        let public = EpochsPublic { start_s, epoch_s: epoch_s.max(1), height: HEIGHT, root };
        Self { name: name.to_owned(), public, epoch: 0, seed, leaves }
    }

    /// The key of the epoch of that moment, where that is a later one. It never goes back: a clock that was set ahead
    /// once costs the epochs between.
    pub(super) fn evolved(&self, now_s: u64) -> Option<Self> {
        let now = self.public.epoch(now_s)?.min(self.public.epochs() - 1);
        let now = u32::try_from(now).ok().filter(|now| *now > self.epoch)?; // as bounded above
        let seed = (self.epoch..now).fold(self.seed, |seed, _| next(&seed));
        let (name, public, leaves) = (self.name.clone(), self.public.clone(), self.leaves.clone());
        Some(Self { name, public, epoch: now, seed, leaves })
    }

    /// How long an epoch is, in whole days and at least one.
    pub fn days(&self) -> u32 {
        (self.public.epoch_s / DAY_S).max(1)
    }

    /// `START SECONDS HEIGHT EPOCH SEED`
    pub(super) fn parse(name: &str, value: &str, leaves: Vec<u8>) -> Option<Self> {
        let words: Vec<_> = value.split(' ').collect();
        let [start, seconds, height, epoch, seed] = words[..] else { return None };
        let height = height.parse().ok().filter(|it| *it <= HEIGHT_MAX)?; // no key of ours
        let leaves = leaves.as_chunks::<HASH_BYTES>().0.to_vec();
        let root = (leaves.len() == 1_usize << height).then(|| walk(&leaves, 0).0)?;
        let (start_s, epoch_s) = (start.parse().ok()?, seconds.parse().ok()?); // as above
        let public = EpochsPublic { start_s, epoch_s, height, root };
        let public = EpochsPublic::parse(&public.bytes())?;
        let seed = BASE64.decode(seed.as_bytes()).ok()?.try_into().ok()?; // as above
        Some(Self { name: name.to_owned(), public, epoch: epoch.parse().ok()?, seed, leaves })
    }

    pub(super) fn text(&self) -> String {
        let EpochsPublic { start_s, epoch_s, height, .. } = self.public;
        format!("{start_s} {epoch_s} {height} {} {}", self.epoch, BASE64.encode(&self.seed))
    }

    pub(super) fn signature_at(&self, text: &str, time: u64) -> Result<Vec<u8>, TlogError> {
        let is_now = self.public.epoch(time) == Some(u64::from(self.epoch));
        let what = "the key's epochs and the clock do not agree: either the clock was set ahead once, or all epochs are over (annals key rotate makes new ones)";
        is_now.then_some(()).ok_or_else(|| TlogError::Refused { what: what.to_owned() })?;
        Ok(self.forged(text, time))
    }

    /// As one would that does not look at the clock.
    pub(super) fn forged(&self, text: &str, time: u64) -> Vec<u8> {
        let (key, path) = (key(&self.seed), walk(&self.leaves, self.epoch as usize).1);
        let own = key.sign(&signed(self.epoch, time, text.as_bytes())).to_bytes();
        let head = [self.epoch.to_be_bytes().as_slice(), &time.to_be_bytes()].concat();
        [&head, key.verifying_key().as_bytes().as_slice(), &path.concat(), &own].concat()
    }
}

impl Sign for EpochsKey {
    fn public(&self) -> PublicKey {
        PublicKey::new(&self.name, Algorithm::Epochs(self.public.clone()))
    }

    fn signature(&self, text: &str) -> Result<Vec<u8>, TlogError> {
        self.signature_at(text, clock::now_ms() / 1_000)
    }
}

fn key(seed: &[u8; 32]) -> SigningKey {
    SigningKey::from_bytes(&blake3::derive_key("annals epoch key v1", seed))
}

fn next(seed: &[u8; 32]) -> [u8; 32] {
    blake3::derive_key("annals epoch next v1", seed)
}
