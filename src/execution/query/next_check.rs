//! The next check that would have shown what an earlier one did (ruling 10).

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use super::{QueryError, Stores};
use crate::parse::check::coverage::{Coverage, Filed, joined, layer};

/// What checks of a journal look at, by number; read once it is needed.
#[derive(Debug, Default)]
pub(crate) struct Coverages {
    all: OnceCell<(Vec<i64>, Filed)>,
    /// Those that were met.
    met: RefCell<BTreeMap<i64, Option<Coverage>>>,
}

impl Coverages {
    /// Whether the one of a number, which is written so, covers what is needed.
    fn covers(&self, number: i64, text: &str, need: &Coverage) -> bool {
        let mut met = self.met.borrow_mut();
        let one = met.entry(number).or_insert_with(|| Coverage::parse(text));
        one.as_ref().is_some_and(|it| it.covers(need))
    }
}

/// The next behind another one that ran to its end of the same tool on the same target; a check behind a pipe that
/// shows nothing of it did not, as far as is known, nor does one that ran nothing, left tests out or has its findings
/// cut away.
const SAME: &str = "SELECT m.at_ms, m.at_seq, m.seq FROM executions p CROSS JOIN executions b CROSS JOIN executions m \
     ON m.target_key = p.target_key AND m.tool = p.tool AND m.corrected_by IS NULL \
     AND m.outcome IN ('ok', 'failed') AND m.verdict IS NOT 'unknown' \
     AND m.partial IS NULL \
     AND (m.at_ms, m.at_seq) > (b.at_ms, b.at_seq) \
     WHERE p.seq = ?1 AND b.seq = ?2 AND p.target_key IS NOT NULL ORDER BY m.at_ms, m.at_seq LIMIT 1";

/// The next few executions: the one that is asked for is mostly among them.
const NEXT_FEW: &str = "SELECT e.at_ms, e.at_seq, e.seq FROM executions p CROSS JOIN executions e \
     ON (e.at_ms, e.at_seq) > (p.at_ms, p.at_seq) \
     WHERE p.seq = ?1 ORDER BY e.at_ms, e.at_seq LIMIT 100";

const LOOKED_AT: &str = "SELECT c.coverage, t.text FROM execution_coverages c \
     JOIN coverages t ON t.number = c.coverage WHERE c.execution = ?1";

const LOOKING_THERE: &str = "SELECT c.at_ms, c.at_seq, c.execution FROM executions p \
     CROSS JOIN execution_coverages c ON c.coverage = ?2 \
     AND (c.at_ms, c.at_seq) > (p.at_ms, p.at_seq) \
     WHERE p.seq = ?1 ORDER BY c.at_ms, c.at_seq LIMIT 1";

const FILES: &str = "SELECT d.file_name FROM execution_diagnostics y JOIN diagnostics d \
     ON d.number = y.diagnostic WHERE y.execution = ?1 AND d.label = ?2 LIMIT 65";
/// Of more of them, all that the check looked at counts.
const FILES_MAX: usize = 64;

#[cfg(test)]
pub(super) const ASKED: [&str; 5] = [SAME, NEXT_FEW, LOOKED_AT, LOOKING_THERE, FILES];

impl Stores {
    fn coverages<'c>(&self, known: &'c Coverages) -> Result<&'c (Vec<i64>, Filed), QueryError> {
        if let Some(read) = known.all.get() {
            return Ok(read);
        }
        let found: Vec<(i64, String)> =
            self.index.all("SELECT number, text FROM coverages ORDER BY number", [])?;
        let (mut numbers, mut filed) = (Vec::new(), Filed::default());
        for (number, coverage) in
            found.iter().filter_map(|it| Some((it.0, Coverage::parse(&it.1)?)))
        {
            numbers.push(number);
            filed.add(coverage);
        }
        Ok(known.all.get_or_init(|| (numbers, filed)))
    }

    /// The row of the next check that would have shown a check's diagnostics of a label.
    pub(crate) fn next_check(
        &self,
        check: i64,
        label: i64,
        coverages: &Coverages,
    ) -> Result<Option<i64>, QueryError> {
        self.next_that_reaches(check, check, self.need_of(check, label)?, coverages)
    }

    /// The row of the next check behind another one that would have shown all that a failed one did.
    pub(crate) fn next_of_all(
        &self,
        failed: i64,
        behind: i64,
        coverages: &Coverages,
    ) -> Result<Option<i64>, QueryError> {
        let sql = "SELECT need FROM executions WHERE seq = ?1";
        let need: Option<String> = self.index.cell::<Option<String>>(sql, [failed])?.flatten();
        self.next_that_reaches(failed, behind, need.and_then(|it| Coverage::parse(&it)), coverages)
    }

    fn next_that_reaches(
        &self,
        check: i64,
        behind: i64,
        need: Option<Coverage>,
        coverages: &Coverages,
    ) -> Result<Option<i64>, QueryError> {
        let mut next: Option<(i64, i64, i64)> = self.index.all(SAME, [check, behind])?.pop();
        if let Some(need) = need {
            match self.next_of_few(behind, &need, coverages)? {
                Some(found) => next = next.into_iter().chain([found]).min(),
                None => {
                    let (numbers, filed) = self.coverages(coverages)?;
                    let covering = filed.covering(&need);
                    for number in covering.iter().filter_map(|it| numbers.get(*it)) {
                        let found = self.index.all(LOOKING_THERE, [behind, *number])?.pop();
                        next = [next, found].into_iter().flatten().min();
                    }
                }
            }
        }
        Ok(next.map(|(.., execution)| execution))
    }

    /// The first of the next few executions that looked at what is needed.
    fn next_of_few(
        &self,
        behind: i64,
        need: &Coverage,
        coverages: &Coverages,
    ) -> Result<Option<(i64, i64, i64)>, QueryError> {
        let few: Vec<(i64, i64, i64)> = self.index.all(NEXT_FEW, [behind])?;
        for (at_ms, at_seq, execution) in few {
            let looked_at: Vec<(i64, String)> = self.index.all(LOOKED_AT, [execution])?;
            if looked_at.iter().any(|(number, text)| coverages.covers(*number, text, need)) {
                return Ok(Some((at_ms, at_seq, execution)));
            }
        }
        Ok(None)
    }

    /// What a check must look at to show the diagnostics of a label that this one had.
    fn need_of(&self, check: i64, label: i64) -> Result<Option<Coverage>, QueryError> {
        let sql = "SELECT need FROM executions WHERE seq = ?1";
        let failed: Option<String> = self.index.cell::<Option<String>>(sql, [check])?.flatten();
        let sql = "SELECT c.text FROM execution_coverages x JOIN coverages c ON c.number = x.coverage \
                   WHERE x.execution = ?1 ORDER BY x.coverage DESC LIMIT 1";
        let text = match failed {
            Some(need) => Some(need),
            None => self.index.cell(sql, [check])?,
        };
        let Some(mut need) = text.and_then(|it| Coverage::parse(&it)) else { return Ok(None) };
        let layers = need.layers & (layer::LINT | layer::FORMAT);
        if layers != 0 && layers != need.layers && need.layers != u8::MAX {
            need.layers = layers; // what a linter finds that builds as well
        }
        let files: Vec<Option<String>> = self.index.column(FILES, [check, label])?;
        if files.len() <= FILES_MAX && files.iter().all(Option::is_some) && !files.is_empty() {
            let files = files.iter().flatten();
            need.places = files.map(|it| joined(&need.folder, it)).collect();
        }
        Ok(Some(need))
    }
}
