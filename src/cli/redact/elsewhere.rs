//! What `annals redact` says of what was written where a person said.

use serde::Serialize;

use super::super::{Context, Result};
use super::outcome::Told;
use crate::output::escape;
use crate::stores::leak::elsewhere::Elsewhere;

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
        self.holds == Some(true) || self.why.is_some()
    }
}

pub fn elsewhere(told: &Told, context: &mut Context) -> Result<()> {
    for it in &told.elsewhere {
        let (path, what) = (escape::line(&it.path), &it.what);
        let state = match (&it.why, it.holds) {
            (Some(why), _) => format!("could not be looked through: {}", escape::line(why)),
            (None, Some(true)) if it.is_bundle => "holds it (--bundle rewrites it)".to_owned(),
            (None, Some(true)) => "holds it: delete it, or make it anew".to_owned(),
            (None, Some(false)) => continue,
            (None, None) => "not looked through, since no value was given".to_owned(),
        };
        context.output.line(format_args!("  {path}: {what} from before, {state}"))?;
    }
    Ok(())
}
