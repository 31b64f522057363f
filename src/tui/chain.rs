//! What lies around an execution, or what was done on a file: rows under titles.

use super::{Line, Row, Tone};
use crate::cli::rows;
use crate::cli::trace::{Asked, chain};
use crate::execution::query::{Around, ExecutionSummary, Trace};

/// Edges in the graph that are shown; the rest is counted.
const LINKS_SHOWN: usize = 12;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainLine {
    Text(Line),
    /// An execution, and what came of it.
    Row(Box<Row>, String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    pub journal: usize,
    pub title: String,
    pub lines: Vec<ChainLine>,
    /// The chosen line: one with a row, where there is any.
    pub at: usize,
    /// A file whose whole chain can be asked for.
    pub file: Option<String>,
}

impl Chain {
    pub fn around(row: &Row, found: &Around) -> Self {
        let mut lines = Vec::new();
        if let Some(prompt) = &found.prompt {
            let text = format!("@{}  {}", prompt.sequence, rows::short(&prompt.text));
            title("asked for by", &mut lines);
            lines.push(ChainLine::Text(Line::of(Tone::Plain, &text)));
        }
        let mut list = |name: &str, of: &[ExecutionSummary]| {
            if !of.is_empty() {
                title(name, &mut lines);
                lines.extend(of.iter().map(|one| like(row, one)));
            }
        };
        list("it ran inside", found.parent.as_slice());
        list("before it in its session", &found.before);
        list("itself", std::slice::from_ref(&found.execution));
        list("ran inside it", &found.children);
        list("after it in its session", &found.after);
        list("corrects", found.corrects.as_slice());
        list("corrected by", found.corrected_by.as_slice());
        for file in &found.files {
            list(&format!("before it on {}", file.path), &file.before);
            list(&format!("after it on {}", file.path), &file.after);
        }
        links(found, &mut lines);
        let title = format!("Around {} ({})", row.no(), row.execution.tool);
        let file = found.files.first().map(|file| file.path.clone());
        let itself = |line: &ChainLine| matches!(line, ChainLine::Row(it, _) if it.is_same(row));
        let at = lines.iter().position(itself).unwrap_or(0);
        Self { journal: row.journal, title, lines, at, file }
    }

    pub fn of_file(like: &Row, path: &str, found: &Trace) -> Self {
        let asked = Asked { name: path.to_owned(), is_symbol: false };
        let mut lines = Vec::new();
        if found.next.is_some() {
            let text = format!("older steps: annals trace {path}");
            lines.push(ChainLine::Text(Line::of(Tone::Dim, &text)));
        }
        for step in &found.steps {
            let came_of_it = chain::came_of_it(step, &asked);
            match step.is_indexed() {
                true => {
                    let row = Row { execution: step.execution.clone(), ..like.clone() };
                    lines.push(ChainLine::Row(Box::new(row), came_of_it));
                }
                false => {
                    let text = format!("{}  {came_of_it}", step.execution.tool);
                    lines.push(ChainLine::Text(Line::of(Tone::Plain, &text)));
                }
            }
        }
        if lines.is_empty() {
            let text = "Nothing that was recorded is linked to it.";
            lines.push(ChainLine::Text(Line::of(Tone::Plain, text)));
        }
        let at = lines.iter().rposition(ChainLine::is_row).unwrap_or(0);
        let title = format!("What was done on {path}");
        Self { journal: like.journal, title, lines, at, file: None }
    }

    pub fn chosen(&self) -> Option<&Row> {
        match self.lines.get(self.at) {
            Some(ChainLine::Row(row, _)) => Some(row),
            _ => None,
        }
    }

    pub fn step(&mut self, by: isize) {
        let rows: Vec<usize> =
            (0..self.lines.len()).filter(|at| self.lines[*at].is_row()).collect();
        let Some(now) = rows.iter().position(|at| *at >= self.at) else { return };
        self.at = rows[now.saturating_add_signed(by).min(rows.len() - 1)];
    }
}

impl ChainLine {
    fn is_row(&self) -> bool {
        matches!(self, Self::Row(..))
    }
}

fn like(row: &Row, execution: &ExecutionSummary) -> ChainLine {
    let why = execution.diagnostic.as_ref().or(execution.error.as_ref());
    let why = why.map(|why| rows::short(why)).unwrap_or_default();
    let row = Row { execution: execution.clone(), ..row.clone() };
    ChainLine::Row(Box::new(row), why)
}

fn title(text: &str, lines: &mut Vec<ChainLine>) {
    lines.push(ChainLine::Text(Line::of(Tone::Title, text)));
}

fn links(found: &Around, lines: &mut Vec<ChainLine>) {
    if found.links.is_empty() {
        return;
    }
    title("in the graph", lines);
    for link in found.links.iter().take(LINKS_SHOWN) {
        lines.push(ChainLine::Text(Line::of(Tone::Plain, &chain::linked(link))));
    }
    if found.links.len() > LINKS_SHOWN {
        let text = format!("and {} more", found.links.len() - LINKS_SHOWN);
        lines.push(ChainLine::Text(Line::of(Tone::Dim, &text)));
    }
}
