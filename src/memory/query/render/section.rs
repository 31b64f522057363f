//! Sections of a prompt, and how much of them finds room.

/// Between two sections.
const BETWEEN: &str = "\n\n";

/// A heading and what stands below it.
pub(super) struct Section {
    title: &'static str,
    /// As they stand below each other, each with its rank: the lowest finds room first, of equal ones
    /// the upper.
    lines: Vec<(String, usize)>,
}

/// What found room.
pub(super) struct Fitted<const N: usize> {
    pub(super) text: String,
    /// Of each section, for each line.
    pub(super) shown: [Vec<bool>; N],
}

impl Section {
    pub(super) fn new(title: &'static str) -> Self {
        Self { title, lines: Vec::new() }
    }

    pub(super) fn push(&mut self, line: String, rank: usize) {
        self.lines.push((line, rank));
    }

    /// The positions of its lines, those that find room first at the front.
    fn by_rank(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by_key(|at| self.lines[*at].1);
        order
    }
}

/// An item: what holds line breaks goes on indented, so that no line of it begins at the margin.
pub(super) fn line(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let is_break =
        |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let lines: Vec<&str> = text.trim_end_matches(is_break).split(is_break).collect();
    format!("- {}", lines.join("\n  "))
}

/// A text with its tags behind it.
pub(super) fn tagged(text: &str, tags: &[String]) -> String {
    match tags {
        [] => text.to_owned(),
        tags => format!("{text} (tags: {})", tags.join(", ")),
    }
}

/// Puts whole lines under their headings while they fit into `budget` characters; what is left out
/// of a section is counted in its last line. A section for whose heading and count there is no room
/// is not there at all.
pub(super) fn fit<const N: usize>(sections: &[Section; N], budget: usize) -> Fitted<N> {
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
