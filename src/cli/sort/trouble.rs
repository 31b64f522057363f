//! What a journal's troubles come to.

use super::Sorted;
use crate::cli::Exit;
use crate::journal::Trouble;

pub(super) fn trouble(trouble: Trouble) -> Sorted {
    match trouble {
        Trouble::Missing => {
            (Exit::Usage, Some("annals init in the project's folder, or --dir DIR"))
        }
        Trouble::Locked => {
            (Exit::Locked, Some("another process is writing: wait, or end it, then try again"))
        }
        Trouble::Damaged => (Exit::Damaged, Some("annals verify, then annals salvage")),
        Trouble::Bundle => {
            (Exit::Damaged, Some("tar xf takes out what is whole: then annals verify journal"))
        }
        Trouble::Refused => (Exit::Usage, None),
        Trouble::Io => (Exit::Io, None),
    }
}
