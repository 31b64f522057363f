//! What the text of an output says before the output itself.

use serde::Deserialize;

use crate::agents::import::loose::{Loose, Number, Text, parsed};

/// An output's text, taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    /// The process still runs, and later calls ask for it by this.
    pub running: Option<String>,
    /// A script of the agent's own said that it failed.
    pub script_failed: bool,
    pub body: String,
}

/// The form with its numbers beside the text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Numbered<'a> {
    #[serde(borrow)]
    output: Text<'a>,
    metadata: Loose<Metadata>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    exit_code: Number,
    duration_seconds: Number,
}

/// Takes an output's text apart: a JSON object with its numbers beside the text, or lines that end
/// with `Output:`, or the bare text.
pub fn output(text: String) -> Output {
    if text.starts_with('{')
        && let Some(Numbered { output, metadata: Loose(Some(metadata)) }) = parsed(text.as_bytes())
        && output.0.is_some()
    {
        return Output {
            exit_code: whole(metadata.exit_code),
            duration_ms: metadata.duration_seconds.to_ms(1000.0),
            body: output.0.unwrap_or_default().into_owned(),
            ..Output::default()
        };
    }
    let mut found = Output::default();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim_end_matches('\r');
        if line == "Output:" && rest.len() < text.len() {
            rest = after;
            break;
        }
        if !found.header(line) {
            break;
        }
        rest = after;
    }
    found.body = rest.to_owned();
    found
}

impl Output {
    /// Takes a line that says something of the output; `false` where it is none.
    fn header(&mut self, line: &str) -> bool {
        const SAYS_NOTHING: &[&str] = &[
            "Command: ",
            "Chunk ID: ",
            "Total output lines: ",
            "Original token count: ",
            "Script completed",
            "Script running with ",
        ];
        if let Some(code) = line.strip_prefix("Exit code: ") {
            self.exit_code = code.parse().ok(); // what is no number says nothing
            return self.exit_code.is_some();
        }
        if let Some(code) = line.strip_prefix("Process exited with code ") {
            self.exit_code = code.trim_end_matches('.').parse().ok(); // as above
            return self.exit_code.is_some();
        }
        if let Some(id) = line.strip_prefix("Process running with session ID ") {
            self.running = Some(id.to_owned());
            return true;
        }
        if let Some(time) = line.strip_prefix("Wall time") {
            let time = time.trim_start_matches(':').trim();
            let seconds = time.strip_suffix("seconds").and_then(|time| time.trim().parse().ok());
            self.duration_ms = Number(seconds).to_ms(1000.0);
            return self.duration_ms.is_some();
        }
        if line == "Script failed" {
            self.script_failed = true;
            return true;
        }
        SAYS_NOTHING.iter().any(|beginning| line.starts_with(beginning))
    }
}

/// A number that is a whole one of an exit code's size.
pub fn whole(number: Number) -> Option<i32> {
    let value = number.0?;
    let fits = value.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
    fits.then_some(value as i32)
}
