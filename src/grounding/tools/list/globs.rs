//! Globs: which files a walk is to show.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;

use crate::grounding::tools::ToolError;
use crate::grounding::tools::limits::PATTERN_BYTES_MAX;

/// One glob, or several.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Globs {
    One(String),
    Several(Vec<String>),
}

impl Globs {
    /// The set of them. Where `anywhere`, one without `/` means a name in any folder.
    pub fn set(&self, anywhere: bool) -> Result<GlobSet, ToolError> {
        let globs = match self {
            Self::One(glob) => std::slice::from_ref(glob),
            Self::Several(globs) => globs,
        };
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            let wrong = |why: String| ToolError::Pattern { pattern: glob.clone(), why };
            if glob.is_empty() || glob.len() > PATTERN_BYTES_MAX {
                return Err(wrong("give 1 to 4096 bytes, as src/**/*.rs".to_owned()));
            }
            let glob = glob.trim_start_matches("./");
            let name_only = anywhere && !glob.contains('/');
            let glob = if name_only { format!("**/{glob}") } else { glob.to_owned() };
            let mut builder = GlobBuilder::new(&glob);
            let glob = builder.literal_separator(true).build();
            set.add(glob.map_err(|error| wrong(error.kind().to_string()))?);
        }
        let all = globs.join(" ");
        set.build().map_err(|error| ToolError::Pattern { pattern: all, why: error.to_string() })
    }
}
