//! The edits of a file, one after the other, composed as far as each goes on from what the one before left.

use super::leg::{End, Gap, Leg, Loose};
use super::line_ends::without_returns;
use super::observed::{Replacement, Seen, Told};
use super::patch::{Block, Piece, What};
use super::sheet::{Line, Replaced, carried};

#[derive(Debug, Default)]
pub struct Chain {
    pub legs: Vec<Leg>,
    leg: Leg,
    /// A command that is known to have changed it since it was last seen.
    touched: Option<usize>,
    /// It is one that is asked about: what the file was before them is not what it left.
    touched_counts: bool,
    /// Lines that were known before the file turned out to hold others.
    before: Vec<Line>,
    /// Calls that may have changed it since all that is known of it was looked at, each with whether it counts.
    strays: Vec<(usize, bool)>,
    /// The call at hand counts.
    is_asked: bool,
}

impl Chain {
    /// Takes a call, the next in order; `counts` where it is one that is asked about.
    pub fn take(&mut self, no: usize, told: Told, counts: bool, is_editor: bool) {
        self.is_asked = counts;
        match told {
            Told::Nothing => {}
            Told::Strayed => self.strays.push((no, counts)),
            Told::Saw(seen) => self.see(&seen),
            Told::Changed if !is_editor => {
                self.touched_counts = counts || self.touched.is_some() && self.touched_counts;
                self.touched = Some(no);
            }
            Told::Changed | Told::TooLarge => self.part(Gap::Unread(no), false),
            edit => {
                if !counts && self.leg.is_changed() {
                    self.part(Gap::Other(no), true);
                }
                if matches!(edit, Told::Replaced(_, None) | Told::Patched(_)) {
                    self.doubt(self.leg.sheet.is_whole);
                }
                self.edit(no, edit);
                if counts {
                    self.leg.calls.push(no);
                } else {
                    self.leg.sheet.settle();
                    self.leg.loose.clear();
                }
                if self.leg.is_deleted || self.leg.moved_to.is_some() {
                    let done = std::mem::take(&mut self.leg);
                    self.legs.extend(Some(done).filter(|_| counts));
                }
            }
        }
    }

    pub fn end(mut self) -> End {
        let is_after = |leg: &Leg| leg.why.is_some() && leg.is_asked;
        let mut after = None;
        match self.leg.is_changed() {
            true => self.legs.push(self.leg),
            false if self.legs.is_empty() => {}
            false => after = Some(self.leg).filter(is_after),
        }
        End { legs: self.legs, touched: self.touched, after }
    }

    /// A text's lines, with who wrote those that are known.
    pub fn blamed(&self, texts: &[&str]) -> Vec<Line> {
        let mut lines = carried(&self.known(), texts, None);
        let others =
            self.leg.loose.iter().flat_map(Loose::lines).chain(self.before.iter().cloned());
        let others = carried(&others.collect::<Vec<_>>(), texts, None);
        for (line, other) in lines.iter_mut().zip(others) {
            // A brace alone says nothing of where it came from.
            if line.by.is_none() && line.text.contains(char::is_alphanumeric) {
                line.by = other.by;
            }
        }
        lines
    }

    fn edit(&mut self, no: usize, told: Told) {
        match told {
            Told::Wrote(content) => self.write(no, &content, false),
            Told::Created(content) => self.write(no, &content, true),
            Told::Replaced(edits, snippet) => {
                if let Some(before) = snippet.and_then(|seen| seen.before(&edits)) {
                    self.see(&before);
                }
                edits.iter().for_each(|edit| self.replace(no, edit));
            }
            Told::Patched(piece) => self.patch(no, piece),
            Told::Nothing | Told::Saw(_) | Told::Changed | Told::Strayed | Told::TooLarge => {}
        }
    }

    fn write(&mut self, no: usize, content: &str, created: bool) {
        let was_there = self.leg.sheet.base == super::sheet::Base::Known && self.leg.is_changed();
        if was_there && (created || !self.leg.sheet.is_whole) {
            // Somebody deleted it, or what it held is only known in part.
            self.part(Gap::Outside(self.touched), false);
        }
        self.leg.loose.clear();
        let (content, ends) = without_returns(content);
        self.leg.sheet.write(&content, created, no);
        self.leg.sheet.is = ends.or(self.leg.sheet.is);
        self.touched = None;
        self.strays.clear();
    }

    fn replace(&mut self, no: usize, edit: &Replacement) {
        let edit = self.leg.sheet.without_returns(edit);
        let Replacement { old, new, all } = &edit;
        match self.leg.sheet.replace(old, new, *all, no) {
            Replaced::Done => {
                self.leg.is_partly |= *all && !self.leg.sheet.is_whole;
                return;
            }
            Replaced::Differs => self.part(Gap::Outside(self.touched), false),
            Replaced::Elsewhere => {}
        }
        let mut before = self.leg.loose.iter_mut();
        if let Some(before) = before.find(|it| !old.is_empty() && it.new.contains(old.as_str())) {
            before.new = match *all {
                true => before.new.replace(old, new),
                false => before.new.replacen(old, new, 1),
            };
            self.leg.loose.retain(Loose::is_change);
            return;
        }
        self.loose(Loose {
            old: old.clone(),
            new: new.clone(),
            is_lines: false,
            all: *all,
            by: no,
        });
    }

