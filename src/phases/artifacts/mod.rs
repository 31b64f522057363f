//! What a model proposes to do: `phase_artifacts` and `constraints` (spec 003, "Phase Execution").

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::parse::reply::field::Field;
use crate::parse::reply::{ReplyError, Updates, answer, extract_memory_updates};
use crate::phases::limits::{COMMAND_BYTES_MAX, COMMANDS_MAX, WORDS_MAX, too_many};

pub use super::workspace_plan::{PlannedFile, WorkspacePlan};

/// What a model proposes to do, read and found sound.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseArtifacts {
    pub download: DownloadPlan,
    pub coding: WorkspacePlan,
    pub compile: CompilePlan,
    pub run: RunPlan,
    pub constraints: Constraints,
    /// `{"constraints", "phase_artifacts"}` as they were given, canonical JSON.
    pub json: String,
}

pub const WANTS: &str = "`phase_artifacts` (download, coding, compile, run) and `constraints`";

const SECTIONS: [&str; 4] = ["download", "coding", "compile", "run"];

impl PhaseArtifacts {
    pub fn of(value: &Value) -> Result<Self, ReplyError> {
        let whole = Field::new("phase_artifacts", payload(value));
        // Some models put the one object into a list.
        let whole = sole(whole);
        whole.object("an object with download, coding, compile and run")?;
        let section = |name: &str| whole.member(name).map(sole);
        let constraints = value.get("constraints").filter(|value| !value.is_null());
        let constraints = constraints.map(|value| sole(Field::new("constraints", value)));
        let mut parts = Map::new();
        parts.insert("phase_artifacts".to_owned(), whole.value.clone());
        if let Some(constraints) = &constraints {
            parts.insert("constraints".to_owned(), constraints.value.clone());
        }
        Ok(Self {
            download: DownloadPlan::read(section("download").as_ref())?,
            coding: WorkspacePlan::read(section("coding").as_ref())?,
            compile: CompilePlan::read(section("compile").as_ref())?,
            run: RunPlan::read(section("run").as_ref())?,
            constraints: Constraints::read(constraints.as_ref())?,
            json: json!(parts).to_string(),
        })
    }
}

/// Reads a whole reply: its `<memory_update>`, and what it proposes to do.
pub fn extract_phase_artifacts(
    reply: &str,
    require_memory_update: bool,
) -> Result<(Option<Updates>, PhaseArtifacts), ReplyError> {
    let extracted = extract_memory_updates(reply, require_memory_update)?;
    Ok((extracted.updates, artifacts_of(&extracted.rest)?))
}

/// Reads what a reply proposes to do, without its `<memory_update>`.
pub fn artifacts_of(rest: &str) -> Result<PhaseArtifacts, ReplyError> {
    PhaseArtifacts::of(&answer(rest, WANTS, has_artifacts)?)
}

fn has_artifacts(value: &Value) -> bool {
    let has = |name: &str| value.get(name).is_some();
    has("phase_artifacts") || has("plan") || SECTIONS.into_iter().all(has)
}

/// The reference also takes `plan`, or the four sections without a name around them.
fn payload(value: &Value) -> &Value {
    value.get("phase_artifacts").or_else(|| value.get("plan")).unwrap_or(value)
}

fn sole(field: Field<'_>) -> Field<'_> {
    match field.value.as_array().map(Vec::as_slice) {
        Some([one]) => Field { at: field.at, value: one },
        _ => field,
    }
}

/// `compile`: `{build_plan, commands}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilePlan {
    pub commands: Vec<PlannedCommand>,
    pub language: Option<String>,
    /// `build_plan.compiler_selected`; like all of `build_plan` it may be missing.
    pub compiler: Option<String>,
    pub cflags: Vec<String>,
    pub ldflags: Vec<String>,
    /// The folder to compile in, from the workspace's root or by its name for it.
    pub workdir: Option<String>,
    pub output: Option<String>,
}

impl CompilePlan {
    fn read(section: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let Some(section) = section else { return Ok(Self::default()) };
        section.object("an object with `build_plan` and `commands`")?;
        let commands = PlannedCommand::list(section)?;
        let Some(plan) = section.member("build_plan") else {
            return Ok(Self { commands, ..Self::default() });
        };
        plan.object("an object with what is built, and by which compiler")?;
        let compiler = text(&plan, "compiler_selected")?.filter(|name| !name.trim().is_empty());
        Ok(Self {
            commands,
            compiler,
            language: text(&plan, "language")?,
            cflags: texts(&plan, "cflags")?,
            ldflags: texts(&plan, "ldflags")?,
            workdir: text(&plan, "workdir")?,
            output: text(&plan, "output")?,
        })
    }
}

