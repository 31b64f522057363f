//! A session in which much happens: what a report of it must show is known here.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

/// What must nowhere be markup, drive a terminal, or turn the direction of a text.
pub const HOSTILE: &str = "<script>window.ran=1</script><img src=http://x.invalid/a onerror=ran=1>\"'`&amp;\u{202e}\u{1b}[31m";

pub struct Scene {
    pub project: Project,
}

/// A transcript as Claude Code writes it, told line by line.
#[derive(Default)]
struct Transcript {
    text: String,
    lines: u32,
}

impl Transcript {
    fn say(&mut self, role: &str, content: &Value) {
        self.lines += 1;
        let (minute, second) = (self.lines / 6, self.lines % 6 * 10);
        let mut message = json!({"role": role, "content": content});
        if role == "assistant" {
            message["id"] = json!(format!("m{}", self.lines));
            message["model"] = json!("claude-opus-4-5");
            message["usage"] = json!({"input_tokens": 1_000, "output_tokens": 100});
        }
        let line = json!({
            "type": role, "uuid": format!("00000000-0000-4000-8000-{:012}", self.lines),
            "sessionId": "33333333-2222-4333-8444-555555555555", "cwd": "/w/shop", "version": "2.0.1",
            "gitBranch": "main", "isSidechain": false, "userType": "external",
            "timestamp": format!("2026-03-02T10:{minute:02}:{second:02}.000Z"), "message": message,
        });
        writeln!(self.text, "{line}").expect("written");
    }

    fn prompt(&mut self, text: &str) {
        self.say("user", &json!(text));
    }

    fn answer(&mut self, text: &str) {
        self.say("assistant", &json!([{"type": "text", "text": text}]));
    }

    fn call(&mut self, tool: &str, input: &Value, result: &str, is_error: bool) {
        let id = format!("toolu_{}", self.lines);
        self.say(
            "assistant",
            &json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]),
        );
        let result = json!([{"type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": result}]);
        self.say("user", &result);
    }

    fn edit(&mut self, path: &str, old: &str, new: &str) {
        let input = json!({"file_path": path, "old_string": old, "new_string": new});
        self.call("Edit", &input, "The file has been updated.", false);
    }

    fn bash(&mut self, command: &str, printed: &str, is_error: bool) {
        self.call("Bash", &json!({"command": command}), printed, is_error);
    }
}

fn transcript() -> String {
    let mut told = Transcript::default();
    told.prompt("Round prices to the cent, and keep the tests green.");
    told.answer("I will look at the price first.");
    told.call("Read", &json!({"file_path": "/w/shop/src/price.rs"}), "1→let cents = 100;", false);
    told.edit("/w/shop/src/price.rs", "let cents = 100;", "let cents = rounded(price);");
    let failed = "Exit code 101\nerror[E0425]: cannot find function `rounded` in this scope\n --> src/price.rs:1:13\n\
                  error: could not compile `shop` (lib) due to 1 previous error";
    told.bash("cargo test 2>&1 | tail -20", failed, true);
    told.bash("cargo test", failed, true);
    told.edit("/w/shop/src/price.rs", "rounded(price)", "price.round()");
    told.bash(
        "cargo test",
        "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        false,
    );
    told.answer("Prices are rounded to the cent, and the tests pass.");
    told.prompt(HOSTILE);
    told.call(
        "Read",
        &json!({"file_path": format!("/w/shop/{HOSTILE}.rs")}),
        "File does not exist.",
        true,
    );
    told.bash(&format!("export KEY={}", crate::redaction::scanned::secret()), "", false);
    told.call(
        "Write",
        &json!({"file_path": "/w/shop/notes.md", "content": HOSTILE}),
        "File created successfully",
        false,
    );
    told.answer(&format!("Written: {HOSTILE}"));
    told.text
}

/// The session's id, in so many digits as name it.
pub const SESSION: &str = "33333333-2222-4333-8444-555555555555";

impl Scene {
    pub fn new() -> Self {
        let project = Project::new();
        let path = project.write("told/shop.jsonl", &transcript());
        project.annals(["import", "claude-code", &path.to_string_lossy()]).code(0);
        project.annals(["memory", "fork", "main"]).code(0);
        for value in ["whole cents", HOSTILE] {
            project.annals(["memory", "set", "main", "money", value]).code(0);
        }
        project.annals(["memory", "write", "main", "Rounding is half to even"]).code(0);
        let mut gate = project.command();
        gate.env("ANNALS_SESSION", "later").args([
            "gate",
            "check",
            "--tool",
            "file_edit",
            "--path",
            "src/a.rs",
        ]);
        Ran::of(&mut gate).code(1);
        project.annals(["key", "new"]).code(0);
        project.annals(["checkpoint"]).code(0);
        Self { project }
    }

    pub fn page(&self, words: &[&str]) -> String {
        let words = ["report", "-o", "-"].iter().chain(words);
        self.project.annals(words).code(0).out()
    }

    pub fn json(&self, words: &[&str]) -> Value {
        let words = ["report", "--json"].iter().chain(words);
        self.project.annals(words).code(0).json()
    }
}
