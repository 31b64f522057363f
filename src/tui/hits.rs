//! What a search found: hits in a list, and what one of them says.

use crate::output::time;
use crate::search::{Hit, Part, Snippet};
use jiff::tz::TimeZone;

use super::{Line, List, Tone};

/// A hit in the list, and whose it is.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundRow {
    /// The journal's place in the feed.
    pub journal: usize,
    /// What the journal is called, where there are several.
    pub name: Option<String>,
    pub hit: Hit,
    pub snippet: Snippet,
}

impl FoundRow {
    /// Where it stands, in a line.
    pub fn place(&self, zone: &TimeZone) -> String {
        let hit = &self.hit;
        let session = hit.session.as_ref().map(|id| {
            let id: String = id.chars().take(8).collect();
            format!("{id} turn {}", hit.turn)
        });
        let tool = hit.tool.as_deref().and_then(|it| it.split(' ').next()).map(str::to_owned);
        let failed = hit.failed.then(|| "failed".to_owned());
        let others = (hit.others > 0).then(|| format!("(and {} more)", hit.others));
        let at = Some(time::local(hit.at_ms, zone));
        let part = Some(hit.part.as_str().to_owned());
        let all = [self.name.clone(), at, session, part, tool, failed, hit.path.clone(), others];
        all.into_iter().flatten().collect::<Vec<_>>().join("  ")
    }

    /// Whether it is of a call, which is shown whole.
    pub fn is_of_call(&self) -> bool {
        matches!(self.hit.part, Part::Command | Part::Diff | Part::Output | Part::Error)
    }
}

/// What the search of now found, the best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// What was typed; nothing: no search.
    pub words: String,
    pub hits: List<FoundRow>,
    /// Turns that match, `or_more`.
    pub turns: usize,
    pub or_more: bool,
    pub not_looked_for: Option<String>,
}

/// A text that was found and is of no call, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub title: String,
    pub lines: Vec<Line>,
}

/// Lines of one that are shown.
const LINES_MAX: usize = 3_000;

impl Said {
    pub fn of(row: &FoundRow, text: &str, zone: &TimeZone) -> Self {
        let plain = |line: &str| Line::of(Tone::Plain, &line.replace('\t', "    "));
        let mut lines: Vec<Line> = text.lines().take(LINES_MAX).map(plain).collect();
        if text.lines().nth(LINES_MAX).is_some() {
            let rest = format!("… the rest is left out: annals show {}", row.hit.sequence);
            lines.push(Line::of(Tone::Dim, &rest));
        }
        Self { title: row.place(zone), lines }
    }
}
