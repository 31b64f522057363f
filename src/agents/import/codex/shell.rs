//! What a shell was given: its script, and whether that applies a patch.

use serde::Deserialize;

/// A command as the tools spell it: words, or one string for a shell.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Command {
    Words(Vec<String>),
    Script(String),
}

impl Command {
    /// The script that a shell runs, where there is one, else the words joined.
    pub fn script(self) -> String {
        let words = match self {
            Self::Script(script) => return script,
            Self::Words(words) => words,
        };
        match words.as_slice() {
            [shell, flag, script] if is_shell(shell) && flag.starts_with('-') => script.clone(),
            _ => words.join(" "),
        }
    }
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "fish" | "pwsh" | "powershell")
}

/// A script that applies a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchScript<'a> {
    /// Where it goes first.
    pub folder: Option<&'a str>,
    /// Whether it does nothing else: then the agent takes it for the tool of that name.
    pub alone: bool,
}

/// What a script that applies a patch does besides; `None` where it applies none.
pub fn patch_script(script: &str) -> Option<PatchScript<'_>> {
    let at = script.find("*** Begin Patch")?;
    let before = script[..at].trim_start();
    let (folder, rest) = match before.strip_prefix("cd ").and_then(|rest| rest.split_once("&&")) {
        Some((folder, rest)) => (Some(folder.trim().trim_matches(['"', '\''])), rest.trim_start()),
        None => (None, before),
    };
    let word = rest.split_whitespace().next().unwrap_or_default();
    let alone = matches!(word, "apply_patch" | "applypatch");
    let applies = alone || rest.contains("apply_patch") || rest.contains("applypatch");
    applies.then_some(PatchScript { folder, alone })
}
