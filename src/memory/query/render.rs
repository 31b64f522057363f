//! A branch's memory as text for a prompt.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{
    ArchivalRecord, ArchivalSearch, CoreValue, Matching, Recall, RecallEvent, RecallSummary,
    Result, core, recall, search,
};
use crate::event::Ordered;
use crate::memory::store::MemoryView;

/// What a summary of inherited events is called in a prompt.
const SUMMARY_KIND: &str = "inherited_summary";

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Render<'a> {
    pub branch: &'a str,
    /// What is searched for in the archive first.
    pub task_hint: Option<&'a str>,
    pub budget_chars: usize,
    pub no_limit: bool,
    /// When: Unix milliseconds. Values whose time is over are left out.
    pub now_ms: u64,
    /// Events, and summaries, at most.
    pub recall_max_events: usize,
    pub retrieval_k: usize,
}

/// A branch's memory as text, and what of it found room there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    pub text: String,
    /// Of the text.
    pub chars: usize,
    pub core: Vec<CoreValue>,
    pub summaries: Vec<RecallSummary>,
    pub recall: Vec<RecallEvent>,
    pub archival: Vec<ArchivalRecord>,
}

/// Its text, and by what is found what is in it.
impl Serialize for Rendered {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { text, chars, core, summaries, recall, archival } = self;
        let keys: Vec<&str> = core.iter().map(|it| it.key.as_str()).collect();
        let recall_ids: Vec<u64> = recall.iter().map(|it| it.id).collect();
        let summary_ids: Vec<u64> = summaries.iter().map(|it| it.id).collect();
        let archival_ids: Vec<u64> = archival.iter().map(|it| it.id).collect();
        let mut told = to.serialize_struct("Rendered", 9)?;
        told.serialize_field("text", text)?;
        told.serialize_field("rendered_chars", chars)?;
        told.serialize_field("core_count", &core.len())?;
        told.serialize_field("recall_count", &(recall.len() + summaries.len()))?;
        told.serialize_field("archival_count", &archival.len())?;
        told.serialize_field("core_keys", &keys)?;
        told.serialize_field("recall_ids", &recall_ids)?;
        told.serialize_field("summary_ids", &summary_ids)?;
        told.serialize_field("archival_ids", &archival_ids)?;
        told.end()
    }
}

/// Writes a branch's memory down: its core by key, its summaries and events newest first, the records
/// that its task hint finds and then the newest others.
///
/// What does not find room whole is left out and counted, so that nothing is cut in the middle: of
/// the core the least important, of recall the oldest, summaries before events. Each item begins a
/// line with `- ` and goes on indented: whatever it holds, it cannot begin a section of its own. The
/// same memory gives the same text.
pub fn render(view: &MemoryView<'_>, ask: &Render<'_>) -> Result<Rendered> {
    let mut core: Vec<CoreValue> = core(view, ask.branch, ask.now_ms)?.into_values().collect();
    let Recall { mut events, mut summaries } = recall(view, ask.branch, ask.recall_max_events)?;
    let mut archival = records(view, ask)?;
    let sections = [core_section(&core), recall_section(&summaries, &events), archive(&archival)];
    let budget = if ask.no_limit { usize::MAX } else { ask.budget_chars };
    let fitted = fit(&sections, budget);
    let [core_shown, recall_shown, archival_shown] = fitted.shown;
    let mut shown = recall_shown.into_iter();
    keep(&mut core, core_shown);
    let summaries_shown: Vec<bool> = shown.by_ref().take(summaries.len()).collect();
    keep(&mut summaries, summaries_shown);
    keep(&mut events, shown);
    keep(&mut archival, archival_shown);
    let chars = fitted.text.chars().count();
    Ok(Rendered { text: fitted.text, chars, core, summaries, recall: events, archival })
}

fn keep<T>(items: &mut Vec<T>, shown: impl IntoIterator<Item = bool>) {
    let mut shown = shown.into_iter();
    items.retain(|_| shown.next().unwrap_or(false));
}

/// What the task hint finds, then the newest others.
fn records(view: &MemoryView<'_>, ask: &Render<'_>) -> Result<Vec<ArchivalRecord>> {
    let hint = ask.task_hint.unwrap_or_default();
    let newest = ArchivalSearch::newest(ask.branch, ask.retrieval_k);
    let hinted = ArchivalSearch { query: hint, matching: Matching::Any, ..newest };
    let mut found = search(view, &hinted)?;
    if found.len() < ask.retrieval_k {
        for newest in search(view, &newest)? {
            if found.len() < ask.retrieval_k && found.iter().all(|known| known.id != newest.id) {
                found.push(newest);
            }
        }
    }
    Ok(found)
}

