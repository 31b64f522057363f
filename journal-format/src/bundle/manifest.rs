//! A bundle's first entry: what it holds, in lines of text.

use crate::units::{Chain, JournalId, Mark, Sequence};

/// What a bundle says that it holds. The segments are what counts; this is a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub journal: JournalId,
    /// The first sequence that could be in it.
    pub first: Sequence,
    /// The last commit in it.
    pub mark: Mark,
    /// What the project is called; one line.
    pub project: String,
    /// Frames that are redacted in it, where its writer was asked for that: how many, and one word for what they held.
    pub left_out: Option<(u64, String)>,
}

const FIRST_LINE: &str = "annals bundle 1";
/// Of a project's name.
const PROJECT_BYTES_MAX: usize = 1_024;
/// A manifest is never longer.
pub const MANIFEST_BYTES_MAX: u64 = 2_048;

impl Manifest {
    /// Its lines.
    pub fn to_text(&self) -> String {
        let end = self.project.floor_char_boundary(PROJECT_BYTES_MAX);
        let project = self.project[..end].replace(|c: char| c.is_control(), " ");
        let left_out = match &self.left_out {
            Some((count, what)) => format!("redacted {count} {what}\n"),
            None => String::new(),
        };
        format!(
            "{FIRST_LINE}\njournal {}\nfirst {}\nlast {}\nchain {}\nproject {project}\n{left_out}",
            hex(&self.journal.0),
            self.first.0,
            self.mark.sequence.0,
            hex(&self.mark.chain.0),
        )
    }

    /// Reads its lines; `None` where they are not exactly as [`Self::to_text`] writes them.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let first_line = lines.next()?;
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let manifest = Self {
            journal: JournalId(unhex(value("journal")?)?),
            first: Sequence(value("first")?.parse().ok()?), // not a number: no manifest
            mark: Mark {
                sequence: Sequence(value("last")?.parse().ok()?), // as above
                chain: Chain(unhex(value("chain")?)?),
            },
            project: value("project")?.to_owned(),
            left_out: match lines.next() {
                Some(line) => {
                    let (count, what) = line.strip_prefix("redacted ")?.split_once(' ')?;
                    Some((count.parse().ok()?, what.to_owned())) // as above
                }
                None => None,
            },
        };
        (first_line == FIRST_LINE && lines.next().is_none() && manifest.to_text() == text)
            .then_some(manifest)
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Lower-case hex digits of exactly so many bytes.
pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    if text.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}
