//! One step of a plan, in the shapes that planners write.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::event::limits::TOOL_NAME_BYTES_MAX;
use crate::event::tool;

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlanStep {
    /// The contract's name where there is one; empty where the step names no tool.
    pub tool: String,
    /// A JSON object, if it is one.
    pub arguments: String,
    /// It names another tool one level down: which of them would run, nobody knows.
    pub is_double: bool,
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

impl PlanStep {
    /// The steps of a plan; `None` where it is no list of any.
    pub fn list(plan: &str) -> Option<Vec<Self>> {
        let steps = match plan.starts_with('[') {
            true => serde_json::from_str::<Vec<&RawValue>>(plan).ok()?, // no list
            false => serde_json::from_str::<Held<'_>>(plan).ok()?.steps, // no object with one
        };
        Some(steps.into_iter().map(|step| Self::read(step.get())).collect())
    }

    fn read(step: &str) -> Self {
        if let Ok(name) = serde_json::from_str::<String>(step) {
            return Self::named(&name, "{}");
        }
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
        Self { is_double, ..Self::named(&name.unwrap_or_default(), arguments) }
    }

    fn named(name: &str, arguments: &str) -> Self {
        let name = name[..name.floor_char_boundary(TOOL_NAME_BYTES_MAX)].trim();
        let tool = tool::of_claude_code(name).unwrap_or(name).to_owned();
        Self { tool, arguments: arguments.to_owned(), is_double: false }
    }
}
