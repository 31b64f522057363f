//! Commands that go on in the background: the calls that read what they print are their checks.

use serde_json::Value;

use super::item::Call;

/// Tools that read what such a command printed, and how they name it.
const READERS: [&str; 2] = ["BashOutput", "TaskOutput"];
const IDS: [&str; 3] = ["task_id", "bash_id", "shell_id"];

impl Call {
    /// Whether it reads what a command in the background printed.
    pub fn is_reader(&self) -> bool {
        READERS.contains(&self.native_tool.as_str())
    }

    /// The id of the command in the background whose output it reads.
    pub fn reads(&self) -> Option<String> {
        let arguments = || serde_json::from_str::<Value>(&self.arguments).ok(); // names none
        let arguments = self.is_reader().then(arguments)??;
        let id = IDS.iter().find_map(|it| arguments[*it].as_str())?;
        arguments["command"].is_null().then(|| id.to_owned())
    }

    /// Adds to its arguments the command that it reads the output of, and where that runs: what it
    /// prints is told by it. Of what only some lines are asked for, those are searched.
    pub fn add_command(&mut self, command: &str, cwd: Option<&str>) {
        let Ok(Value::Object(mut arguments)) = serde_json::from_str(&self.arguments) else {
            return;
        };
        let filter = arguments.get("filter").and_then(Value::as_str).filter(|it| !it.is_empty());
        let command = match filter {
            Some(filter) => format!("{command} | grep -E '{}'", filter.replace('\'', "'\\''")),
            None => command.to_owned(),
        };
        arguments.insert("command".to_owned(), command.into());
        self.arguments = Value::Object(arguments).to_string();
        self.cwd = self.cwd.take().or_else(|| cwd.map(str::to_owned));
    }
}