fn core_section(core: &[CoreValue]) -> Section {
    let mut section = Section::new("Core Memory");
    for value in core {
        let text = line(&format!("{}: {}", value.key, value.value));
        section.push(text, usize::from(u8::MAX - value.importance));
    }
    section
}

fn recall_section(summaries: &[RecallSummary], events: &[RecallEvent]) -> Section {
    let mut section = Section::new("Recall Memory");
    for summary in summaries {
        section.push(line(&format!("[{SUMMARY_KIND}] {}", summary.text)), 1);
    }
    for event in events {
        let text = format!("[{}] {}", event.kind, event.text);
        section.push(line(&tagged(&text, &event.tags)), 0);
    }
    section
}

fn archive(records: &[ArchivalRecord]) -> Section {
    let mut section = Section::new("Archival Memory");
    for record in records {
        section.push(line(&tagged(&record.text, &record.tags)), 0);
    }
    section
}

/// Between two sections.
const BETWEEN: &str = "\n\n";

/// A heading and what stands below it.
struct Section {
    title: &'static str,
    /// As they stand below each other, each with its rank: the lowest finds room first, of equal ones
    /// the upper.
    lines: Vec<(String, usize)>,
}

/// What found room.
struct Fitted<const N: usize> {
    text: String,
    /// Of each section, for each line.
    shown: [Vec<bool>; N],
}

impl Section {
    fn new(title: &'static str) -> Self {
        Self { title, lines: Vec::new() }
    }

    fn push(&mut self, line: String, rank: usize) {
        self.lines.push((line, rank));
    }

    /// The positions of its lines, those that find room first at the front.
    fn by_rank(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.order_by_key(|at| self.lines[*at].1);
        order
    }
}

/// An item: what holds line breaks goes on indented, so that no line of it begins at the margin.
fn line(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let is_break =
        |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let lines: Vec<&str> = text.trim_end_matches(is_break).split(is_break).collect();
    format!("- {}", lines.join("\n  "))
}

fn tagged(text: &str, tags: &[String]) -> String {
    match tags {
        [] => text.to_owned(),
        tags => format!("{text} (tags: {})", tags.join(", ")),
    }
}

/// Puts whole lines under their headings while they fit into `budget` characters; what is left out
/// of a section is counted in its last line. A section for whose heading and count there is no room
/// is not there at all.
fn fit<const N: usize>(sections: &[Section; N], budget: usize) -> Fitted<N> {
    let mut shown = sections.each_ref().map(|section| vec![false; section.lines.len()]);
    let mut there: Vec<usize> = (0..N).filter(|at| !sections[*at].lines.is_empty()).collect();
    while bare(sections, &there) > budget {
        there.pop();
    }
    let mut used = bare(sections, &there);
    for at in &there {
        let section = &sections[*at];
        let mut left = section.lines.len();
        for line in section.by_rank() {
            let grown = used + 1 + section.lines[line].0.chars().count() + counted(left - 1);
            if grown <= budget.saturating_add(counted(left)) {
                used = grown - counted(left);
                left -= 1;
                shown[*at][line] = true;
            }
        }
    }
    let text = there.iter().map(|at| written(&sections[*at], &shown[*at])).collect::<Vec<_>>();
    Fitted { text: text.join(BETWEEN), shown }
}

/// Characters of the headings, each with a count of all its lines.
fn bare(sections: &[Section], there: &[usize]) -> usize {
    let headings = there.iter().map(|at| {
        let Section { title, lines } = &sections[*at];
        title.len() + ":".len() + counted(lines.len())
    });
    headings.sum::<usize>() + there.len().saturating_sub(1) * BETWEEN.len()
}

/// Characters of the line that counts what is left out.
fn counted(left: usize) -> usize {
    more(left).map_or(0, |more| 1 + more.chars().count())
}

fn more(left: usize) -> Option<String> {
    (left > 0).then(|| format!("… {left} more"))
}

fn written(section: &Section, shown: &[bool]) -> String {
    let mut text = format!("{}:", section.title);
    let lines = section.lines.iter().zip(shown).filter(|(_, shown)| **shown);
    let lines: Vec<&str> = lines.map(|((line, _), _)| line.as_str()).collect();
    let more = more(section.lines.len() - lines.len());
    for line in lines.into_iter().chain(more.as_deref()) {
        text.push('\n');
        text.push_str(line);
    }
    text
}
