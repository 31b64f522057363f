//! Why nothing could be salvaged.

use std::io;
use std::path::PathBuf;

use crate::reader::ReadError;

/// Why nothing could be salvaged. What was lost in between is no error: it is in the report.
#[derive(Debug, thiserror::Error)]
pub enum SalvageError {
    #[error("what is to be salvaged could not be read")]
    Source(#[from] ReadError),
    #[error("{} is not empty; name a folder that does not exist yet", folder.display())]
    NotEmpty { folder: PathBuf },
    #[error("{} could not be {did}", path.display())]
    Write { path: PathBuf, did: &'static str, source: io::Error },
}
