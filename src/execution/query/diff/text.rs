//! A file's diff as `git apply` takes it, and what stands before it as lines that git leaves alone.

use serde::Serialize;
use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops};

use super::leg::{Leg, Loose};
use super::line_ends::{Ends, LineEnds};
use super::sheet::{Base, Sheet};

const CONTEXT_LINES: usize = 3;
/// What stands for a secret that was not recorded.
const REDACTED: &str = "[REDACTED:";

/// Edits of a file that go on from one another, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Why it does not go on from the one before, and what is not known; a line each.
    pub notes: Vec<String>,
    /// The calls that it is made of, as `annals show` takes them.
    pub calls: Vec<String>,
    /// Lines, those of which no place is known included.
    pub added: usize,
    pub removed: usize,
    /// Lines that went and came, each behind its sign, of which no place in the file is known.
    pub unplaced: Vec<String>,
    /// From `diff --git` on; empty where no hunk is known.
    pub diff: String,
    /// It fits the file as it was before what is asked about, as far as is known. As text one that does not stands
    /// behind `#`, so that `git apply` takes the others.
    pub applies: bool,
}

impl Section {
    /// What a leg changed in the file of a path, whose lines end so today.
    pub fn of(leg: &Leg, path: &str, today: Option<LineEnds>) -> Self {
        let mut section = Self { applies: leg.is_of_base(), ..Self::default() };
        let ends = Ends::resolve(&leg.sheet, today);
        let hunks = section.hunks(leg, ends.unwrap_or_default());
        if let Err(why) = ends {
            section.fails(why);
        }
        let (old, new) =
            (quoted("a/", path), quoted("b/", leg.moved_to.as_deref().unwrap_or(path)));
        let is_new = leg.sheet.base == Base::Absent;
        if hunks.is_empty() && leg.moved_to.is_none() && !is_new && !leg.is_deleted {
            return section;
        }
        let head = &mut section.diff;
        head.push_str(&format!("diff --git {old} {new}\n"));
        if is_new {
            head.push_str("new file mode 100644\n");
        }
        if leg.is_deleted {
            head.push_str("deleted file mode 100644\n");
        }
        if let Some(to) = &leg.moved_to {
            head.push_str(&format!(
                "rename from {}\nrename to {}\n",
                quoted("", path),
                quoted("", to)
            ));
        }
        if !hunks.is_empty() {
            let old = if is_new { "/dev/null" } else { &old };
            let new = if leg.is_deleted { "/dev/null" } else { &new };
            head.push_str(&format!("--- {old}\n+++ {new}\n"));
        }
        head.push_str(&hunks);
        let mut secret = hunks.lines().filter(|line| line.contains(REDACTED)).peekable();
        if secret.peek().is_some() {
            // What is only added need not be found.
            section.applies &= secret.all(|line| line.starts_with('+'));
            section.note("A secret was left out of these lines: git apply finds others");
        }
        section
    }

