//! A project's settings, and which of them count.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::known::Standing;
use super::{Allowed, config_at, known};
use crate::config::{Config, ConfigError, ConfigRead, Setting};
use crate::event::{CheckList, DeclaredCheck};
use crate::journal::project::home;
use crate::journal::{FOLDER, JournalReader, enclosure};
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
    pub fn of(root: &Path) -> Self {
        let path = root.join(FOLDER).join("config.toml");
        let ConfigRead { text, config: whole, mut faults, owner } = config_at(&path);
        let mut patterns = patterns(&whole, &text, &path, &mut faults);
        // One project has one name, however it was reached.
        let root = enclosure::real(root).unwrap_or_else(|_| root.to_owned());
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

    pub fn withheld(&self) -> &[Setting] {
        if self.is_allowed { &[] } else { &self.asking }
    }

    /// How many patterns neither the user wrote nor allowed: they apply, and each has a share of what
    /// searching may cost.
    pub fn foreign_patterns(&self) -> usize {
        self.patterns.iter().filter(|pattern| pattern.is_foreign()).count()
    }

    /// The list of checks with the settings' own in it, where they are not; `None` where they are, and where
    /// they cannot be used or do not count.
    pub fn checks_beside(&self, list: &CheckList) -> Option<CheckList> {
        let is_waiting = |it: &Setting| matches!(it.name, "policy.checks" | "policy.matchers");
        if !self.faults.is_empty() || self.withheld().iter().any(is_waiting) {
            return None;
        }
        let CheckList { mut checks, mut matchers } = list.clone();
        checks.retain(|it| it.found_in != DeclaredCheck::SETTINGS);
        matchers.retain(|it| it.found_in != DeclaredCheck::SETTINGS);
        let own = self.config.policy.declared();
        checks.retain(|it| own.checks.iter().all(|own| own.command != it.command));
        checks.extend(own.checks);
        matchers.extend(own.matchers);
        let made = CheckList { checks, matchers };
        (made != *list && made.excess().is_none()).then_some(made)
    }

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
    origin(root).is_believed() && !known::is_around_settings(root)
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This user began it.
    Own,
    /// Somebody else did, and the user allowed what it remembers.
    Allowed,
    /// It came with a clone, or a copy.
    Foreign { machine: String, root: String },
}

impl Origin {
    /// Whether what it remembers may be given to an agent.
    pub fn is_believed(&self) -> bool {
        !matches!(self, Self::Foreign { .. })
    }
}

/// Where the journal of the project in this folder comes from. Own is one that the user's state remembers in
/// this folder, wherever that lies now, and a whole copy of it; where nothing is remembered, one whose first
/// event names this machine and this folder, and the folder is the user's: it is remembered from then on. One
/// that cannot be read is foreign.
pub fn origin(root: &Path) -> Origin {
    match JournalReader::open(&root.join(FOLDER).join("journal")) {
        Ok(reader) => origin_of(root, &reader),
        Err(_) => Origin::Foreign { machine: String::new(), root: String::new() },
    }
}

/// As [`origin`], of a journal that is open.
pub(super) fn origin_of(root: &Path, reader: &JournalReader) -> Origin {
    let foreign = |machine, root| Origin::Foreign { machine, root };
    let annals = root.join(FOLDER);
    let Ok(root) = enclosure::real(root) else { return foreign(String::new(), String::new()) };
    let id = reader.id();
    let standing = known::standing(&root, reader);
    if standing == Standing::Own {
        return Origin::Own;
    }
    let created = reader.created();
    let is_here = created.as_ref().is_some_and(|created| {
        created.machine == home::machine_label() && created.root == root.to_string_lossy()
    });
    let owner = fs::symlink_metadata(&annals).map(|about| about.uid());
    let is_here = is_here && standing == Standing::Unknown;
    if is_here && owner.is_ok_and(|owner| owner == rustix::process::geteuid().as_raw()) {
        // Where that cannot be remembered it is judged so again.
        drop(known::note_begun(&root, &id, false));
        return Origin::Own;
    }
    match Allowed::of(&root).has_journal(&id) {
        true => Origin::Allowed,
        false => created.map_or_else(
            || foreign(String::new(), String::new()),
            |created| foreign(created.machine, created.root),
        ),
    }
}
