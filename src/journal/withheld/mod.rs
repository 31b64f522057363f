//! What was redacted and must not come back: known by keyed digests, outside of every project.
//!
//! One file of the user's alone, beside the signing key: a random key, and under it the digests of the
//! redacted values' forms and of the calls and messages that were redacted whole. Neither key nor digest
//! is ever in a journal, an order or a bundle, so that nobody who holds those can test a guess.

mod beyond;
mod identity;
mod orders;
mod recorded;
mod taken;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, process};

use crate::config::environment;
use crate::event::wire::{hex_text, unhex};
use crate::event::{Event, OrderId, Source};
use crate::journal::enclosure::OpenHow;
use crate::journal::private::{own_file, own_folder};
use crate::journal::{enclosure, id};
use crate::redact::Redactor;
use crate::redact::value::{DIGEST_KEY_BYTES, KEPT_MIN, KeptValue, KeptValues};

pub use beyond::{execution, is_said};
pub use orders::{is_ordered_in, lost, note};
pub use recorded::{Met, Recorded, recorded};
pub use taken::keep_leaves;

const FIRST_LINE: &str = "annals withheld v1";
const RETENTION: &str = "annals retention";
const ORDER: &str = "annals order";
const FILE_NAME: &str = "withheld";
const FILE_BYTES_MAX: u64 = 64 << 20;

/// How its file stands: where that is another, what it says is read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp(Option<[i128; 5]>);

impl Stamp {
    /// What cannot be looked at is as if it were not there.
    pub fn of(path: &Path) -> Self {
        let about = fs::symlink_metadata(path).ok(); // as above
        Self(about.map(|it| {
            let (seconds, rest) = (it.mtime().into(), it.mtime_nsec().into());
            [it.dev().into(), it.ino().into(), it.size().into(), seconds, rest]
        }))
    }
}

/// What must not be recorded again.
pub struct Withheld {
    values: Arc<KeptValues>,
    /// Digests of whose a record is.
    records: HashSet<[u8; 32]>,
    /// By the digest of a journal's id: what happened before this is not imported, Unix milliseconds.
    before: HashMap<[u8; 32], u64>,
    /// Digests of the orders that the rest was kept for.
    orders: HashSet<[u8; 32]>,
    /// The very records that orders took.
    taken: taken::Taken,
}

impl Withheld {
    /// What this user withholds; `None` where that is nothing.
    pub fn of_user() -> io::Result<Option<Self>> {
        match file() {
            Some(path) => Self::read(&path),
            None => Ok(None),
        }
    }

    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            _ => own_folder(path.parent().unwrap_or(path)).and_then(|()| own_file(path))?,
        }
        let text = enclosure::read(path, FILE_BYTES_MAX)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let withheld = Self::parse(&text);
        withheld
            .map(Some)
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "it is not what annals wrote"))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let key = lines.next().filter(|line| *line == FIRST_LINE).and_then(|_| lines.next())?;
        let key: [u8; DIGEST_KEY_BYTES] = unhex(key.strip_prefix("key ")?)?;
        let (mut values, mut records, mut before) = (Vec::new(), HashSet::new(), HashMap::new());
        let (mut orders, mut taken) = (HashSet::new(), taken::Taken::default());
        // A line that was cut by a crash withholds nothing; what was told to be kept stands whole.
        for line in lines {
            if let Some(value) = line.strip_prefix("value ").and_then(value) {
                values.push(value);
            } else if let Some(record) = line.strip_prefix("record ").and_then(unhex) {
                records.insert(record);
            } else if let Some(order) = line.strip_prefix("order ").and_then(unhex) {
                orders.insert(order);
            } else if let Some(leaves) = line.strip_prefix("leaves ") {
                taken.line(leaves);
            } else if let Some((journal, at_ms)) = line.strip_prefix("before ").and_then(until) {
                let known = before.entry(journal).or_insert(0);
                *known = at_ms.max(*known);
            }
        }
        Some(Self {
            values: Arc::new(KeptValues::new(key, values)),
            records,
            before,
            orders,
            taken,
        })
    }

    pub fn values(&self) -> Arc<KeptValues> {
        Arc::clone(&self.values)
    }

    /// Whether an event was redacted before, by what it is of, or is beyond its time in the journal of this id.
    pub fn holds(&self, event: &Event, journal: impl FnOnce() -> Option<[u8; 16]>) -> bool {
        self.is_known(event)
            || !self.before.is_empty()
                && event.envelope.source == Source::Import
                && !identity::told_by(event).is_empty()
                && journal()
                    .and_then(|id| self.before(&id))
                    .is_some_and(|it| event.envelope.at_ms < it)
    }

    /// Whether an event was redacted before, by what it is of.
    fn is_known(&self, event: &Event) -> bool {
        let is_known = |whose: &identity::Whose| self.records.contains(&self.digest(whose));
        !self.records.is_empty() && identity::told_by(event).iter().any(is_known)
    }

    /// What happened before this in the journal of this id is kept out by policy, Unix milliseconds.
    fn before(&self, journal: &[u8; 16]) -> Option<u64> {
        self.before.get(&self.journal(journal)).copied()
    }

    fn journal(&self, journal: &[u8; 16]) -> [u8; 32] {
        self.values.digest_of(RETENTION, &[journal])
    }

    fn order(&self, order: OrderId) -> [u8; 32] {
        self.values.digest_of(ORDER, &[&order.0])
    }

    fn digest(&self, whose: &identity::Whose) -> [u8; 32] {
        let parts: Vec<&[u8]> = whose.parts.iter().map(Vec::as_slice).collect();
        self.values.digest_of(whose.what, &parts)
    }
}

