//! Signed notes and checkpoints, as C2SP has them: a text, and who signed it.
//!
//! ```text
//! annals/9a3a59e82a0636b43853a1399637d6e9        origin
//! 4711                                           records
//! CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=   root
//! annals 4713 9f86…                              the last event, and the chain at its commit's end
//!
//! — me@laptop Az3grlgtzPICa5OS8npVmf1Myq/5IZni…
//! ```

use data_encoding::BASE64;

use super::Hash;
use super::key::{PublicKey, Signed};
use crate::event::Sequence;
use crate::event::wire::{hex_text, unhex};
use crate::journal::Mark;

/// A longer file is no note.
pub const NOTE_BYTES_MAX: u64 = 1 << 20;
const SIGNATURES_MAX: usize = 100;
const CHAIN: &str = "annals ";

#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    #[error("this is no signed note: {0}")]
    NotSigned(&'static str),
    #[error("this is no checkpoint of a journal: {0}")]
    NotCheckpoint(&'static str),
}

/// A text with its signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Ends in a newline.
    pub text: String,
    pub signatures: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub name: String,
    pub key_id: [u8; 4],
    pub bytes: Vec<u8>,
}

impl Note {
    pub fn parse(note: &str) -> Result<Self, NoteError> {
        if note.chars().any(|it| it.is_control() && it != '\n') {
            return Err(NoteError::NotSigned("it has control characters"));
        }
        let (text, signatures) = note
            .rsplit_once("\n\n")
            .ok_or(NoteError::NotSigned("no blank line before signatures"))?;
        let signatures: Option<Vec<_>> = signatures.lines().map(signature).collect();
        let signatures =
            signatures.ok_or(NoteError::NotSigned("a line behind the text is no signature"))?;
        if signatures.len() > SIGNATURES_MAX {
            return Err(NoteError::NotSigned("it has too many signatures"));
        }
        Ok(Self { text: format!("{text}\n"), signatures })
    }

    /// What the signatures of this key come to: the best of them.
    pub fn signed_by(&self, key: &PublicKey) -> Signed {
        let own = self.signatures.iter().filter(|it| key.is_of(&it.name, &it.key_id));
        let mut found = Signed::Not;
        for signature in own.take(SIGNATURES_MAX) {
            match key.verify(self.text.as_bytes(), &signature.bytes) {
                Signed::Not => {}
                Signed::Expired => found = Signed::Expired,
                by @ Signed::By { .. } => return by,
            }
        }
        found
    }

    /// The name under which a key signed it.
    pub fn name_of(&self, key: &PublicKey) -> String {
        let own = self.signatures.iter().find(|it| key.is_of(&it.name, &it.key_id));
        own.map_or_else(|| key.name().to_owned(), |it| it.name.clone())
    }

    /// Whether a signature is said to be by this key.
    pub fn names(&self, key: &PublicKey) -> bool {
        self.signatures.iter().any(|it| key.is_of(&it.name, &it.key_id))
    }

    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        matches!(self.signed_by(key), Signed::By { .. })
    }

    /// Takes the signatures of another note over the same text that these keys made; how many were new.
    pub fn take(&mut self, other: &Self, keys: &[PublicKey]) -> usize {
        let before = self.signatures.len();
        if other.text == self.text {
            for signature in &other.signatures {
                let by = |key: &&PublicKey| {
                    key.is_of(&signature.name, &signature.key_id)
                        && matches!(
                            key.verify(self.text.as_bytes(), &signature.bytes),
                            Signed::By { .. }
                        )
                };
                let is_room = self.signatures.len() < SIGNATURES_MAX;
                if is_room && !self.signatures.contains(signature) && keys.iter().any(|it| by(&it))
                {
                    self.signatures.push(signature.clone());
                }
            }
        }
        self.signatures.len() - before
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.text)?;
        for Signature { name, key_id, bytes } in &self.signatures {
            writeln!(f, "— {name} {}", BASE64.encode(&[key_id.as_slice(), bytes].concat()))?;
        }
        Ok(())
    }
}

fn signature(line: &str) -> Option<Signature> {
    let (name, bytes) = line.strip_prefix("— ")?.split_once(' ')?;
    let bytes = BASE64.decode(bytes.as_bytes()).ok()?; // told as no signature
    let (key_id, bytes) = bytes.split_first_chunk()?;
    let is_name = !name.is_empty() && !name.contains(['+', ' ']);
    is_name.then(|| Signature { name: name.to_owned(), key_id: *key_id, bytes: bytes.to_vec() })
}

/// What a log was at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub journal: [u8; 16],
    /// Records.
    pub size: u64,
    pub root: Hash,
    /// The end of the last commit.
    pub mark: Mark,
}

/// The name of a journal's log in checkpoints.
pub fn origin(journal: &[u8; 16]) -> String {
    format!("annals/{}", hex_text(journal))
}

impl Checkpoint {
    pub fn text(&self) -> String {
        let (root, chain) = (BASE64.encode(&self.root), hex_text(&self.mark.chain));
        let (origin, size, sequence) = (origin(&self.journal), self.size, self.mark.sequence.0);
        format!("{origin}\n{size}\n{root}\n{CHAIN}{sequence} {chain}\n")
    }

    pub fn parse(text: &str) -> Result<Self, NoteError> {
        let bad = NoteError::NotCheckpoint;
        let mut lines = text.lines();
        let mut line = || lines.next().unwrap_or_default();
        let journal = line().strip_prefix("annals/").and_then(unhex);
        let journal = journal.ok_or(bad("its first line is not annals/ and a journal's id"))?;
        let size = line();
        let is_number =
            size.bytes().all(|it| it.is_ascii_digit()) && (size == "0" || !size.starts_with('0'));
        let parsed = size.parse().ok().filter(|_| is_number); // as told
        let size = parsed.ok_or(bad("its second line is no number of records"))?;
        let root = BASE64.decode(line().as_bytes()).ok().and_then(|it| it.try_into().ok()); // as told
        let root = root.ok_or(bad("its third line is no root"))?;
        let mark = line().strip_prefix(CHAIN).and_then(|it| it.split_once(' '));
        let mark = mark.and_then(|(sequence, chain)| {
            Some(Mark { sequence: Sequence(sequence.parse().ok()?), chain: unhex(chain)? }) // as told
        });
        let mark = mark.ok_or(bad("its fourth line has no event and chain"))?;
        Ok(Self { journal, size, root, mark })
    }
}
