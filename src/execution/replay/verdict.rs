//! Whether the journal holds, over the part that was walked.

use std::path::Path;

use super::Window;
use crate::event::Sequence;
use crate::journal::{JournalError, Reading, VerifyReport};
use crate::store::evidence::Cache;
use crate::store::verify::audit;

/// Whether a journal holds, over a part of it.
#[derive(Debug)]
pub struct Verdict {
    /// What `verify` says of the whole.
    pub report: VerifyReport,
    /// Of the whole: damage of which no event tells.
    damaged: bool,
    /// Its findings that concern the part: those without sequences may concern any.
    pub concerned: Vec<usize>,
}

impl Verdict {
    /// Nothing is wrong with the part.
    pub fn is_clean(&self) -> bool {
        self.report.is_clean() || (self.elsewhere() && self.concerned.is_empty())
    }

    /// Something of the part that was durable once is lost or changed.
    pub fn is_damaged(&self) -> bool {
        !self.is_clean() && self.damaged
    }

    /// All that is wrong is known finding by finding.
    fn elsewhere(&self) -> bool {
        let told = self.report.findings.len() as u64 == self.report.findings_count;
        told && self.report.findings_count > 0 && self.report.unreadable.is_empty()
    }
}

/// Verifies a journal and picks out what concerns the window.
pub fn verdict(
    path: &Path,
    reading: Reading,
    window: &Window,
    cache: &Cache,
) -> Result<Verdict, JournalError> {
    let audit = audit(path, reading, cache)?;
    let (damaged, report) = (audit.is_damaged(), audit.report);
    let concerns = |lost: Option<(u64, u64)>| {
        lost.is_none_or(|(first, last)| window.touches(Sequence(first), Sequence(last)))
    };
    let concerned = report
        .findings
        .iter()
        .enumerate()
        .filter(|(_, finding)| concerns(finding.lost.map(|(first, last)| (first.0, last.0))));
    let concerned = concerned.map(|(at, _)| at).collect();
    Ok(Verdict { report, damaged, concerned })
}
