//! A step of a trajectory: what was said, what was run, what that printed.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Trajectory;
use crate::agents::import::item::{Call, CallResult, Message, Part};
use crate::agents::import::loose::{Number, Text, object, parsed};
use crate::agents::import::told;
use crate::agents::import::whole::Member;
use crate::event::tool;

/// What is known from one step to the next.
#[derive(Debug, Default)]
pub struct Steps {
    count: u64,
    /// Where the next command runs.
    folder: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Step<'a> {
    #[serde(borrow)]
    action: Text<'a>,
    observation: Option<&'a RawValue>,
    response: Text<'a>,
    thought: Text<'a>,
    execution_time: Number,
    state: Option<&'a RawValue>,
}

/// How things are behind a step; older versions write it as a text of JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct State<'a> {
    #[serde(borrow)]
    open_file: Text<'a>,
    working_dir: Text<'a>,
}

pub fn read(trajectory: &mut Trajectory, member: &Member<'_>) -> Option<Vec<Part>> {
    let step: Step<'_> = parsed(member.bytes).filter(|_| member.bytes.first() == Some(&b'{'))?;
    let steps = &mut trajectory.steps;
    steps.count += 1;
    let name = format!("step {}", steps.count);
    let state = step.state.map(RawValue::get).unwrap_or_default();
    let text = parsed::<String>(state.as_bytes());
    let state: State<'_> = object(text.as_deref().unwrap_or(state).as_bytes());
    let mut parts = Vec::new();
    let said = step.response.to_text().or_else(|| step.thought.to_text());
    parts.extend(said.map(|text| self::said(&trajectory.session, &name, text)));
    if let Some(action) = step.action.to_text() {
        let scope = Some(trajectory.session.clone());
        let open = state.open_file.to_text().filter(|path| path != "n/a");
        let mut call = call(name.clone(), scope.clone(), action.trim(), open);
        call.cwd = steps.folder.clone();
        let printed = told::text_of(step.observation);
        let duration_ms = step.execution_time.to_ms(1000.0);
        let result = CallResult { duration_ms, ..ended(name, scope, printed) };
        parts.extend([Part::Call(call), Part::Result(result)]);
        parts.extend(told::textless(step.observation));
    } else if step.action.0.is_none() {
        parts.push(Part::unread("a step whose action is no text"));
    }
    if let Some(folder) = state.working_dir.to_text() {
        steps.folder = Some(folder);
    }
    Some(parts)
}

pub fn said(session: &str, name: &str, text: String) -> Part {
    let id = Some(format!("{session}#{name}"));
    Part::Said(Box::new(Message { id, text, ..Message::default() }))
}

/// What is printed where an edit would leave a file that does not parse, and is taken back.
const TAKEN_BACK: &str = "Your changes have NOT been applied";

pub fn ended(id: String, scope: Option<String>, printed: Option<String>) -> CallResult {
    let is_error = printed.as_deref().is_some_and(|text| text.contains(TAKEN_BACK));
    told::result(id, scope, None, is_error, printed)
}

/// A command line as a call: of its own commands the tool that they are, else of the shell.
pub fn call(id: String, scope: Option<String>, action: &str, open_file: Option<String>) -> Call {
    let (word, rest) = action.split_once(char::is_whitespace).unwrap_or((action, ""));
    let arguments = serde_json::json!({ "command": action }).to_string();
    let named = || named_file(rest);
    let (tool, path) = match word {
        "create" => ("file_create", named()),
        "edit" | "insert" | "append" => ("file_edit", open_file),
        "open" | "goto" | "scroll_up" | "scroll_down" => {
            ("file_read", named().filter(|_| word == "open").or(open_file))
        }
        "search_dir" | "search_file" => ("file_search", None),
        "find_file" => ("file_glob", None),
        "str_replace_editor" => {
            let mut words = rest.split_whitespace();
            let (command, path) = (words.next(), words.next());
            let tool = match command {
                Some("view") => "file_read",
                Some("create") => "file_create",
                _ => "file_edit",
            };
            (tool, path.and_then(named_file))
        }
        "submit" | "exit_cost" | "exit_context" | "exit_forfeit" => (word, None),
        _ => ("bash_exec", None),
    };
    let native_tool = if tool == "bash_exec" { "bash" } else { word };
    let mut call = told::call(id, scope, native_tool, arguments);
    call.tool = tool.to_owned();
    call.changes = match tool::is_mutation(tool) {
        true => path.iter().map(|path| told::changed(path, tool == "file_create")).collect(),
        false => Vec::new(),
    };
    call.paths = path.into_iter().collect();
    call
}

/// The first word behind a command, without its quotes.
fn named_file(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let word = match quote {
        Some(quote) => rest[1..].split(quote).next(),
        None => rest.split_whitespace().next(),
    };
    word.filter(|word| !word.is_empty()).map(str::to_owned)
}
