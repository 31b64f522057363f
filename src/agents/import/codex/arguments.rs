//! What a call's arguments aim at.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::patch;
use super::shell::{Command, patch_script};
use crate::agents::import::limits::PATCH_FILES_MAX;
use crate::agents::import::loose::{Loose, Text, parsed};
use crate::event::{Change, tool};

/// The arguments that say what a call is about, under every name the agent's tools use.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    cmd: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Text<'a>,
    #[serde(borrow)]
    workdir: Text<'a>,
    #[serde(borrow)]
    working_directory: Text<'a>,
    #[serde(borrow)]
    path: Text<'a>,
    #[serde(borrow)]
    file_path: Text<'a>,
    #[serde(borrow)]
    dir_path: Text<'a>,
}

/// What a call is about.
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

/// What a call of the agent's tool of this name is about; `arguments` is a JSON object.
pub fn aim(native_tool: &str, arguments: &str) -> Aim {
    let named = parsed::<Loose<Arguments<'_>>>(arguments.as_bytes()).and_then(|named| named.0);
    let named = named.unwrap_or_default();
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
                aim.changes = patch::changes(&script, applied.folder);
                if applied.alone {
                    aim.tool = patch::tool(&aim.changes).to_owned();
                }
            }
        }
        "file_edit" => {
            let text = named.input.to_text().or(script).unwrap_or_default();
            aim.changes = patch::changes(&text, None);
            aim.tool = patch::tool(&aim.changes).to_owned();
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
