//! What agents changed in files: recorded edits and writes, composed to one diff a file.
//!
//! The journal has no file's content but what was read and written. A chain of edits is followed from what
//! was known of a file before; where a file turns out to hold other lines, somebody else changed it, and the
//! diff goes on in a section of its own.

pub mod blame;
mod chain;
#[cfg(test)]
mod counted;
mod file;
mod leg;
mod line_ends;
mod observed;
mod patch;
mod scope;
mod sheet;
mod strays;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use super::{QueryError, Stores};
use crate::event::Ordered;
use chain::Chain;
use file::Touch;
use leg::{End, Gap, Leg};
pub use line_ends::LineEnds;
use observed::Told;
pub use scope::Scope;
use strays::Stray;
pub use strays::{StrayCommand, Strays};
pub use text::Section;

/// Files beyond these are left out, and counted.
pub const FILES_MAX: usize = 1_000;

/// Calls that may be why a file holds other lines, of which so many are told.
const STRAYS_MAX: usize = 3;

/// What was changed in a scope.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Diff {
    pub files: Vec<FileDiff>,
    /// So many files more were changed.
    pub left_out: usize,
    /// Commands that may have changed files, these or others, and name none.
    pub strays: Strays,
}

/// What was changed in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileDiff {
    /// From the project's root, else from the session's folder; whole where it lies in neither, and `git apply`
    /// is given nothing of it.
    pub path: String,
    pub added: usize,
    pub removed: usize,
    /// All lines that went and came are known, and counted.
    pub is_counted: bool,
    /// More than one where the chain of edits is broken.
    pub sections: Vec<Section>,
    /// What came after the last of them.
    pub notes: Vec<String>,
}

impl FileDiff {
    pub fn is_outside(&self) -> bool {
        self.path.starts_with('/')
    }
}

impl Stores {
    /// What was changed in a scope; of the files at a path, or below it, alone where one is given. `today` says how
    /// a file's lines end now, where that is known: most reads do not show it.
    pub fn diff(
        &self,
        scope: &Scope,
        path: Option<&str>,
        today: &dyn Fn(&Path) -> Option<LineEnds>,
    ) -> Result<Diff, QueryError> {
        let mut files = self.files_changed(scope)?;
        if let Some(path) = path {
            let path = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
            files.retain(|file| file.is_at(path));
        }
        let left_out = files.len().saturating_sub(FILES_MAX);
        files.truncate(FILES_MAX);
        let strays = self.strays(scope)?;
        let mut found = Vec::new();
        for file in &files {
            found.extend(self.file_diff(scope, file, &strays, today)?);
        }
        found.order_by(|one, other| one.path.cmp(&other.path));
        Ok(Diff { files: found, left_out, strays: Strays::of(&strays, scope) })
    }

    fn file_diff(
        &self,
        scope: &Scope,
        file: &file::File,
        strays: &[Stray],
        today: &dyn Fn(&Path) -> Option<LineEnds>,
    ) -> Result<Option<FileDiff>, QueryError> {
        let mut touches = self.file_touches(file, scope.through)?;
        let named: BTreeSet<i64> = touches.iter().map(|it| it.execution).collect();
        let strays = strays.iter().filter(|it| !named.contains(&it.touch.execution));
        touches.extend(strays.map(|it| it.touch.clone()));
        touches.order_by_key(|it| (it.at_ms, it.sequence));
        let mut chain = Chain::default();
        let (mut unread, mut is_edited) = (None, false);
        for (no, touch) in touches.iter().enumerate() {
            let told = match named.contains(&touch.execution) {
                true => self.told(touch, file)?,
                false => Told::Strayed,
            };
            let counts = scope.holds(touch);
            match told {
                Told::Changed | Told::TooLarge if counts => unread = Some(no),
                Told::Nothing | Told::Saw(_) | Told::Strayed | Told::Changed | Told::TooLarge => {}
                _ => is_edited |= counts,
            }
            chain.take(no, told, counts, touch.is_editor());
        }
        let End { legs, touched, after } = chain.end();
        let is_counted = legs.iter().all(Leg::is_counted);
        let mut diff = FileDiff { path: file.label.clone(), is_counted, ..FileDiff::default() };
        let today = (!legs.is_empty()).then(|| today(&file.place)).flatten();
        for leg in &legs {
            let mut section = Section::of(leg, &file.label, today);
            if let Some(why) = self.why(leg, "in between", &touches)? {
                section.notes.insert(0, why);
            }
            section.calls = leg.calls.iter().map(|no| touches[*no].reference()).collect();
            diff.added += section.added;
            diff.removed += section.removed;
            diff.sections.push(section);
        }
        if let Some(after) = after {
            diff.notes.extend(self.why(&after, "after", &touches)?);
        }
        match (touched, unread) {
            (Some(no), _) if !diff.sections.is_empty() || scope.holds(&touches[no]) => {
                diff.notes.push(format!("{} may have changed it after", self.named(&touches[no])?));
            }
            (None, Some(no)) if diff.sections.is_empty() => {
                let named = self.named(&touches[no])?;
                diff.is_counted = false;
                diff.notes.push(format!("{named} changed it, and how is not on record"));
            }
            (None, None) if diff.sections.is_empty() && is_edited => {
                diff.notes.push("Edited, and put back as it was".to_owned());
            }
            _ => {}
        }
        Ok(Some(diff).filter(|it| !it.sections.is_empty() || !it.notes.is_empty()))
    }

    /// Why a leg does not go on from the one before; `when` says where the change came.
    fn why(&self, leg: &Leg, when: &str, touches: &[Touch]) -> Result<Option<String>, QueryError> {
        let named = |no: usize| self.named(&touches[no]);
        let Some(why) = leg.why else { return Ok(None) };
        Ok(Some(match why {
            Gap::Outside(None) if leg.strays.is_empty() => {
                format!("Changed {when} by what is not recorded (a shell command, a person)")
            }
            Gap::Outside(None) => {
                let before = leg.strays.len().saturating_sub(STRAYS_MAX);
                let last = leg.strays[before..].iter().map(|no| named(*no));
                let last = last.collect::<Result<Vec<_>, _>>()?.join(", ");
                let more =
                    if before > 0 { format!(" or one of {before} before") } else { String::new() };
                format!("Changed {when} by what does not name it: {last}{more}, or a person")
            }
            Gap::Outside(Some(no)) => format!("Changed {when} by {}", named(no)?),
            Gap::Other(no) => {
                format!("Changed {when} by {}, which was not asked about", named(no)?)
            }
            Gap::Unread(no) => format!("What {} changed {when} is not on record", named(no)?),
            Gap::Misplaced => {
                "Read anew: how far an edit before moved the lines was not known".to_owned()
            }
        }))
    }

    /// A call in words: `call 142 (sed -i s/a/b/ x)`.
    fn named(&self, touch: &Touch) -> Result<String, QueryError> {
        let row = self.judged("1", &[], touch.execution)?;
        let target = row.and_then(|row| row.target).unwrap_or_default();
        let line = target.lines().next().unwrap_or_default();
        let short: String = line.chars().take(80).collect();
        Ok(format!("call {} ({short})", touch.reference()))
    }
}
