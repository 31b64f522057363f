//! Plans: whether every edit has a read of the timeline before it.
//!
//! The rule: a read step before the first edit, and before each edit that follows a check or a
//! shell step, for their results are what the next edit must know of. A shell step that writes is
//! an edit (ruling 20). A read step is `memory_query`, the timeline's questions under their own names, or
//! `annals timeline` in a shell. What cannot be read, the plan or a step, is a fault, and so is a tool
//! that nobody knows: it may edit.

use std::io;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Refusal;
use crate::event::limits::TOOL_NAME_BYTES_MAX;
use crate::event::{EventError, Json, PlanChecked, PlanFault, tool};
use crate::grounding::fold::{CheckKind, GroundingRules, command};
use crate::grounding::tools::memory_query;
use crate::parse::check::CheckRules;
use crate::parse::has_word;
use crate::parse::shell::Script;

#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    Json(#[from] EventError),
    #[error(
        "the plan is no list of steps: give [{{\"tool\": …, \"arguments\": …}}, …], or an object \
         whose `steps` or `plan` is such a list"
    )]
    NoList,
    #[error("the plan has more than {STEPS_MAX} steps")]
    TooLong,
    #[error("the plan has {bytes} bytes; at most {PLAN_BYTES_MAX} are read")]
    TooLarge { bytes: usize },
    #[error("the plan {} could not be read", path.display())]
    Unread { path: PathBuf, source: io::Error },
}

pub const PLAN_BYTES_MAX: usize = 1 << 20;
const STEPS_MAX: usize = 1_000;
/// Faults that are told, the first ones.
const FAULTS_MAX: usize = 100;

/// What servers call their tools that change files, besides the contract's names.
const EDITS: &str = "\
    edit_file write_file create_file delete_file move_file apply_diff \
    str_replace_based_edit_tool";
/// What reads the timeline.
const READS: &str = "\
    memory_query get_timeline_position get_recent_timeline get_preceding_context \
    get_pending_failures timeline timeline_summary annals_timeline";

pub fn unreadable_plan(text: &[u8], reason: String) -> PlanChecked {
    checked(text, 0, vec![PlanFault { step: 0, tool: String::new(), reason }])
}

/// `text`: its canonical JSON, where it has one.
fn checked(text: &[u8], steps: u64, faults: Vec<PlanFault>) -> PlanChecked {
    let digest = *blake3::hash(text).as_bytes();
    PlanChecked { digest, steps, accepted: faults.is_empty(), faults }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    /// Whether what came of it is unread then.
    Edit(bool),
    /// A check, or a shell: what comes of it is to be read.
    Ran,
    Other,
    /// It cannot be told what it does, or not even what it is.
    Fault(&'static str),
}

/// Checks a plan: a JSON list of steps. `is_declared` tells of a tool whether the project has it on its
/// list.
pub fn check_plan(
    is_declared: impl Fn(&str) -> bool,
    text: &str,
) -> Result<PlanChecked, PlanError> {
    if text.len() > PLAN_BYTES_MAX {
        return Err(PlanError::TooLarge { bytes: text.len() });
    }
    let canonical = Json::canonical("plan", text)?;
    let steps = PlanStep::list(&canonical.0).ok_or(PlanError::NoList)?;
    if steps.len() > STEPS_MAX {
        return Err(PlanError::TooLong);
    }
    let rules = GroundingRules::default();
    let (mut faults, mut read) = (Vec::new(), false);
    let fault = |step, tool: &str, reason: &str| {
        let (tool, reason) = (tool.to_owned(), reason.to_owned());
        PlanFault { step, tool, reason }
    };
    if steps.is_empty() {
        faults.push(fault(0, "", "the plan has no steps"));
    }
    if PlanStep::are_elsewhere(&canonical.0) {
        faults.push(fault(0, "", "the plan holds steps outside its list"));
    }
    for (step, number) in steps.iter().zip(1..) {
        let kind = kind(&rules, &is_declared, step);
        let reason = match kind {
            Kind::Fault(reason) => Some(reason),
            Kind::Edit(_) if !read => Some(Refusal::NO_GROUNDING),
            _ => None,
        };
        faults.extend(reason.map(|reason| fault(number, &step.tool, reason)));
        read = match kind {
            Kind::Read => true,
            Kind::Edit(then_unread) => read && !then_unread,
            Kind::Other => read,
            // What cannot be told may have run anything.
            Kind::Ran | Kind::Fault(_) => false,
        };
    }
    faults.truncate(FAULTS_MAX);
    Ok(checked(canonical.0.as_bytes(), steps.len() as u64, faults))
}

fn kind(rules: &GroundingRules, is_declared: impl Fn(&str) -> bool, step: &PlanStep) -> Kind {
    if let Some(reason) = step.malformed {
        return Kind::Fault(reason);
    }
    // A server's tool may be called as ours and read nothing; what it says that it edits, it edits.
    let name = step.tool.rsplit("__").next().unwrap_or_default();
    let name = tool::of_claude_code(name).unwrap_or(name);
    if has_word(READS, &step.tool) {
        if step.tool == "memory_query" && !memory_query::asks(&step.arguments) {
            return Kind::Fault("asks nothing of the timeline: memory_query(timeline_summary)");
        }
        return Kind::Read;
    }
    let command = command(&step.arguments);
    if command.as_deref().is_some_and(|it| Script::of(it).reads_timeline_alone()) {
        return Kind::Read;
    }
    if name == "bash_exec" && command.is_none() {
        return Kind::Fault("names no command");
    }
    if command.as_deref().is_some_and(|it| Script::of(it).is_empty()) {
        return Kind::Fault("its command cannot be read");
    }
    let ran =
        command.is_some() || rules.check(name, None, &CheckRules::default()) != CheckKind::None;
    let edits = has_word(EDITS, name)
        || tool::is_mutation(name)
        || command.as_deref().is_some_and(|it| Script::of(it).writes());
    match edits {
        true => Kind::Edit(ran),
        false if ran => Kind::Ran,
        false if is_declared(&step.tool) || tool::CHANGE_NOTHING.contains(&name) => Kind::Other,
        false => Kind::Fault("nobody knows this tool, so it may edit: `annals tool declare` it"),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PlanStep {
    /// The contract's name where there is one; empty where the step names no tool.
    pub tool: String,
    pub arguments: String,
    /// Why nobody can tell what it would run.
    pub malformed: Option<&'static str>,
}

/// An object that has the list.
#[derive(Deserialize)]
struct Held<'a> {
    #[serde(borrow, alias = "plan", alias = "tool_calls", alias = "actions")]
    steps: Vec<&'a RawValue>,
}

/// A step under the names that agents and planners give its parts.
#[derive(Default, Deserialize)]
struct Told<'a> {
    #[serde(borrow, default, alias = "name", alias = "tool_name", alias = "action")]
    tool: Option<&'a RawValue>,
    #[serde(
        borrow,
        default,
        alias = "args",
        alias = "input",
        alias = "params",
        alias = "parameters",
        alias = "tool_input"
    )]
    arguments: Option<&'a RawValue>,
    /// As function calls are written: name and arguments one level down.
    #[serde(borrow, default)]
    function: Option<&'a RawValue>,
}

