//! What a replay says at its end: whether the journal holds, and what could not be shown.

use std::path::Path;

use super::json;
use crate::cli::journals::Named;
use crate::cli::{Context, Exit, Result, counted, shown, verify};
use crate::execution::replay::{Absent, Listed, Unshown, Verdict, Window, verdict};
use crate::journal::JournalError;
use crate::journal::trust::seen;
use crate::output::escape;
use crate::output::stream::Colour;
use crate::store::evidence::Cache;

pub struct Ended {
    pub steps: u64,
    pub unshown: Unshown,
    pub verdict: Verdict,
    /// How it is not the journal that was seen.
    pub contradiction: Option<String>,
}

impl Ended {
    pub fn of(
        named: &Named,
        window: &Window,
        steps: u64,
        unshown: Unshown,
        cache: &Cache,
    ) -> Result<Self, JournalError> {
        let verdict = verdict(&named.source, named.reading, window, cache)?;
        let found = seen::contradiction(&named.journal, named.reading);
        Ok(Self { steps, unshown, verdict, contradiction: found.map(|it| it.to_string()) })
    }

    /// As `verify` has it: 6 where it is not the journal that was seen, 3 damaged, 1 where something else is wrong or contents are gone, 0 where
    /// all holds.
    pub fn exit(&self) -> Exit {
        if self.contradiction.is_some() {
            return Exit::Contradicted;
        }
        let whole = self.verdict.is_clean() && self.unshown.contents.count == 0;
        match (self.verdict.is_damaged(), whole) {
            (true, _) => Exit::Damaged,
            (false, true) => Exit::Fine,
            (false, false) => Exit::Findings,
        }
    }

    pub fn lines(&self, journal: &Path) -> Vec<(Option<Colour>, String)> {
        let report = &self.verdict.report;
        let mut lines = vec![(None, format!("{} shown.", counted(self.steps, "step")))];
        let all = if self.verdict.concerned.len() as u64 == report.findings_count {
            String::new()
        } else {
            " over this part (other parts do not: annals verify)".to_owned()
        };
        if let Some(found) = &self.contradiction {
            let found = escape::line(found);
            let text = format!("The journal is NOT the one that was seen: {found}");
            lines.push((Some(Colour::Red), text));
        } else if self.verdict.is_clean() {
            let links = counted(report.commits_chained, "link");
            let text = format!("The journal verified{all}: checksums, and {links} of the chain.");
            lines.push((Some(Colour::Green), text));
        }
        if !self.verdict.is_clean() {
            lines.push((Some(Colour::Red), "The journal did NOT verify:".to_owned()));
            for finding in self.verdict.concerned.iter().filter_map(|at| report.findings.get(*at)) {
                let text = verify::sentence(&verify::finding(finding));
                lines.push((Some(Colour::Red), format!("  {text}")));
            }
        }
        for error in &report.unreadable {
            lines.push((None, format!("  unreadable: {}", crate::cli::with_causes(error))));
        }
        for (what, listed) in [
            ("lost", &self.unshown.lost),
            ("this build cannot read", &self.unshown.undecodable),
            ("redacted", &self.unshown.redacted),
            ("of kinds this build does not know", &self.unshown.unknown),
        ] {
            if listed.count > 0 {
                lines
                    .push((Some(Colour::Yellow), format!("Not shown, {what}: {}", ranges(listed))));
            }
        }
        if self.unshown.contents.count > 0 {
            let text = format!("Not shown, contents of: {}", absent(&self.unshown.contents));
            lines.push((Some(Colour::Yellow), text));
        }
        if self.unshown.is_empty() && !self.verdict.is_damaged() {
            lines.push((None, "Every record was shown.".to_owned()));
        }
        if self.verdict.is_damaged() {
            lines.push((None, format!("Next: annals salvage {} NEW-FOLDER", shown(journal))));
        }
        lines
    }

    pub fn print(&self, journal: &Path, context: &mut Context) -> Result<()> {
        if context.output.is_json() {
            return Ok(context.output.json_line(&json::end(self, journal))?);
        }
        for (colour, text) in self.lines(journal) {
            context.output.coloured(colour, text)?;
        }
        Ok(())
    }
}

const SHOWN_MAX: usize = 20;

fn absent(absent: &Absent) -> String {
    let shown = absent.events.iter().take(SHOWN_MAX);
    let mut all: Vec<String> =
        shown.map(|it| format!("@{} ({})", it.sequence, escape::line(&it.problem))).collect();
    let more = absent.count.saturating_sub(all.len() as u64);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    all.join(", ")
}

fn ranges(listed: &Listed) -> String {
    let shown = listed.ranges.iter().take(SHOWN_MAX);
    let mut all: Vec<String> = shown
        .map(|(first, last)| match first == last {
            true => format!("@{first}"),
            false => format!("@{first} to @{last}"),
        })
        .collect();
    if listed.ranges.is_empty() {
        all.push(counted(listed.count, "place"));
    }
    if listed.ranges.len() > SHOWN_MAX {
        all.push(format!("and {} more", listed.ranges.len() - SHOWN_MAX));
    }
    all.join(", ")
}
