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
    /// By which orders frames were redacted in it since it was made, the last of them.
    pub orders: Vec<BundleOrder>,
}

/// An order that a bundle was written anew by: what its writer says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleOrder {
    /// Its id, as text without spaces.
    pub id: String,
    /// How many frames.
    pub frames: u64,
    /// When it was given, RFC 3339.
    pub at: String,
    /// By whom, and why; one line each.
    pub by: String,
    pub reason: String,
}

const FIRST_LINE: &str = "annals bundle 1";
/// Of a project's name.
const PROJECT_BYTES_MAX: usize = 1_024;
/// Of who gives an order, and of why.
const LINE_BYTES_MAX: usize = 512;
/// Orders that a manifest tells of.
pub const ORDERS_MAX: usize = 16;
/// A manifest is never longer.
pub const MANIFEST_BYTES_MAX: u64 = 24 << 10;

/// A text as a line of so many bytes at most.
fn line(text: &str, bytes_max: usize) -> String {
    let end = text.floor_char_boundary(bytes_max);
    text[..end].replace(|c: char| c.is_control(), " ")
}

impl BundleOrder {
    fn to_text(&self) -> String {
        let Self { id, frames, at, by, reason } = self;
        let (by, reason) = (line(by, LINE_BYTES_MAX), line(reason, LINE_BYTES_MAX));
        format!("order {} {frames} {}\nby {by}\nreason {reason}\n", line(id, 64), line(at, 64))
    }

    fn parse<'t>(lines: &mut impl Iterator<Item = &'t str>) -> Option<Self> {
        let mut words = lines.next()?.strip_prefix("order ")?.split(' ');
        let (id, frames, at) = (words.next()?, words.next()?, words.next()?);
        Some(Self {
            id: id.to_owned(),
            frames: frames.parse().ok()?, // not a number: no manifest
            at: at.to_owned(),
            by: lines.next()?.strip_prefix("by ")?.to_owned(),
            reason: lines.next()?.strip_prefix("reason ")?.to_owned(),
        })
    }
}

impl Manifest {
    /// Its lines.
    pub fn to_text(&self) -> String {
        let project = line(&self.project, PROJECT_BYTES_MAX);
        let orders: String = self.orders.iter().map(BundleOrder::to_text).collect();
        let left_out = match &self.left_out {
            Some((count, what)) => format!("redacted {count} {what}\n"),
            None => String::new(),
        };
        format!(
            "{FIRST_LINE}\njournal {}\nfirst {}\nlast {}\nchain {}\nproject {project}\n{left_out}{orders}",
            hex(&self.journal.0),
            self.first.0,
            self.mark.sequence.0,
            hex(&self.mark.chain.0),
        )
    }

    /// Reads its lines; `None` where they are not exactly as [`Self::to_text`] writes them.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n').peekable();
        let first_line = lines.next()?;
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let mut manifest = Self {
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
            orders: Vec::new(),
        };
        while lines.peek().is_some() && manifest.orders.len() < ORDERS_MAX {
            manifest.orders.push(BundleOrder::parse(&mut lines)?);
        }
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
