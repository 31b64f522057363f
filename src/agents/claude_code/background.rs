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

/// The same of the result of a call that is known to read, where that text stands in its account as what it printed.
pub fn read_printed(result: &mut CallResult) {
    let printed = result.stdout.as_deref().and_then(|it| std::str::from_utf8(it).ok()); // no text of ours
    // What was read already may begin as this text does.
    let is_read = |it: &&str| result.exit_code.is_some() || it.contains(LEFT);
    if let Some(read) = printed.filter(|it| !is_read(it)).and_then(of_text) {
        read.tell(result);
    }
}

/// The id of a command that goes on, as the account of the call tells that began it.
pub fn left<'a>(account: &'a Account<'_>) -> Option<&'a str> {
    let shell = account.shell_id.as_deref().filter(|_| account.status.0.is_none());
    account.background_task_id.as_deref().or(shell)
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
    let status = account.status.as_deref()?;
    let has_printed = account.stdout.0.is_some() || account.stderr.0.is_some();
    let is_read = account.shell_id.0.is_some() || has_printed;
    is_read.then(|| Read {
        exit_code: code(account.exit_code).or(failed(status)),
        stdout: account.stdout.to_text().unwrap_or_default(),
        stderr: account.stderr.to_text().unwrap_or_default(),
    })
}

/// What stands for the code of a command that is said to have failed.
fn failed(status: &str) -> Option<i32> {
    (status == "failed").then_some(1)
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
    let status = told("status").filter(|_| is_command)?;
    let printed = |tag: &str| {
        let (_, rest) = text[head..].split_once(&format!("<{tag}>"))?;
        let (printed, _) = rest.rsplit_once(&format!("</{tag}>"))?;
        Some(printed.trim_start_matches('\n').to_owned())
    };
    Some(Read {
        // Without either it goes on, or was killed.
        exit_code: told("exit_code").and_then(|it| it.parse().ok()).or(failed(status)),
        stdout: printed("output").or_else(|| printed("stdout")).unwrap_or_default(),
        stderr: printed("stderr").unwrap_or_default(),
    })
}