fn text(section: &Field<'_>, name: &str) -> Result<Option<String>, ReplyError> {
    section.member(name).map(|field| field.text()).transpose()
}

/// A list of texts, or one of them; none where there is no such member.
fn texts(section: &Field<'_>, name: &str) -> Result<Vec<String>, ReplyError> {
    section.member(name).map_or(Ok(Vec::new()), |field| field.texts())
}

/// `constraints`: what a model says it kept to. They loosen nothing: a plan that leaves its workspace
/// is refused whatever they say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// By name; of those that we know the values are truth values.
    pub stated: BTreeMap<String, Value>,
}

/// The reference's names.
pub const KNOWN: [&str; 7] = [
    "allow_sudo_in_singularity",
    "allow_apt_get_in_singularity",
    "write_only_under_workspace",
    "no_absolute_paths",
    "no_parent_traversal",
    "python_output_must_use_numpy",
    "non_python_output_must_use_cnpy",
];

impl Constraints {
    fn read(field: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let Some(field) = field else { return Ok(Self::default()) };
        let object = field.object("an object of names and truth values")?;
        field.bounded(object.len(), "members")?;
        for name in KNOWN {
            match field.member(name) {
                Some(known) if !known.value.is_boolean() => {
                    return Err(known.wrong("true or false"));
                }
                _ => {}
            }
        }
        let stated = object.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(Self { stated })
    }
}

/// `run`: `{commands, expected_outputs, notes}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunPlan {
    pub commands: Vec<PlannedCommand>,
    /// Files that must be there afterwards.
    pub expected_outputs: Vec<String>,
    pub notes: String,
}

impl RunPlan {
    fn read(section: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let missing = |at: String| ReplyError::MissingField { at, wants: "a list of commands" };
        let Some(section) = section else {
            return Err(missing("phase_artifacts.run".to_owned()));
        };
        section.object("an object with `commands` and `expected_outputs`")?;
        let commands = PlannedCommand::list(section)?;
        if commands.is_empty() {
            return Err(match section.member("commands") {
                None => missing(format!("{}.commands", section.at)),
                Some(list) => list.invalid("is empty: give at least one command"),
            });
        }
        let expected_outputs = texts(section, "expected_outputs")?;
        Ok(Self { commands, expected_outputs, notes: text(section, "notes")?.unwrap_or_default() })
    }
}

/// `download`: `{commands, notes}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DownloadPlan {
    pub commands: Vec<PlannedCommand>,
    pub notes: String,
}

impl DownloadPlan {
    fn read(section: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let Some(section) = section else { return Ok(Self::default()) };
        section.object("an object with `commands` and `notes`")?;
        let notes = text(section, "notes")?.unwrap_or_default();
        Ok(Self { commands: PlannedCommand::list(section)?, notes })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedCommand {
    /// For the shell.
    Line(String),
    Words(Vec<String>),
}

impl PlannedCommand {
    fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
        let command = match field.value {
            Value::String(_) => Self::Line(field.text()?),
            Value::Array(words) if words.len() <= WORDS_MAX => {
                let words = field.elements()?;
                Self::Words(words.iter().map(Field::scalar).collect::<Result<_, _>>()?)
            }
            Value::Array(words) => return Err(too_many(field, words.len(), "words", WORDS_MAX)),
            _ => {
                let wants = "a shell command, or a list of a program and its arguments";
                return Err(field.wrong(wants));
            }
        };
        let shown = command.shown();
        match shown.len() {
            _ if shown.trim().is_empty() => Err(field.invalid("is empty")),
            0..=COMMAND_BYTES_MAX => Ok(command),
            bytes => {
                let why = format!("has {bytes} bytes; at most {COMMAND_BYTES_MAX} are run");
                Err(field.invalid(why))
            }
        }
    }

    /// The commands of a section; none where there is no such member.
    fn list(section: &Field<'_>) -> Result<Vec<Self>, ReplyError> {
        let Some(field) = section.member("commands") else { return Ok(Vec::new()) };
        let Some(list) = field.value.as_array() else {
            return Ok(vec![Self::read(&field)?]);
        };
        if list.len() > COMMANDS_MAX {
            return Err(too_many(&field, list.len(), "commands", COMMANDS_MAX));
        }
        field.elements()?.iter().map(Self::read).collect()
    }

    /// As a person reads it.
    pub fn shown(&self) -> String {
        match self {
            Self::Line(line) => line.clone(),
            Self::Words(words) => {
                words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A word that a shell would read as itself.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
