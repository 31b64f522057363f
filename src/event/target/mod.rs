//! What a call is about, and the key under which calls about the same are found (ruling 10).

#[cfg(test)]
mod tests;

use serde::Deserialize;

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
                    let normal = self::normal(script(&words).unwrap_or(&words.join(" ")));
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
        let normal = self::normal(&shown);
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

// A command line without what changes from one attempt to the next (ruling 10).
//
// `cd X && cargo test 2>&1 | tail -5` is `cargo test`. Leading `cd X &&` go, output redirections
// go, a trailing pipe into what only shortens the output goes, and runs of blanks become one.
// Input stays: it decides what a command does. A line that this cannot read as a shell does
// (a here-document, an open quote) stays as it is.

/// Programs that only choose what of an output is seen.
const VIEWERS: [&str; 9] = ["head", "tail", "grep", "egrep", "fgrep", "rg", "less", "more", "cat"];

/// The command as it is compared.
fn normal(command: &str) -> String {
    let mut rest = command.trim();
    while let Some(behind) = without_cd(rest) {
        rest = behind;
    }
    match Scan::of(rest) {
        Some(scan) => scan.without_viewers(),
        None => rest.to_owned(),
    }
}

/// What follows a leading `cd X &&`, `cd X;` or `cd X` on a line of its own.
fn without_cd(command: &str) -> Option<&str> {
    let rest = command.strip_prefix("cd")?;
    let after = rest.trim_start_matches([' ', '\t']);
    if after.len() == rest.len() {
        return None;
    }
    let rest = after[word(after)?..].trim_start_matches([' ', '\t']);
    let rest = ["&&", ";", "\n"].iter().find_map(|end| rest.strip_prefix(end))?.trim_start();
    (!rest.is_empty()).then_some(rest)
}

/// The length in bytes of the word that a text begins with; `None` where a quote stays open.
fn word(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (None, _) if c.is_whitespace() || "|;&<>()".contains(c) => return Some(at),
            _ => {}
        }
    }
    quote.is_none().then_some(text.len())
}

/// A command line read from left to right.
#[derive(Default)]
struct Scan {
    out: String,
    /// Where the pipes of the last pipeline are in `out`.
    pipes: Vec<usize>,
}

impl Scan {
    fn of(mut rest: &str) -> Option<Self> {
        let mut scan = Self::default();
        while let Some(c) = rest.chars().next() {
            let mut used = c.len_utf8();
            match c {
                '\\' if rest.starts_with("\\\n") => {
                    scan.blank();
                    used = 2;
                }
                '<' if rest.starts_with("<<") => return None,
                '>' if rest.starts_with(">(") => return None,
                '>' => used = scan.redirection(rest)?,
                '|' | '&' | ';' | '\n' => used = scan.operator(rest),
                _ if c.is_whitespace() => scan.blank(),
                '<' | '(' | ')' => scan.out.push(c),
                _ => {
                    used = word(rest)?;
                    scan.out.push_str(&rest[..used]);
                }
            }
            rest = &rest[used..];
        }
        Some(scan)
    }

    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with([' ', '\n']) {
            self.out.push(' ');
        }
    }

    /// Reads `|`, `||`, `&&`, `;` and what else ends a command; gives the bytes used.
    fn operator(&mut self, rest: &str) -> usize {
        if rest.starts_with("&>") {
            return 1; // the redirection follows
        }
        let double = rest.starts_with("||") || rest.starts_with("&&") || rest.starts_with("|&");
        let operator = &rest[..if double { 2 } else { 1 }];
        match operator {
            "|" | "|&" => self.pipes.push(self.out.len()),
            _ => self.pipes.clear(),
        }
        self.out.push_str(operator);
        operator.len()
    }

    /// Leaves `2>&1`, `> file`, `>> file`, `&> file` out; gives the bytes used.
    fn redirection(&mut self, rest: &str) -> Option<usize> {
        let before = self.out.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if before == 0 || self.out[..before].ends_with([' ', '\n']) {
            self.out.truncate(before);
        }
        let mut target = rest.trim_start_matches('>');
        target = target.strip_prefix(['&', '|']).unwrap_or(target);
        target = target.trim_start_matches([' ', '\t']);
        Some(rest.len() - target.len() + word(target)?)
    }

    fn without_viewers(mut self) -> String {
        while let Some(at) = self.pipes.pop() {
            let segment = self.out[at..].trim_start_matches(['|', '&', ' ']);
            let program = segment.split_whitespace().next().unwrap_or_default();
            if !VIEWERS.contains(&program) {
                break;
            }
            self.out.truncate(at);
        }
        let end = self.out.trim_end_matches([' ', '\n', ';']).len();
        self.out.truncate(end);
        self.out
    }
}

/// Sixteen bytes of blake3: one size whatever was hashed, so that indexes stay small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallDigest(pub [u8; 16]);

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
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    CallDigest(bytes)
}
