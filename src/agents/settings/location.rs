//! Where an agent reads its settings from.

use std::path::{Path, PathBuf};

use super::Agent;

/// The user's folders that agents keep their settings in.
#[derive(Clone, Debug, Default)]
pub struct Home {
    /// `HOME`
    pub home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`
    pub claude: Option<PathBuf>,
    /// `CODEX_HOME`
    pub codex: Option<PathBuf>,
}

/// Whom a settings file speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One person in one project; not for commit.
    Local,
    /// Everybody in one project.
    Shared,
    /// One person in all projects.
    User,
}

impl Scope {
    /// Its word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Shared => "shared",
            Self::User => "user",
        }
    }
}

/// A file that an agent reads hooks from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub scope: Scope,
    pub path: PathBuf,
}

impl Home {
    /// Reads the environment.
    pub fn of_environment() -> Self {
        let folder = |name| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
        Self {
            home: folder("HOME"),
            claude: folder("CLAUDE_CONFIG_DIR"),
            codex: folder("CODEX_HOME"),
        }
    }

    /// The agent's own folder, whether it is there or not.
    pub fn folder(&self, agent: Agent) -> Option<PathBuf> {
        let (named, own) = match agent {
            Agent::ClaudeCode => (&self.claude, ".claude"),
            Agent::Codex => (&self.codex, ".codex"),
        };
        named.clone().or_else(|| Some(self.home.as_ref()?.join(own)))
    }

    /// Whether the agent is used on this machine: its folder is there.
    pub fn has(&self, agent: Agent) -> bool {
        self.folder(agent).is_some_and(|folder| folder.is_dir())
    }

    /// Every file that the agent reads hooks from in the project at `root`.
    pub fn places(&self, agent: Agent, root: &Path) -> Vec<Place> {
        let (own, shared, user) = match agent {
            Agent::ClaudeCode => {
                (Some(".claude/settings.local.json"), ".claude/settings.json", "settings.json")
            }
            Agent::Codex => (None, ".codex/hooks.json", "hooks.json"),
        };
        let local = own.map(|own| Place { scope: Scope::Local, path: root.join(own) });
        let shared = Place { scope: Scope::Shared, path: root.join(shared) };
        let user =
            self.folder(agent).map(|folder| Place { scope: Scope::User, path: folder.join(user) });
        // In the home folder itself the project's file is the user's.
        let user = user.filter(|user| user.path != shared.path);
        local.into_iter().chain([shared]).chain(user).collect()
    }

    /// The file that hooks are installed in. Codex has no settings of one person in one project:
    /// what lies in a repository is its team's, so there it is always the user's own.
    pub fn chosen(&self, agent: Agent, root: &Path, user: bool) -> Option<Place> {
        let scope = match agent {
            Agent::ClaudeCode if !user => Scope::Local,
            _ => Scope::User,
        };
        self.places(agent, root).into_iter().find(|place| place.scope == scope)
    }
}