    fn fails(&mut self, why: &str) {
        self.note(why);
        self.applies = false;
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    fn hunks(&mut self, leg: &Leg, ends: Ends) -> String {
        let mut out = String::new();
        if leg.is_deleted {
            return self.deletion(leg, ends);
        }
        if leg.sheet.base == Base::Unknown {
            self.note("Written over a file that nobody recorded: what it holds now");
            let lines = leg.sheet.spans.iter().flat_map(|span| &span.now);
            self.unplaced.extend(lines.map(|line| format!("+{}", line.text)));
            return out;
        }
        self.placed(&leg.sheet, ends, &mut out);
        for loose in &leg.loose {
            self.loose(loose, ends, &mut out);
        }
        if leg.is_partly {
            self.note("Replaced everywhere in the file, and not all of its lines are known");
        }
        out
    }

    fn deletion(&mut self, leg: &Leg, ends: Ends) -> String {
        let mut out = String::new();
        match &leg.sheet.spans[..] {
            [span] if leg.sheet.is_whole && leg.sheet.base == Base::Known => {
                let old = tokens(span.base.iter().map(String::as_str), ends.was, true);
                self.compare(&old, &[], (0, 0), &mut out);
            }
            _ => self.note("Deleted: its lines are not known"),
        }
        out
    }

    fn placed(&mut self, sheet: &Sheet, ends: Ends, out: &mut String) {
        let mut moved = 0;
        for span in &sheet.spans {
            let base_at = span.at.saturating_add_signed(-moved);
            moved += span.now.len() as isize - span.base.len() as isize;
            if !span.is_changed() {
                continue;
            }
            let old = match sheet.base {
                Base::Absent => Vec::new(),
                _ => tokens(span.base.iter().map(String::as_str), ends.was, sheet.is_whole),
            };
            let now = span.now.iter().map(|line| line.text.as_str());
            let new = tokens(now, ends.is, sheet.is_whole);
            let is_open = self.compare(&old, &new, (base_at, span.at), out);
            if is_open && !sheet.is_whole {
                self.note("The line behind a hunk is not known: git apply needs --unidiff-zero");
            }
        }
    }

    /// Numbers of its lines are made up: git looks for them in all of the file.
    fn loose(&mut self, loose: &Loose, ends: Ends, out: &mut String) {
        let (mut old, mut new): (Vec<&str>, Vec<&str>) =
            (loose.old.split('\n').collect(), loose.new.split('\n').collect());
        let mut is_lines = loose.is_lines;
        if !is_lines
            && old.len() > 2
            && new.len() > 2
            && old[0] == new[0]
            && old.last() == new.last()
        {
            // Of the first and the last a part may be meant.
            old = old[1..old.len() - 1].to_vec();
            new = new[1..new.len() - 1].to_vec();
            is_lines = old.last() == new.last();
        }
        if !is_lines || loose.all {
            self.note(match loose.all {
                true => "Everywhere in the file, and its lines are not known",
                false => "Somewhere in the file; the lines around it are not known",
            });
            let [old, new] = [&loose.old, &loose.new].map(|it| it.split('\n'));
            if !loose.all {
                let (removed, added) = loose.counts();
                self.removed += removed;
                self.added += added;
            }
            self.unplaced.extend(old.map(|line| format!("-{line}")));
            self.unplaced.extend(new.map(|line| format!("+{line}")));
            return;
        }
        self.note("Where in the file is not known: git looks for the lines");
        let old = tokens(old.into_iter(), ends.was, false);
        let new = tokens(new.into_iter(), ends.is, false);
        if self.compare(&old, &new, (1, 1), out) {
            self.note("The line behind a hunk is not known: git apply needs --unidiff-zero");
        }
    }

    /// Writes hunks; says whether one ends with a change, where git would look for the file's end.
    fn compare(
        &mut self,
        old: &[String],
        new: &[String],
        above: (usize, usize),
        out: &mut String,
    ) -> bool {
        let mut is_open = false;
        let ops = capture_diff_slices(Algorithm::Myers, old, new);
        for group in group_diff_ops(ops, CONTEXT_LINES) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            is_open = last.tag() != DiffTag::Equal;
            let range = |from: usize, to: usize, above: usize| {
                let from_line = above + from + usize::from(to > from);
                format!("{from_line},{}", to - from)
            };
            let (o, n) = (
                first.old_range().start..last.old_range().end,
                first.new_range().start..last.new_range().end,
            );
            let (o, n) = (range(o.start, o.end, above.0), range(n.start, n.end, above.1));
            out.push_str(&format!(
                "@@ -{o} +{n} @@
"
            ));
            for op in &group {
                if op.tag() == DiffTag::Equal {
                    old[op.old_range()].iter().for_each(|line| put(' ', line, out));
                    continue;
                }
                self.removed += op.old_range().len();
                self.added += op.new_range().len();
                old[op.old_range()].iter().for_each(|line| put('-', line, out));
                new[op.new_range()].iter().for_each(|line| put('+', line, out));
            }
        }
        is_open
    }
}

fn put(sign: char, line: &str, out: &mut String) {
    out.push(sign);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

/// Lines with their newlines. The last of a whole file has none, and is no line where it is empty.
fn tokens<'l>(lines: impl Iterator<Item = &'l str>, end: &str, is_whole: bool) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        let is_last = is_whole && lines.peek().is_none();
        let end = if line.ends_with('\r') { "" } else { end };
        tokens.push(if is_last { line.to_owned() } else { format!("{line}{end}\n") });
    }
    if let Some(last) = tokens.pop_if(|_| is_whole) {
        tokens.extend(Some(last).filter(|last| !last.is_empty()));
    }
    tokens
}

/// A path as git writes it: in quotes, with octal escapes, where it holds what would end a line or a name.
fn quoted(side: &str, path: &str) -> String {
    let is_special = |c: char| c.is_control() || matches!(c, '"' | '\\');
    if !path.contains(is_special) {
        return format!("{side}{path}");
    }
    let mut out = format!("\"{side}");
    for c in path.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
