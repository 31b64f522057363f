//! What the agent tells of a command in the background, when it is asked for its output.

use super::{Account, Task};
use crate::agents::import::item::CallResult;
use crate::agents::import::loose::Number;
use crate::parse::background::LEFT;

/// What such a command printed, as far as it was read, and how it ended.
#[derive(Debug, PartialEq)]
pub struct Read {
    /// `None`: it goes on, or was killed.
    pub exit_code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Read {
    /// Tells it as what the reading call printed.
    pub fn tell(self, result: &mut CallResult) {
        let stdout = match self.exit_code {
            Some(_) => self.stdout,
            // It has said nothing of how it ends.
            None => format!("{}\n{LEFT}?", self.stdout.trim_end()),
        };
        let filled = |it: String| Some(it.into_bytes()).filter(|it| !it.is_empty());
        (result.stdout, result.stderr) = (filled(stdout), filled(self.stderr));
        result.exit_code = self.exit_code;
    }
}

/// By the tool's own account where that says so, else by the text that its model is given.
pub fn read(text: &str, account: &Account<'_>) -> Option<Read> {
    of_account(account).or_else(|| of_text(text))
}

fn of_account(account: &Account<'_>) -> Option<Read> {
    if let Some(Task { task_type, output, exit_code }) = &account.task.0 {
        let is_command = task_type.as_deref() == Some("local_bash");
        let stdout = output.to_text().unwrap_or_default();
        return is_command.then_some(Read {
            exit_code: code(*exit_code),
            stdout,
            stderr: String::new(),
        });
    }
    let is_read = account.shell_id.0.is_some() && account.status.0.is_some();
    is_read.then(|| Read {
        exit_code: code(account.exit_code),
        stdout: account.stdout.to_text().unwrap_or_default(),
        stderr: account.stderr.to_text().unwrap_or_default(),
    })
}

fn code(told: Number) -> Option<i32> {
    told.0.map(|it| it as i32) // what is no code is cut to one
}

/// Tags, of which those behind the first output may be the command's own words.
fn of_text(text: &str) -> Option<Read> {
    let text = text.trim_start();
    if !text.starts_with("<status>") && !text.starts_with("<retrieval_status>") {
        return None;
    }
    let outputs = ["<output>", "<stdout>", "<stderr>"];
    let head = outputs.iter().filter_map(|it| text.find(it)).min().unwrap_or(text.len());
    let told = |tag: &str| {
        let (_, rest) = text[..head].split_once(&format!("<{tag}>"))?;
        rest.split_once(&format!("</{tag}>")).map(|it| it.0.trim())
    };
    let is_command = told("task_type").is_none_or(|it| it == "local_bash");
    told("status").filter(|_| is_command)?;
    let printed = |tag: &str| {
        let (_, rest) = text[head..].split_once(&format!("<{tag}>"))?;
        let (printed, _) = rest.rsplit_once(&format!("</{tag}>"))?;
        Some(printed.trim_start_matches('\n').to_owned())
    };
    Some(Read {
        exit_code: told("exit_code").and_then(|it| it.parse().ok()), // it goes on
        stdout: printed("output").or_else(|| printed("stdout")).unwrap_or_default(),
        stderr: printed("stderr").unwrap_or_default(),
    })
}
