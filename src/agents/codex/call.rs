//! Calls, from the items that make them.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::payload::{Payload, said};
use super::result::{empty, output, print, told};
use crate::agents::import::item::{Call, CallResult};
use crate::agents::import::limits::PATCH_FILES_MAX;
use crate::agents::import::loose::{Loose, Text, object, parsed};
use crate::agents::import::readable;
use crate::event::{Change, Outcome, tool};

pub fn call(session: Option<&str>, id: String, native_tool: String, arguments: String) -> Call {
    let aim = self::aim(&native_tool, &arguments);
    Call {
        scope: super::scope(session, &id),
        id,
        native_tool,
        tool: aim.tool,
        arguments,
        paths: aim.paths,
        changes: aim.changes,
        cwd: aim.cwd,
        task: None,
        execution: None,
    }
}

/// The name of a tool with that of the server it is of, where one is.
pub fn full_name(payload: &Payload<'_>) -> Option<String> {
    let name = payload.name.to_text()?;
    let Some(namespace) = payload.namespace.to_text() else { return Some(name) };
    if name.starts_with(&namespace) {
        return Some(name);
    }
    let between = match namespace.ends_with('_') || name.starts_with('_') {
        true => "",
        false if namespace.starts_with("mcp__") => "__",
        false => ".",
    };
    Some(format!("{namespace}{between}{name}"))
}

/// Arguments as a JSON object. What is none, for a model may write anything into the string that
/// should hold one, is kept as the text it is.
pub fn json_object(raw: Option<&RawValue>) -> String {
    let Some(raw) = raw else { return "{}".to_owned() };
    let json = readable(raw.get());
    let inner = match json.starts_with('"') {
        true => parsed::<Text<'_>>(json.as_bytes()).and_then(|text| text.0).unwrap_or_default(),
        false => json.as_ref().into(),
    };
    let text = inner.trim();
    if text.is_empty() || text == "null" {
        return "{}".to_owned();
    }
    let mended = readable(text);
    let object = mended.starts_with('{') && parsed::<Loose<Anything>>(mended.as_bytes()).is_some();
    match object {
        true => mended.into_owned(),
        false => wrapped("arguments", &inner),
    }
}

pub fn wrapped(key: &str, text: &str) -> String {
    serde_json::json!({ key: text }).to_string()
}

#[derive(Debug, serde::Deserialize)]
struct Anything {}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    cmd: Option<&'a RawValue>,
    input: Text<'a>,
    workdir: Text<'a>,
    working_directory: Text<'a>,
    path: Text<'a>,
    file_path: Text<'a>,
    dir_path: Text<'a>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aim {
    /// The contract's name of the tool where the meaning is the same, else its own, made valid.
    pub tool: String,
    pub paths: Vec<String>,
    /// The files it changes if it succeeds.
    pub changes: Vec<Change>,
    /// Where it runs, where it says so.
    pub cwd: Option<String>,
}

pub fn aim(native_tool: &str, arguments: &str) -> Aim {
    let named: Arguments<'_> = object(arguments.as_bytes());
    let mut aim = Aim {
        tool: tool::of_codex(native_tool)
            .map_or_else(|| tool::made_valid(native_tool), str::to_owned),
        cwd: named.workdir.to_text().or_else(|| named.working_directory.to_text()),
        ..Aim::default()
    };
    let command = named.command.or(named.cmd);
    let script = command.and_then(|raw| parsed::<Command>(raw.get().as_bytes()));
    let script = script.map(Command::script);
    match aim.tool.as_str() {
        "bash_exec" => {
            let script = script.unwrap_or_default();
            if let Some(applied) = patch_script(&script) {
                aim.changes = super::changes(&script, applied.folder);
                if applied.alone {
                    aim.tool = super::tool(&aim.changes).to_owned();
                }
            }
        }
        "file_edit" => {
            let text = named.input.to_text().or(script).unwrap_or_default();
            aim.changes = super::changes(&text, None);
            aim.tool = super::tool(&aim.changes).to_owned();
        }
        _ => aim.paths = named_paths(&named),
    }
    aim.paths.extend(aim.changes.iter().map(|change| change.path.clone()));
    aim
}

fn named_paths(named: &Arguments<'_>) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for path in [&named.file_path, &named.path, &named.dir_path].into_iter().flat_map(Text::to_text)
    {
        if !paths.contains(&path) && paths.len() < PATCH_FILES_MAX {
            paths.push(path);
        }
    }
    paths
}

/// A command as the tools spell it: words, or one string for a shell.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Command {
    Words(Vec<String>),
    Script(String),
}

impl Command {
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

/// The agent's name, before its hooks, of every tool that runs a command.
const SHELL: &str = "Bash";

pub fn hooked_call(
    session: &str,
    id: String,
    native_tool: String,
    arguments: Option<&RawValue>,
) -> Call {
    call(Some(session), id, native_tool, json_object(arguments))
}

/// How a call ended that a hook tells of; `None` where it does not say: of a command the agent
/// gives its hooks what it printed alone, whether it failed or not.
pub fn hooked_result(
    session: &str,
    id: String,
    native_tool: &str,
    response: Option<&RawValue>,
) -> Option<CallResult> {
    let said = response.map(said).unwrap_or_default();
    let output = output(said.text.clone());
    let silent = output.exit_code.is_none() && said.success.is_none() && !output.script_failed;
    if silent && native_tool == SHELL {
        return None;
    }
    Some(told(Some(session), id, &said, output))
}

pub fn hooked_print(response: &RawValue) -> String {
    output(said(response).text).body
}

pub fn printed_result(session: &str, id: String, outcome: Outcome, printed: String) -> CallResult {
    let mut result = CallResult { outcome, ..empty(Some(session), id) };
    print(&mut result, printed);
    result
}