fn value(line: &str) -> Option<KeptValue> {
    let (len, rest) = line.split_once(' ')?;
    let (sign, digest) = rest.split_once(' ')?;
    let sign: [u8; 2] = unhex(sign)?;
    let len = len.parse().ok().filter(|len| *len > 0)?; // no line of ours
    Some(KeptValue { len, sign: u16::from_be_bytes(sign), digest: unhex(digest)? })
}

fn until(line: &str) -> Option<([u8; 32], u64)> {
    let (journal, at_ms) = line.split_once(' ')?;
    Some((unhex(journal)?, at_ms.parse().ok()?)) // no line of ours
}

/// Of orders those that nothing is kept for: what they took out may be recorded again.
pub fn unkept(orders: &[OrderId]) -> io::Result<Vec<OrderId>> {
    let mut left = orders.to_vec();
    if let Some(known) = Withheld::of_user()? {
        left.retain(|it| !known.orders.contains(&known.order(*it)));
    }
    Ok(left)
}

/// Whether a name that would stay, wherever it is used, holds what is withheld, or what a rule knows.
pub fn is_in(text: &str) -> io::Result<bool> {
    let values = Withheld::of_user()?.map(|it| it.values());
    Ok(Redactor::new(&[]).knowing(values).redact_text(text) != text)
}

/// Why what was redacted is not kept out: its file is there and cannot be used.
pub fn unreadable() -> Option<String> {
    let (path, error) = (file()?, Withheld::of_user().err()?);
    let path = path.display();
    Some(format!("{path} cannot be used ({error}): what was redacted may be recorded again"))
}

/// Where it lies; `None` where the user has no folder for it.
pub fn file() -> Option<PathBuf> {
    Some(environment::config_folder()?.join(FILE_NAME))
}

/// Keeps what an order takes from coming back: values, whole events, and what happened before a moment in the
/// journal of an id; gives how many values are too short to be known again. Durable before it returns.
pub fn keep(
    path: &Path,
    order: OrderId,
    values: &[Vec<u8>],
    events: &[Event],
    before: Option<([u8; 16], u64)>,
) -> io::Result<u64> {
    let known = match Withheld::read(path)? {
        Some(known) => known,
        None => {
            make(path)?;
            Withheld::read(path)?.ok_or(ErrorKind::NotFound)?
        }
    };
    let mut lines = String::new();
    let mut short = 0;
    for value in values {
        let kept = known.values.of(value);
        short += u64::from(value.len() < KEPT_MIN);
        for it in kept.iter().filter(|it| !known.values.values().contains(it)) {
            let sign = hex_text(&it.sign.to_be_bytes());
            lines += &format!("value {} {sign} {}\n", it.len, hex_text(&it.digest));
        }
    }
    let mut told = HashSet::new();
    for whose in events.iter().flat_map(identity::kept_of) {
        let digest = known.digest(&whose);
        if !known.records.contains(&digest) && told.insert(digest) {
            lines += &format!("record {}\n", hex_text(&digest));
        }
    }
    if let Some((journal, at_ms)) = before {
        lines += &before_line(&known, &journal, at_ms);
    }
    if !known.orders.contains(&known.order(order)) {
        lines += &format!("order {}\n", hex_text(&known.order(order)));
    }
    append(path, &lines)?;
    Ok(short)
}

/// What policy keeps out of journals is kept out of the one as well that their records went into.
pub fn follow(from: impl IntoIterator<Item = [u8; 16]>, to: &[u8; 16]) -> io::Result<()> {
    let Some(path) = file() else { return Ok(()) };
    let Some(known) = Withheld::read(&path)? else { return Ok(()) };
    match from.into_iter().filter_map(|it| known.before(&it)).max() {
        Some(at_ms) if known.before(to) < Some(at_ms) => {
            append(&path, &before_line(&known, to, at_ms))
        }
        _ => Ok(()),
    }
}

fn before_line(known: &Withheld, journal: &[u8; 16], at_ms: u64) -> String {
    format!("before {} {at_ms}\n", hex_text(&known.journal(journal)))
}

fn append(path: &Path, lines: &str) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut file = enclosure::append(path)?;
    // What a crash cut short is a line of its own.
    file.write_all(format!("\n{lines}").as_bytes())?;
    file.sync_all()
}

/// Makes it with a key of its own, whoever else does so at the same time.
fn make(path: &Path) -> io::Result<()> {
    let folder = path.parent().ok_or(ErrorKind::NotFound)?;
    enclosure::make_folders(folder)?;
    own_folder(folder)?;
    let temporary = folder.join(format!(".new-{FILE_NAME}.{}", process::id()));
    match enclosure::remove(&temporary) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        removed => removed?,
    }
    let mut file = enclosure::open(&temporary, OpenHow::CreateNew)?;
    let key = &id::entropy()[..DIGEST_KEY_BYTES];
    file.write_all(format!("{FIRST_LINE}\nkey {}\n", hex_text(key)).as_bytes())?;
    file.sync_all()?;
    match enclosure::rename_new(&temporary, path) {
        // Another was faster: its key counts.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => enclosure::remove(&temporary),
        renamed => {
            renamed?;
            enclosure::folder(folder)?.sync_all()
        }
    }
}
