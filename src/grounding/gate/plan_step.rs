//! One step of a plan, in the shapes that planners write.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::event::limits::TOOL_NAME_BYTES_MAX;
use crate::event::tool;

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlanStep {
    /// The contract's name where there is one; empty where the step names no tool.
    pub tool: String,
    /// A JSON object, if it is one.
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
const STEPS: [&str; 8] =
    ["steps", "plan", "tool_calls", "actions", "tool", "tool_name", "action", "function"];
/// Members that are what a step's tool is called with, and its name.
const PARTS: [&str; 11] = [
    "tool",
    "name",
    "tool_name",
    "action",
    "arguments",
    "args",
    "input",
    "params",
    "parameters",
    "tool_input",
    "function",
];

impl PlanStep {
    /// The steps of a plan; `None` where it is no list of any.
    pub fn list(plan: &str) -> Option<Vec<Self>> {
        let steps = match plan.starts_with('[') {
            true => serde_json::from_str::<Vec<&RawValue>>(plan).ok()?, // no list
            false => serde_json::from_str::<Held<'_>>(plan).ok()?.steps, // no object with one
        };
        Some(steps.into_iter().map(|step| Self::read(step.get())).collect())
    }

    /// Whether a plan that is an object holds steps elsewhere than in its list.
    pub fn are_elsewhere(plan: &str) -> bool {
        let held = |name: &str| STEPS[..4].contains(&name);
        members(plan).iter().any(|(name, value)| {
            !held(name) && (STEPS.contains(&name.as_str()) || holds_steps(value))
        })
    }

    fn read(step: &str) -> Self {
        if let Ok(name) = serde_json::from_str::<String>(step) {
            return Self::named(&name, "{}");
        }
        let text = step;
        // A step of any other shape names no tool.
        let told: Told<'_> = serde_json::from_str(step).unwrap_or_default();
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
        let is_object =
            serde_json::from_str::<serde_json::Map<_, serde_json::Value>>(arguments).is_ok();
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
            !PARTS.contains(&name.as_str())
                && (STEPS.contains(&name.as_str()) || holds_steps(value))
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
            let called = members.contains_key("name")
                && PARTS[4..].iter().any(|it| members.contains_key(*it));
            called
                || members
                    .iter()
                    .any(|(name, value)| STEPS.contains(&name.as_str()) || holds_steps(value))
        }
        _ => false,
    }
}
