//! A project's settings, and which of them count.

use std::io;
use std::path::{Path, PathBuf};

use super::{Allowed, begun, origin};
use crate::config::{Config, ConfigError, ConfigRead, Setting};
use crate::journal::FOLDER;
use crate::redact::{OwnPattern, PATTERNS_MAX};

/// A project's settings, read once: what is judged, shown, allowed and used are the same bytes. Each
/// counts by itself: of one that cannot be used the default stands, and no file makes this fail.
#[derive(Clone, Debug)]
pub struct Settings {
    root: PathBuf,
    text: String,
    /// Those that count: of the others, the defaults.
    pub config: Config,
    patterns: Vec<OwnPattern>,
    /// What of the file cannot be used.
    pub faults: Vec<ConfigError>,
    /// Those that need consent, whether they have it or not.
    pub asking: Vec<Setting>,
    pub is_allowed: bool,
    /// What cannot be used is the user's own to correct, not what came with a clone.
    is_own: bool,
    /// The other user whose file it is.
    pub owner: Option<u32>,
}

impl Settings {
    /// Those of the project in this folder.
    pub fn of(root: &Path) -> Self {
        let path = root.join(FOLDER).join("config.toml");
        let ConfigRead { text, config: whole, mut faults, owner } = ConfigRead::of(&path);
        let mut patterns = patterns(&whole, &text, &path, &mut faults);
        // One project has one name, however it was reached.
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let mut config = whole.clone();
        let mut asking = config.withhold(&root);
        let mut ungated = config.clone();
        let steering = ungated.withhold_gate();
        let is_asked = !steering.is_empty() || !faults.is_empty() || !patterns.is_empty();
        let is_own = is_asked && owner.is_none() && is_own(&root);
        if !steering.is_empty() && !is_own {
            config = ungated;
            asking.extend(steering);
        }
        // What was allowed was a text that says one thing to everybody.
        let was_allowed = || faults.is_empty() && Allowed::of(&root).has_settings(&root, &text);
        let is_allowed = asking.is_empty() || was_allowed();
        if !patterns.is_empty() && !is_own && !was_allowed() {
            patterns = patterns.into_iter().map(OwnPattern::foreign).collect();
        }
        if is_allowed {
            config = whole;
        }
        Self { root, text, config, patterns, faults, asking, is_allowed, is_own, owner }
    }

    /// Those that do not count for want of consent.
    pub fn withheld(&self) -> &[Setting] {
        if self.is_allowed { &[] } else { &self.asking }
    }

    /// How many patterns neither the user wrote nor allowed: they apply, and each has a share of what
    /// searching may cost.
    pub fn foreign_patterns(&self) -> usize {
        self.patterns.iter().filter(|pattern| pattern.is_foreign()).count()
    }

    /// Whether the file says just this.
    pub fn says(&self, text: &str) -> bool {
        self.text == text
    }

    /// What to take out besides what the built-in rules know, whoever wrote it: it only adds.
    pub fn patterns(&self) -> &[OwnPattern] {
        &self.patterns
    }

    /// Holds that what is done by the settings is done by those that the user wrote: no command is run,
    /// no model asked and nothing let go of by defaults that stand for what cannot be read. A
    /// stranger's would not count anyway, so that they stop nothing.
    pub fn must_be_whole(&self) -> Result<(), ConfigError> {
        match self.faults.first() {
            Some(fault) if self.is_own => Err(fault.clone()),
            _ => Ok(()),
        }
    }

    /// Allows these, and what this journal remembers.
    pub fn allow(&self, journal: Option<[u8; 16]>) -> io::Result<()> {
        Allowed::all(&self.root, &self.text, journal).keep(&self.root)
    }
}

/// Whether the settings in this folder are its user's: the journal is, and they did not lie there before.
fn is_own(root: &Path) -> bool {
    origin(root).is_believed() && !begun::is_around_settings(root)
}

/// The patterns that can be used, and why the others cannot.
fn patterns(
    config: &Config,
    text: &str,
    path: &Path,
    faults: &mut Vec<ConfigError>,
) -> Vec<OwnPattern> {
    let mut usable = Vec::new();
    for (number, pattern) in config.redact.patterns.iter().enumerate() {
        let made = match number {
            0..PATTERNS_MAX => OwnPattern::new(pattern),
            PATTERNS_MAX => Err(format!("there are more than {PATTERNS_MAX} patterns")),
            _ => break,
        };
        let at = pattern.regex.span().start;
        match made {
            Ok(pattern) => usable.push(pattern),
            Err(reason) => faults.push(ConfigError::at(path, text.as_bytes(), at, reason)),
        }
    }
    usable
}
