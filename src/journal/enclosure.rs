//! The one place that opens files below `.annals`, and the stores beside it: no link is followed there,
//! nothing but regular files is opened, what has a second name is not written, and what is another user's
//! is neither believed nor written.

use std::error::Error;
use std::io;
use std::sync::Arc;

pub use annals_journal_format::storage::OpenHow;
pub use annals_journal_format::storage::enclosure::{
    DatabaseUse, Kind, Look, append, contents, database, folder, give, is_folder, is_foreign,
    is_in_the_way, look, make_file_in, make_folder, make_folder_in, make_folders, must_be_used,
    must_be_used_in, must_be_writable, names, open, owners, read, real, remove, remove_whole,
    rename, rename_new,
};

/// Whether an error goes back to something that has one of our names and was not opened.
pub fn is_cause_of(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let shared = error.downcast_ref::<Arc<io::Error>>().map(|error| &**error);
        if error.downcast_ref::<io::Error>().or(shared).is_some_and(is_in_the_way) {
            return true;
        }
        cause = error.source();
    }
    false
}
