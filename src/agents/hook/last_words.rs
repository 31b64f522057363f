//! What an agent said last, from its transcript: for one whose hook does not tell it.

use std::io::BufRead;
use std::path::PathBuf;

use serde_json::Value;

use super::{Firing, tail};

/// The last message of the turn; `None` where it cannot be read or nothing was said.
pub fn of(firing: &Firing<'_>) -> Option<String> {
    let path = firing.input.transcript_path.to_text().map(PathBuf::from);
    path.filter(|path| path.is_file()).and_then(tail::end_of).and_then(last)
}

enum Turn {
    Begins,
    Says(String),
}

fn last(reader: impl BufRead) -> Option<String> {
    let mut last = None;
    // What cannot be read has nothing to tell.
    for line in reader.split(b'\n').map_while(Result::ok) {
        match serde_json::from_slice(&line).ok().as_ref().and_then(turn) {
            Some(Turn::Begins) => last = None,
            Some(Turn::Says(text)) => last = Some(text),
            None => {}
        }
    }
    last
}

/// What a line of either agent's transcript says of the turn.
fn turn(line: &Value) -> Option<Turn> {
    if line["isSidechain"] == true {
        return None;
    }
    let says = |text: &Value| text.as_str().map(|text| Turn::Says(text.to_owned()));
    let content = &line["message"]["content"];
    let payload = &line["payload"];
    match (line["type"].as_str()?, payload["type"].as_str()) {
        ("event_msg", Some("agent_message")) => says(&payload["message"]),
        ("event_msg", Some("user_message")) => Some(Turn::Begins),
        ("assistant", _) => {
            let blocks = content.as_array()?.iter();
            let text: Vec<_> = blocks.filter_map(|block| block["text"].as_str()).collect();
            (!text.is_empty()).then(|| Turn::Says(text.join("\n")))
        }
        // Results of calls come under the same name as prompts.
        ("user", _) => {
            let result = |block: &Value| block["type"] == "tool_result";
            let results = content.as_array().is_some_and(|blocks| blocks.iter().any(result));
            (!results).then_some(Turn::Begins)
        }
        _ => None,
    }
}
