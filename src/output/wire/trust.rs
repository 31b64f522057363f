//! What needs the user's consent in a project.

use serde::Serialize;

use crate::config::Setting;

/// What needs the user's consent in a project.
#[derive(Debug, Serialize)]
pub struct Trust {
    pub root: String,
    /// The settings that count only with consent, whether they have it or not.
    pub settings: Vec<TrustSetting>,
    /// What of the file cannot be used and is left out: where, and why.
    pub unusable: Vec<String>,
    pub settings_allowed: bool,
    /// The journal was not begun by this user.
    pub journal_foreign: bool,
    /// Whether what it remembers is given to agents.
    pub journal_allowed: bool,
}

impl From<&Setting> for TrustSetting {
    fn from(it: &Setting) -> Self {
        let (name, effect) = (it.name.to_owned(), it.effect.as_str().to_owned());
        Self { name, effect, value: it.value.clone() }
    }
}

/// A setting that counts only with consent.
#[derive(Debug, Serialize)]
pub struct TrustSetting {
    /// `repo.summary_model`
    pub name: String,
    /// `runs`, `writes to` or `gives models texts of`.
    pub effect: String,
    /// The command line or the folder.
    pub value: String,
}
