//! What `annals redact` says of what was written where a person said.

use serde::Serialize;

use super::super::{Context, Result, counted};
use super::outcome::Told;
use crate::output::escape;
use crate::stores::leak::elsewhere::Elsewhere;

const UNLOOKED: &str =
    "not looked through, since no value was given: annals redact --value-stdin looks for one";
/// As many transcripts are printed; all are in the JSON.
const NAMED_MAX: usize = 10;

#[derive(Debug, Serialize)]
pub struct ElsewhereTold {
    pub path: String,
    /// `report`, `export`, `bundle` and the like.
    pub what: String,
    /// Whether it holds what went; null where that cannot be said, since records were named and no value.
    pub holds: Option<bool>,
    /// Why it could not be looked at.
    pub why: Option<String>,
    #[serde(skip)]
    is_bundle: bool,
}

impl ElsewhereTold {
    pub fn of(found: &Elsewhere) -> Self {
        let Elsewhere { written, is_bundle, holds, unread } = found.clone();
        let path = written.path.to_string_lossy().into_owned();
        Self { path, what: written.what, holds, why: unread, is_bundle }
    }

    pub fn is_open(&self) -> bool {
        self.holds != Some(false) || self.why.is_some()
    }
}

/// What was looked through, in words.
pub fn places(told: &Told) -> String {
    let own = "the journal, stores, caches, published files";
    match told.elsewhere.len() as u64 {
        0 => own.to_owned(),
        files => format!("{own} or {} written from it", counted(files, "file")),
    }
}

/// What became of the bundles that were named.
pub fn bundles(told: &Told, context: &mut Context) -> Result<()> {
    for bundle in &told.bundles {
        let path = escape::line(&bundle.path);
        let what = match &bundle.why {
            Some(why) => format!("not rewritten: {}", escape::line(why)),
            None if bundle.bytes.is_none() => "holds none of it".to_owned(),
            None => {
                let records = counted(bundle.records.len() as u64, "record");
                format!("rewritten without {records}")
            }
        };
        context.output.line(format_args!("  bundle {path}: {what}"))?;
    }
    Ok(())
}

pub fn elsewhere(told: &Told, context: &mut Context) -> Result<()> {
    for it in &told.elsewhere {
        let (path, what) = (escape::line(&it.path), escape::line(&it.what));
        let state = match (&it.why, it.holds) {
            (Some(why), _) => format!("could not be looked through: {}", escape::line(why)),
            (None, Some(true)) if it.is_bundle => "holds it (--bundle rewrites it)".to_owned(),
            (None, Some(true)) => "holds it: delete it, or make it anew".to_owned(),
            (None, Some(false)) => continue,
            (None, None) => UNLOOKED.to_owned(),
        };
        context.output.line(format_args!("  {path}: {what} from before, {state}"))?;
    }
    for path in told.not_looked.iter().take(NAMED_MAX) {
        context.output.line(format_args!("  {}: transcript, {UNLOOKED}", escape::line(path)))?;
    }
    let more = told.not_looked.len().saturating_sub(NAMED_MAX) as u64;
    if more > 0 {
        context.output.line(format_args!("  … and {}", counted(more, "more transcript")))?;
    }
    Ok(())
}
