//! What an agent is about to do.

use std::path::Path;

use super::QueryError;
use crate::event::Json;
use crate::event::target::{CallDigest, Target, arguments_digest};

/// What an agent is about to do, to be compared with what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The contract's name of the tool, or the agent's.
    pub tool: String,
    /// What it is about: a command, a path, a symbol.
    pub target: Option<String>,
    /// Its canonical arguments, a JSON object.
    pub arguments: Option<Json>,
}

/// The arguments that name what a call is about, where nobody told its paths.
const PATH_ARGUMENTS: [&str; 5] = ["file_path", "notebook_path", "path", "file", "symbol"];

impl Action {
    /// A call of a tool on a target, whatever its other arguments.
    pub fn on(tool: impl Into<String>, target: impl Into<String>) -> Self {
        Self { tool: tool.into(), target: Some(target.into()), arguments: None }
    }

    /// A call of a tool with these arguments, a JSON object.
    pub fn with(tool: impl Into<String>, arguments: &str) -> Result<Self, QueryError> {
        let arguments = Json::canonical("arguments", arguments)
            .map_err(|source| QueryError::Arguments { source })?;
        if !arguments.is_object() {
            let text = arguments.0.chars().take(80).collect();
            return Err(QueryError::NoObject { text });
        }
        Ok(Self { tool: tool.into(), target: None, arguments: Some(arguments) })
    }

    /// The digest of its arguments.
    pub(crate) fn arguments_digest(&self) -> Option<CallDigest> {
        self.arguments.as_ref().map(|json| arguments_digest(&json.0))
    }

    /// The keys that executions on the same target may have.
    pub(crate) fn target_keys(&self) -> Vec<CallDigest> {
        let mut keys = Vec::new();
        if let Some(target) = &self.target {
            keys.push(Target::of_command(target.clone()).key());
            keys.push(Target::of_path(target.clone()).key());
        } else if let Some(arguments) = &self.arguments {
            // As a recorder may have had it: with the paths that the arguments name, or without.
            for paths in [named(&arguments.0), Vec::new()] {
                let target = Target::of(&arguments.0, &paths, &[]);
                let key = target.map(|target| target.key());
                keys.push(key.unwrap_or_else(|| arguments_digest(&arguments.0)));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// What it is about, in a few words.
    pub fn shown(&self) -> String {
        let of_arguments = |json: &Json| {
            Target::of(&json.0, &named(&json.0), &[]).map_or(json.0.clone(), |target| target.shown)
        };
        let told = self.target.clone();
        told.or_else(|| self.arguments.as_ref().map(of_arguments)).unwrap_or_default()
    }

    /// The same action with its target as it is named from a project's folder.
    #[must_use]
    pub fn seen_from(mut self, root: &Path) -> Self {
        if let Some(target) = &mut self.target
            && let Ok(inside) = Path::new(target.as_str()).strip_prefix(root)
        {
            *target = inside.to_string_lossy().into_owned();
        }
        self
    }
}

/// The paths and symbols in arguments.
fn named(arguments: &str) -> Vec<String> {
    let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(arguments) else {
        return Vec::new();
    };
    let text = |name: &&str| fields.get(*name).and_then(|value| value.as_str()).map(str::to_owned);
    PATH_ARGUMENTS.iter().filter_map(text).collect()
}
