//! What agents changed in files: recorded edits and writes, composed to one diff a file.
//!
//! The journal has no file's content but what was read and written. A chain of edits is followed from what
//! was known of a file before; where a file turns out to hold other lines, somebody else changed it, and the
//! diff goes on in a section of its own.

pub mod blame;
mod chain;
mod file;
mod leg;
mod line_ends;
mod patch;
mod scope;
mod sheet;
#[cfg(test)]
mod tests;
mod text;
mod told;

use std::path::Path;

use serde::Serialize;

use super::{QueryError, Stores};
use chain::Chain;
use file::Touch;
use leg::Gap;
pub use line_ends::LineEnds;
pub use scope::Scope;
pub use text::Section;

/// Files beyond these are left out, and counted.
pub const FILES_MAX: usize = 1_000;

/// What was changed in a scope.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Diff {
    pub files: Vec<FileDiff>,
    /// So many files more were changed.
    pub left_out: usize,
}

/// What was changed in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileDiff {
    /// From the project's root, else from the session's folder; whole where it lies in neither, and `git apply`
    /// is given nothing of it.
    pub path: String,
    pub added: usize,
    pub removed: usize,
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
        let mut found = Vec::new();
        for file in &files {
            found.extend(self.file_diff(scope, file, today)?);
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Diff { files: found, left_out })
    }

    fn file_diff(
        &self,
        scope: &Scope,
        file: &file::File,
        today: &dyn Fn(&Path) -> Option<LineEnds>,
    ) -> Result<Option<FileDiff>, QueryError> {
        let touches = self.file_touches(file, scope.through)?;
        let mut chain = Chain::default();
        for (no, touch) in touches.iter().enumerate() {
            let told = self.told(touch, file)?;
            chain.take(no, told, scope.holds(touch), touch.is_editor());
        }
        let (legs, touched) = chain.end();
        let mut diff = FileDiff { path: file.label.clone(), ..FileDiff::default() };
        let today = (!legs.is_empty()).then(|| today(&file.place)).flatten();
        for leg in &legs {
            let mut section = Section::of(leg, &file.label, today);
            if let Some(why) = leg.why {
                section.notes.insert(0, self.why(why, &touches)?);
            }
            section.calls = leg.calls.iter().map(|no| touches[*no].reference()).collect();
            diff.added += section.added;
            diff.removed += section.removed;
            diff.sections.push(section);
        }
        let mut unread = touches.iter().filter(|it| scope.holds(it) && it.is_change());
        match touched {
            Some(no) if !diff.sections.is_empty() || scope.holds(&touches[no]) => {
                diff.notes.push(format!("{} may have changed it after", self.named(&touches[no])?));
            }
            None if diff.sections.is_empty() => {
                if let Some(last) = unread.next_back() {
                    let named = self.named(last)?;
                    diff.notes.push(format!("{named} changed it, and how is not on record"));
                }
            }
            _ => {}
        }
        Ok(Some(diff).filter(|it| !it.sections.is_empty() || !it.notes.is_empty()))
    }

    fn why(&self, gap: Gap, touches: &[Touch]) -> Result<String, QueryError> {
        Ok(match gap {
            Gap::Outside(None) => {
                "Changed in between by what is not recorded (a shell command, a person)".to_owned()
            }
            Gap::Outside(Some(no)) => {
                format!("Changed in between by {}", self.named(&touches[no])?)
            }
            Gap::Other(no) => {
                format!(
                    "Changed in between by {}, which was not asked about",
                    self.named(&touches[no])?
                )
            }
            Gap::Unread(no) => {
                format!("What {} changed in between is not on record", self.named(&touches[no])?)
            }
            Gap::Misplaced => {
                "Read anew: how far an edit before moved the lines was not known".to_owned()
            }
        })
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