    fn patch(&mut self, no: usize, piece: Piece) {
        match piece.what {
            What::Added(content) => self.write(no, &content, true),
            What::Deleted => self.leg.is_deleted = true,
            What::Updated(blocks) => blocks.iter().for_each(|block| self.block(no, block)),
        }
        self.leg.moved_to = piece.to;
    }

    fn block(&mut self, no: usize, block: &Block) {
        let [old, new] = [&block.old, &block.new]
            .map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
        match self.leg.sheet.replace_lines(&old, &new, no) {
            Replaced::Done => return,
            Replaced::Differs => self.part(Gap::Outside(self.touched), false),
            Replaced::Elsewhere => {}
        }
        let (old, new) = (old.join("\n"), new.join("\n"));
        if self.leg.loose.iter_mut().any(|it| it.is_lines && it.replace_lines(&old, &new)) {
            self.leg.loose.retain(Loose::is_change);
            return;
        }
        self.loose(Loose { old, new, is_lines: true, all: false, by: no });
    }

    fn loose(&mut self, loose: Loose) {
        let lines = |text: &str| text.matches('\n').count();
        let moves = loose.all || lines(&loose.old) != lines(&loose.new);
        self.leg.is_unsure |= moves && !self.leg.sheet.spans.is_empty();
        self.leg.loose.push(loose);
    }

    fn see(&mut self, seen: &Seen) {
        let found = self.found_in(seen);
        if found.is_empty() {
            return self.meet(seen);
        }
        let mut text = seen.lines.join("\n");
        for loose in found.iter().rev() {
            text = text.replacen(&loose.new, &loose.old, 1);
        }
        self.leg.loose.retain(|it| !found.contains(it));
        self.leg.is_unsure &= !self.leg.loose.is_empty();
        let lines = text.split('\n').map(str::to_owned).collect();
        self.meet(&Seen { lines, ..seen.clone() });
        for loose in &found {
            // They were found there.
            self.leg.sheet.replace(&loose.old, &loose.new, false, loose.by);
        }
    }

    /// Edits whose place was not known, and that are seen now.
    fn found_in(&self, seen: &Seen) -> Vec<Loose> {
        let text = seen.lines.join("\n");
        let once = |it: &&Loose| {
            !it.all
                && !it.old.is_empty()
                && !it.new.is_empty()
                && text.matches(&it.new).count() == 1
        };
        let found: Vec<Loose> = self.leg.loose.iter().filter(once).cloned().collect();
        // Undone one after the other, each must still be found.
        let mut text = text;
        for loose in found.iter().rev() {
            if !text.contains(&loose.new)
                || text.matches(&loose.old).count() > 0 && !loose.new.contains(&loose.old)
            {
                return Vec::new();
            }
            text = text.replacen(&loose.new, &loose.old, 1);
        }
        found
    }

    fn meet(&mut self, seen: &Seen) {
        let lines: Vec<&str> = seen.lines.iter().map(String::as_str).collect();
        let is_known = self.leg.sheet.knows(seen.at, lines.len());
        self.doubt(is_known);
        if self.leg.sheet.see(seen.at, &lines, seen.is_whole).is_err() {
            let gap = if self.leg.is_unsure { Gap::Misplaced } else { Gap::Outside(self.touched) };
            self.part(gap, false);
            // A sheet that knows nothing contradicts nothing.
            let _ = self.leg.sheet.see(seen.at, &lines, seen.is_whole);
            if let Some(span) = self.leg.sheet.spans.first_mut() {
                span.now = carried(&self.before, &lines, None);
            }
            self.touched = None;
        } else if seen.is_whole || !is_known {
            self.touched = None;
            if seen.is_whole {
                self.strays.clear();
            }
        }
        self.leg.sheet.ends_are(seen.ends);
    }

    /// Lines that a command may have changed before anybody saw them are not those that the file had.
    fn doubt(&mut self, is_known: bool) {
        if is_known {
            return;
        }
        match self.touched {
            Some(no) if self.leg.is_changed() => self.part(Gap::Outside(Some(no)), false),
            Some(no) if self.touched_counts => {
                self.leg.why.get_or_insert(Gap::Outside(Some(no)));
            }
            _ => {}
        }
    }

    /// Every line whose place is known.
    pub fn known(&self) -> Vec<Line> {
        self.leg.sheet.spans.iter().flat_map(|span| span.now.iter().cloned()).collect()
    }

    /// Begins a leg, with the lines as they are where those still hold.
    fn part(&mut self, gap: Gap, keeps: bool) {
        let mut next = Leg::default();
        if keeps {
            next.sheet = self.leg.sheet.clone();
            next.sheet.settle();
        } else {
            self.before = self.known();
            self.before.extend(self.leg.loose.iter().flat_map(Loose::lines));
        }
        let done = std::mem::replace(&mut self.leg, next);
        let mut strays = std::mem::take(&mut self.strays);
        strays.retain(|_| gap == Gap::Outside(None));
        let is_theirs = match gap {
            Gap::Outside(Some(_)) => self.touched_counts,
            Gap::Outside(None) => strays.iter().any(|it| it.1),
            _ => false,
        };
        if !done.is_changed() && (done.why.is_some() || !is_theirs) {
            // What nobody asked about changed it before what is asked about did.
            (self.leg.why, self.leg.strays, self.leg.is_asked) =
                (done.why, done.strays, done.is_asked);
            return;
        }
        self.leg.why = Some(gap);
        self.leg.strays = strays.into_iter().map(|it| it.0).collect();
        self.leg.is_asked = self.is_asked;
        self.legs.extend(Some(done).filter(Leg::is_changed));
    }
}
