//! Proofs that stand by themselves, as C2SP's tlog-proof has them: one record, its way to the root, and the
//! checkpoint that vouches for the root.

use std::fmt;

use annals_journal_format::frame::{Flags, inner_hash};
use annals_journal_format::tree::{consistency_holds, inclusion_holds};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::note::{Checkpoint, Note, NoteError};
use super::{Hash, PublicKey};

const FIRST_LINE: &str = "c2sp.org/tlog-proof@v1";
const HASHES_MAX: usize = 130;
/// Of a header the bytes behind its sum and before the salt, then the inner hash.
const LEAF_BYTES: usize = 24 + 32;

/// That a record is in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What the leaf is made of (FORMAT.md §6): kind, sequence and time, and the hash of the content.
    pub leaf: [u8; LEAF_BYTES],
    /// Records before it.
    pub index: u64,
    pub path: Vec<Hash>,
    /// A checkpoint, signed or not.
    pub note: String,
}

impl Proof {
    /// What a frame's leaf is made of.
    pub fn leaf_of(frame: &[u8]) -> [u8; LEAF_BYTES] {
        let mut leaf = [0; LEAF_BYTES];
        leaf[..24].copy_from_slice(&frame[8..32]);
        leaf[6] = Flags(leaf[6]).without(Flags::REDACTED).0;
        leaf[24..].copy_from_slice(&inner_hash(frame));
        leaf
    }

    pub fn parse(text: &str) -> Result<Self, NoteError> {
        let bad = NoteError::NotSigned;
        let (head, note) =
            text.split_once("\n\n").ok_or(bad("no blank line before the checkpoint"))?;
        let mut lines = head.lines();
        if lines.next() != Some(FIRST_LINE) {
            return Err(bad("its first line is not that of a proof"));
        }
        let extra = lines.next().and_then(|it| it.strip_prefix("extra "));
        let leaf = extra.and_then(|it| BASE64.decode(it.as_bytes()).ok()); // as told
        let leaf = leaf.and_then(|it| it.try_into().ok()).ok_or(bad("it has no leaf"))?; // as told
        let index = lines.next().and_then(|it| it.strip_prefix("index "));
        let index = index.and_then(|it| it.parse().ok()).ok_or(bad("it has no index"))?; // as told
        let path = hashes(lines)?;
        Ok(Self { leaf, index, path, note: note.to_owned() })
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}\nextra {}\nindex {}", BASE64.encode(&self.leaf), self.index)?;
        for hash in &self.path {
            writeln!(f, "{}", BASE64.encode(hash))?;
        }
        write!(f, "\n{}", self.note)
    }
}

/// That a journal of fewer records is the beginning of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Records of the first, and its root.
    pub first: (u64, Hash),
    pub path: Vec<Hash>,
    /// The checkpoint of the second, signed or not.
    pub note: String,
}

const GROWTH_LINE: &str = "annals/consistency-proof@v1";

impl Growth {
    pub fn parse(text: &str) -> Result<Self, NoteError> {
        let bad = NoteError::NotSigned;
        let (head, note) =
            text.split_once("\n\n").ok_or(bad("no blank line before the checkpoint"))?;
        let mut lines = head.lines();
        if lines.next() != Some(GROWTH_LINE) {
            return Err(bad("its first line is not that of a proof"));
        }
        let first = lines.next().and_then(|it| it.strip_prefix("first ")?.split_once(' '));
        let first = first.and_then(|(size, root)| {
            Some((size.parse().ok()?, BASE64.decode(root.as_bytes()).ok()?.try_into().ok()?)) // as told
        });
        let first = first.ok_or(bad("it does not say what it begins with"))?;
        Ok(Self { first, path: hashes(lines)?, note: note.to_owned() })
    }

    /// Whether it holds, of which checkpoint, and who of these signed that.
    pub fn check(
        &self,
        keys: &[PublicKey],
    ) -> Result<(bool, Checkpoint, Option<String>), NoteError> {
        let (checkpoint, signed_by) = vouched(&self.note, keys)?;
        let (size, root) = (checkpoint.size, &checkpoint.root);
        let (first, first_root) = &self.first;
        let holds = consistency_holds((*first, first_root), (size, root), &self.path);
        Ok((holds, checkpoint, signed_by))
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, root) = &self.first;
        writeln!(f, "{GROWTH_LINE}\nfirst {size} {}", BASE64.encode(root))?;
        for hash in &self.path {
            writeln!(f, "{}", BASE64.encode(hash))?;
        }
        write!(f, "\n{}", self.note)
    }
}

fn hashes<'t>(lines: impl Iterator<Item = &'t str>) -> Result<Vec<Hash>, NoteError> {
    let hash = |line: &str| BASE64.decode(line.as_bytes()).ok()?.try_into().ok(); // as told
    let path: Option<Vec<Hash>> = lines.map(hash).collect();
    path.filter(|it| it.len() <= HASHES_MAX).ok_or(NoteError::NotSigned("a line is no hash"))
}

/// A checkpoint, and who of these signed it; one that nobody signed is its text alone.
fn vouched(note: &str, keys: &[PublicKey]) -> Result<(Checkpoint, Option<String>), NoteError> {
    let Ok(note) = Note::parse(note) else { return Ok((Checkpoint::parse(note)?, None)) };
    let key = keys.iter().find(|key| !key.is_cosigner() && note.is_signed_by(key));
    Ok((Checkpoint::parse(&note.text)?, key.map(|key| note.name_of(key))))
}

/// What a proof proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedProof {
    pub checkpoint: Checkpoint,
    pub sequence: u64,
    pub kind: u16,
    pub time_ms: u64,
    /// `blake3(salt ‖ stored payload)`.
    pub inner: Hash,
    /// The name of the key that signed, among those that were given.
    pub signed_by: Option<String>,
    /// The path leads from the leaf to the checkpoint's root.
    pub holds: bool,
}

/// Checks a proof, with nothing but itself and the keys that are believed.
pub fn check(proof: &Proof, keys: &[PublicKey]) -> Result<CheckedProof, NoteError> {
    let (checkpoint, signed_by) = vouched(&proof.note, keys)?;
    let leaf: Hash = Sha256::digest([&[0], proof.leaf.as_slice()].concat()).into();
    let holds = inclusion_holds(&leaf, proof.index, checkpoint.size, &proof.path, &checkpoint.root);
    let part = |at: usize| proof.leaf.get(at..).and_then(|it| it.first_chunk::<8>());
    let number = |at| part(at).map_or(0, |it| u64::from_le_bytes(*it));
    let kind = u16::from_le_bytes([proof.leaf[4], proof.leaf[5]]);
    let mut inner = [0; 32];
    inner.copy_from_slice(&proof.leaf[24..]);
    let (sequence, time_ms) = (number(8), number(16));
    Ok(CheckedProof { checkpoint, sequence, kind, time_ms, inner, signed_by, holds })
}
