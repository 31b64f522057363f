//! What a call is about, and the key under which calls about the same are found (ruling 10).

mod normal;
#[cfg(test)]
mod tests;

use serde::Deserialize;

use normal::normal;

/// What a call is about: a command, a path, a symbol, or what it looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As the agent gave it.
    pub shown: String,
    /// Without what changes from one attempt to the next: `cd X &&`, redirections, a trailing
    /// `| head`, a `./` before a path.
    pub normal: String,
}

/// The arguments that say what a call is about, under the names that agents give them.
#[derive(Default, Deserialize)]
struct About {
    #[serde(default)]
    command: Option<Told>,
    #[serde(default)]
    cmd: Option<Told>,
    #[serde(default)]
    pattern: Option<Told>,
    #[serde(default)]
    query: Option<Told>,
    #[serde(default)]
    url: Option<Told>,
    #[serde(default)]
    path: Option<Told>,
    #[serde(default)]
    file_path: Option<Told>,
    #[serde(default)]
    description: Option<Told>,
}

/// A text, or a command's words.
#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    Text(String),
    Words(Vec<String>),
    Other(serde::de::IgnoredAny),
}

/// Whether a command carries a patch in the form of Codex's own tool, or is one: that is all that
/// its hooks tell as the command of that tool.
fn applies_patch(command: &str) -> bool {
    const BEGIN: &str = "*** Begin Patch";
    command.trim_start().starts_with(BEGIN)
        || command.contains("apply_patch") && command.contains(BEGIN)
}

/// What makes two calls ones on the same: their target; where nothing says what a call is about, its
/// arguments do.
pub fn call_target(target: Option<&Target>, arguments: CallDigest) -> CallDigest {
    target.map_or(arguments, Target::key)
}

impl Target {
    /// The command, unless it only carries a patch of files that are told, else the first path or symbol, else the pattern, query, address, folder or
    /// description.
    pub fn of(arguments: &str, paths: &[String], symbols: &[String]) -> Option<Self> {
        // Arguments of any other shape have nothing of the kind to tell.
        let about: About = serde_json::from_str(arguments).unwrap_or_default();
        if let Some(command) = about.command.or(about.cmd) {
            match command {
                Told::Text(text) if applies_patch(&text) && !paths.is_empty() => {}
                Told::Words(words)
                    if words.iter().any(|word| applies_patch(word)) && !paths.is_empty() => {}
                Told::Text(text) => return Some(Self::of_command(text)),
                Told::Words(words) => {
                    let normal = normal(script(&words).unwrap_or(&words.join(" ")));
                    return Some(Self { shown: words.join(" "), normal });
                }
                Told::Other(_) => {}
            }
        }
        if let Some(path) = paths.first() {
            return Some(Self::of_path(path.clone()));
        }
        let first = |told: [Option<Told>; 3]| told.into_iter().flatten().find_map(Told::into_text);
        let sought = [about.pattern, about.query, about.url];
        if let Some(shown) = symbols.first().cloned().or_else(|| first(sought)) {
            return Some(Self { normal: shown.trim().to_owned(), shown });
        }
        // A folder is no path that a recorder tells.
        first([about.path, about.file_path, about.description]).map(Self::of_path)
    }

    /// A command line.
    pub fn of_command(shown: String) -> Self {
        let normal = normal(&shown);
        Self { shown, normal }
    }

    /// A file or a folder.
    pub fn of_path(shown: String) -> Self {
        let mut normal = shown.trim();
        while let Some(rest) = normal.strip_prefix("./") {
            normal = rest.trim_start_matches('/');
        }
        let normal = match normal.trim_end_matches('/') {
            "" if normal.is_empty() => ".",
            "" => "/",
            trimmed => trimmed,
        };
        Self { normal: normal.to_owned(), shown }
    }

    /// The key under which calls about the same are found.
    pub fn key(&self) -> CallDigest {
        target_key(&self.normal)
    }
}

impl Told {
    fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Words(words) => Some(words.join(" ")),
            Self::Other(_) => None,
        }
    }
}

/// The command line that a call's arguments have.
pub fn command(arguments: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct About {
        #[serde(default)]
        command: Option<Told>,
        #[serde(default)]
        cmd: Option<Told>,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Told {
        Text(String),
        Words(Vec<String>),
    }
    // Arguments of any other shape have no command.
    let About { command, cmd } = serde_json::from_str(arguments).ok()?;
    match command.or(cmd)? {
        Told::Text(text) => Some(text),
        Told::Words(words) => {
            let quoted = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
            Some(words.iter().map(quoted).collect::<Vec<_>>().join(" "))
        }
    }
}

/// The script of `["bash", "-lc", SCRIPT]`.
fn script(words: &[String]) -> Option<&str> {
    let [shell, flag, script] = words else { return None };
    let shell = shell.rsplit('/').next().unwrap_or_default();
    let shell = matches!(shell, "sh" | "bash" | "zsh" | "dash" | "fish");
    (shell && matches!(flag.as_str(), "-c" | "-lc" | "-ic" | "-lic")).then_some(script)
}

/// Sixteen bytes of blake3: one size whatever was hashed, so that indexes stay small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallDigest(pub [u8; 16]);

impl CallDigest {
    /// The same in a folder alone.
    #[must_use]
    pub fn within(self, folder: &str) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(b"folder\0").update(&self.0).update(folder.as_bytes());
        Self::of(&hash)
    }

    fn of(hash: &blake3::Hasher) -> Self {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.finalize().as_bytes()[..16]);
        Self(bytes)
    }
}

/// The digest of a call's canonical arguments.
pub fn arguments_digest(arguments: &str) -> CallDigest {
    digest(b"arguments\0", arguments)
}

/// The digest of a normalised target.
fn target_key(normal: &str) -> CallDigest {
    digest(b"target\0", normal)
}

fn digest(domain: &[u8], text: &str) -> CallDigest {
    let mut hash = blake3::Hasher::new();
    hash.update(domain).update(text.as_bytes());
    CallDigest::of(&hash)
}
