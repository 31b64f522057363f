//! How a journal is not the one that was seen, in words.

use std::fmt;

use super::{Change, Contradiction};
use crate::journal::trust::hex;

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seen, end) = (self.seen.at.mark.sequence.0, self.end.sequence.0);
        let shared = |f: &mut fmt::Formatter<'_>| match self.shared {
            Some(shared) => write!(f, " after @{}", shared.0),
            None => Ok(()),
        };
        match self.change {
            Change::Cut if self.is_older_copy => {
                let folder = &self.seen.folder;
                write!(
                    f,
                    "cut, or an older copy: it ends at @{end}, and @{seen} was seen in {folder:?}"
                )
            }
            Change::Cut if end < seen => write!(f, "cut: it ends at @{end}, and @{seen} was seen"),
            Change::Cut => {
                f.write_str("cut")?;
                shared(f)?;
                write!(f, ": @{seen} was seen, and is not there")
            }
            Change::Rewritten => {
                f.write_str("rewritten")?;
                shared(f)?;
                write!(f, ": @{seen} is not the one that was seen")
            }
            Change::Replaced => {
                let other = hex(&self.seen.at.journal);
                write!(f, "replaced: journal {other} was seen in its folder, up to @{seen}")
            }
            Change::Forked => {
                let (differs, folder) = (self.differs.0, &self.seen.folder);
                let before = differs.saturating_sub(1);
                write!(
                    f,
                    "forked behind @{before} at the latest: @{differs} is not the one that was seen in {folder:?} \
                     (where exactly: verify both copies)"
                )
            }
        }
    }
}