/// Members that make an object a step, or that hold some.
const STEPS: &str = "steps plan tool_calls actions tool tool_name action function";
/// Of these, those that hold the list.
const LISTS: &str = "steps plan tool_calls actions";
/// Members that are a step's tool.
const NAMES: &str = "tool name tool_name action";
/// Members that are what it is called with.
const ARGUMENTS: &str = "arguments args input params parameters tool_input function";

impl PlanStep {
    pub fn list(plan: &str) -> Option<Vec<Self>> {
        let steps = match plan.starts_with('[') {
            true => serde_json::from_str::<Vec<&RawValue>>(plan).ok()?, // no list
            false => serde_json::from_str::<Held<'_>>(plan).ok()?.steps, // no object with one
        };
        Some(steps.into_iter().map(|step| Self::read(step.get())).collect())
    }

    /// Whether a plan that is an object holds steps elsewhere than in its list.
    pub fn are_elsewhere(plan: &str) -> bool {
        members(plan).iter().any(|(name, value)| {
            !has_word(LISTS, name) && (has_word(STEPS, name) || holds_steps(value))
        })
    }

    fn read(text: &str) -> Self {
        if let Ok(name) = serde_json::from_str::<String>(text) {
            return Self::named(&name, "{}");
        }
        // A step of any other shape names no tool.
        let told: Told<'_> = serde_json::from_str(text).unwrap_or_default();
        let mut is_double = told.function.is_some() && told.tool.is_some();
        let told = match told.function {
            Some(function) => serde_json::from_str(function.get()).unwrap_or_default(), // as above
            None => Told { function: None, ..told },
        };
        is_double |= told.function.is_some();
        let name = told.tool.and_then(|name| serde_json::from_str::<String>(name.get()).ok()); // as above
        let arguments = told.arguments.map_or("{}", RawValue::get);
        // Function calls carry their arguments as a text of JSON.
        let inner = serde_json::from_str::<String>(arguments);
        let arguments = inner.as_deref().unwrap_or(arguments);
        let arguments = if arguments == "null" { "{}" } else { arguments };
        let is_object = serde_json::from_str::<Map<String, Value>>(arguments).is_ok();
        let mut step = Self::named(&name.unwrap_or_default(), arguments);
        step.malformed = match step.malformed {
            _ if is_double => Some("names two tools"),
            _ if holds_more(text) => Some("holds steps of its own: put each into the plan's list"),
            None if !is_object => Some("its arguments are no JSON object"),
            malformed => malformed,
        };
        step
    }

    fn named(name: &str, arguments: &str) -> Self {
        let name = name[..name.floor_char_boundary(TOOL_NAME_BYTES_MAX)].trim();
        let native = tool::of_claude_code(name).or_else(|| tool::of_codex(name));
        let tool = native.unwrap_or(name).to_owned();
        let malformed = tool.is_empty().then_some("names no tool");
        Self { tool, arguments: arguments.to_owned(), malformed }
    }
}

/// An object's members; none of anything else.
fn members(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Whether a step has steps beside the parts of its own, or beside those of its function.
fn holds_more(step: &str) -> bool {
    let beside = |members: &Map<String, Value>| {
        members.iter().any(|(name, value)| {
            !has_word(NAMES, name)
                && !has_word(ARGUMENTS, name)
                && (has_word(STEPS, name) || holds_steps(value))
        })
    };
    let own = members(step);
    beside(&own) || own.get("function").and_then(Value::as_object).is_some_and(beside)
}

/// Whether a value has a step anywhere in it: an object that names a tool, or a list with a tool's name.
fn holds_steps(value: &Value) -> bool {
    let is_tool = |name: &str| {
        tool::CONTRACT.contains(&name)
            || tool::of_claude_code(name).or_else(|| tool::of_codex(name)).is_some()
    };
    match value {
        Value::Array(items) => {
            items.iter().any(|item| item.as_str().is_some_and(is_tool) || holds_steps(item))
        }
        Value::Object(members) => {
            let called =
                members.contains_key("name") && members.keys().any(|it| has_word(ARGUMENTS, it));
            called
                || members.iter().any(|(name, value)| has_word(STEPS, name) || holds_steps(value))
        }
        _ => false,
    }
}
