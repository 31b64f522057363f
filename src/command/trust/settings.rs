//! A project's settings, and which of them count.

use std::io;
use std::path::{Path, PathBuf};

use super::{Allowed, origin};
use crate::command::FOLDER;
use crate::config::{Config, ConfigError, Setting};

/// A project's settings, read once: what is judged, shown, allowed and used are the same bytes.
#[derive(Clone, Debug)]
pub struct Settings {
    root: PathBuf,
    text: String,
    /// Those that count: of the others, the defaults.
    pub config: Config,
    /// Those that need consent, whether they have it or not.
    pub asking: Vec<Setting>,
    pub is_allowed: bool,
}

impl Settings {
    /// Those of the project in this folder.
    ///
    /// # Errors
    /// Where they cannot be read, or are none.
    pub fn of(root: &Path) -> Result<Self, ConfigError> {
        let path = root.join(FOLDER).join("config.toml");
        let text = Config::text(&path)?;
        let whole = Config::parse(&text, &path)?;
        // One project has one name, however it was reached.
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let mut config = whole.clone();
        let mut asking = config.withhold(&root);
        let mut ungated = config.clone();
        let steering = ungated.withhold_gate();
        if !steering.is_empty() && !origin(&root).is_believed() {
            config = ungated;
            asking.extend(steering);
        }
        let is_allowed = asking.is_empty() || Allowed::of(&root).has_settings(&root, &text);
        if is_allowed {
            config = whole;
        }
        Ok(Self { root, text, config, asking, is_allowed })
    }

    /// Those that do not count for want of consent.
    pub fn withheld(&self) -> &[Setting] {
        if self.is_allowed { &[] } else { &self.asking }
    }

    /// Allows these, and what this journal remembers.
    ///
    /// # Errors
    /// Where that cannot be remembered.
    pub fn allow(&self, journal: Option<[u8; 16]>) -> io::Result<()> {
        Allowed::all(&self.root, &self.text, journal).keep(&self.root)
    }
}
