//! The file that says at no cost which orders were begun and have not ended.

use std::path::{Path, PathBuf};

use super::RedactionError;
use crate::event::OrderId;
use crate::journal::enclosure::{self, OpenHow};
use crate::journal::{Project, derived_file};

const NAME: &str = "redaction";
const FIRST_LINE: &str = "annals redaction 1";
const BYTES_MAX: u64 = 1 << 20;

fn path(project: &Project) -> PathBuf {
    project.annals_dir().join(NAME)
}

/// Whether a redaction may have been begun that has not ended: what an opening has to carry out. Where the marker
/// was lost, verifying finds what of it is left in the journal.
pub fn is_unfinished(project: &Project) -> bool {
    enclosure::look(&path(project)).is_ok()
}

/// On disk when it returns: a redaction that nobody knows to be unfinished would never be.
pub(super) fn put(project: &Project, order: OrderId) -> Result<(), RedactionError> {
    let mut begun = begun(project);
    begun.push(Begun { order, pid: std::process::id() });
    write(project, &begun)
}

/// Says of these orders that all is done: frames, blobs, stores, and whatever else was written. Those that somebody
/// else begins now stay; those that were never recorded, since who began them is gone, go.
pub fn end(project: &Project, done: &[OrderId]) -> Result<(), RedactionError> {
    let mut begun = begun(project);
    begun.retain(|it| !done.contains(&it.order) && it.is_beginning());
    if !begun.is_empty() {
        return write(project, &begun);
    }
    let path = path(project);
    match enclosure::remove(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(|source| RedactionError::Io { path, did: "removed", source }),
    }
}

/// An order, and the process that began it.
struct Begun {
    order: OrderId,
    pid: u32,
}

impl Begun {
    fn parse(line: &str) -> Option<Self> {
        let (order, pid) = line.split_once(' ')?;
        Some(Self { order: OrderId::parse(order)?, pid: pid.parse().ok()? }) // no line of ours
    }

    /// Whether another process that lives may be about to record it.
    fn is_beginning(&self) -> bool {
        self.pid != std::process::id() && Path::new("/proc").join(self.pid.to_string()).exists()
    }
}

/// The orders that it names; none of one that says something else, which is there all the same.
fn begun(project: &Project) -> Vec<Begun> {
    let bytes = derived_file::read(&path(project), BYTES_MAX).unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap_or_default();
    let mut lines = text.lines();
    match lines.next() {
        Some(FIRST_LINE) => lines.filter_map(Begun::parse).collect(),
        _ => Vec::new(),
    }
}

fn write(project: &Project, begun: &[Begun]) -> Result<(), RedactionError> {
    let path = path(project);
    let lines: String = begun.iter().map(|it| format!("{} {}\n", it.order, it.pid)).collect();
    let write = || {
        derived_file::replace(&path, format!("{FIRST_LINE}\n{lines}").as_bytes())?;
        enclosure::open(&path, OpenHow::Read)?.sync_all()?;
        enclosure::folder(&project.annals_dir())?.sync_all()
    };
    write().map_err(|source| RedactionError::Io { path: path.clone(), did: "written", source })
}
