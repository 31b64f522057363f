//! What enabling would do, before anything is done.

use std::path::PathBuf;

use crate::agents::import::ImportRequest;
use crate::agents::settings::{Agent, HookLine, Installation, Mode, Place, SettingsFile};
use crate::config::Setting;
use crate::output::wire;

/// What enabling would do.
pub struct Plan {
    pub root: PathBuf,
    /// There is a journal already.
    pub is_project: bool,
    /// Past sessions of this project that would be read.
    pub request: ImportRequest,
    pub files: u64,
    pub bytes: u64,
    /// Settings of a project that is there already, which wait for consent.
    pub withheld: Vec<Setting>,
    pub hooks: Vec<Hooks>,
}

/// What would be done to one agent's settings.
pub struct Hooks {
    pub agent: Agent,
    pub place: Place,
    pub line: HookLine,
    pub file: SettingsFile,
    pub installation: Installation,
    /// They are installed in another file that this agent reads here.
    pub elsewhere: Option<PathBuf>,
    /// What the person must still do.
    pub notes: Vec<String>,
}

impl Hooks {
    /// Whether nothing is to be done.
    pub fn is_done(&self) -> bool {
        let Installation { added, changed, .. } = &self.installation;
        self.elsewhere.is_some() || added.is_empty() && changed.is_empty()
    }

    /// The mode that what stands in the file will have.
    pub fn mode(&self) -> Mode {
        let found = self.installation.found.first().map(|it| it.line.mode);
        match found {
            Some(found) if !self.installation.switched => found,
            _ => self.line.mode,
        }
    }
}

impl Plan {
    /// As JSON, nothing of it done.
    pub fn told(&self) -> wire::Enabled {
        let hooks = self.hooks.iter().map(|it| wire::EnabledHooks {
            agent: it.agent.as_str().to_owned(),
            path: it.elsewhere.as_ref().unwrap_or(&it.place.path).to_string_lossy().into_owned(),
            scope: it.place.scope.as_str().to_owned(),
            mode: it.mode().as_str().to_owned(),
            command: it.line.command(),
            added: it.installation.added.iter().map(|&event| event.to_owned()).collect(),
            changed: it.installation.changed.clone(),
            lines: it.installation.lines.clone(),
            done: it.is_done(),
            backup: None,
            notes: it.notes.clone(),
        });
        wire::Enabled {
            root: self.root.to_string_lossy().into_owned(),
            created: false,
            past_files: self.files,
            past_bytes: self.bytes,
            import: None,
            withheld: self.withheld.iter().map(wire::TrustSetting::from).collect(),
            hooks: hooks.collect(),
            done: false,
        }
    }
}
