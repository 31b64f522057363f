//! Executions as questions meet them in their millions: lean, and tied to files, symbols and
//! diagnostics. 1.3 edges of the graph an execution.

use annals::internal::event::{
    Body, Change, Closing, Envelope, Event, ExecutionFinished, ExecutionId, ExecutionStarted, Json,
    Outcome, SessionId, Source,
};

use super::{Random, text};

/// The file that one execution in fifty is about, and the symbol of one patch in fifty.
pub const HOT_PATH: &str = "src/lib.rs";
pub const HOT_SYMBOL: &str = "checkout";
/// The code of one diagnostic in twenty.
pub const HOT_CODE: &str = "E0425";
/// The working folder of all.
pub const CWD: &str = "/work/repo";

/// One tool call with its result, and what it is tied to.
#[derive(Clone, Debug)]
pub struct Linked {
    pub id: ExecutionId,
    pub tool: &'static str,
    pub path: String,
    pub symbol: Option<String>,
    pub at_ms: u64,
    pub succeeded: bool,
    pub changed: bool,
    /// Code and line.
    pub diagnostics: Vec<(String, u64)>,
    session: SessionId,
}

impl Linked {
    /// The `index`th of the workload; no other is needed to make it.
    pub fn generate(seed: u64, index: u64) -> Self {
        let mut random = Random::new(seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let at_ms = 1_735_036_800_000 + index * 37;
        let mut entropy = [0; 10];
        entropy[..8].copy_from_slice(&random.next().to_le_bytes());
        let tool = match random.between(0, 99) {
            0..25 => "file_read",
            25..47 => "splice_patch",
            47..57 => "symbols_in_file",
            57..77 => "lsp_check",
            _ => "bash_exec",
        };
        let hot = random.percent(2);
        let path = if hot { HOT_PATH.to_owned() } else { text::path(&mut random) };
        let symbol = matches!(tool, "splice_patch" | "symbols_in_file").then(|| match hot {
            true => HOT_SYMBOL.to_owned(),
            false => format!("symbol_{}", random.between(0, 2_000)),
        });
        let mut diagnostics = Vec::new();
        if tool == "lsp_check" && random.percent(40) {
            for _ in 0..random.between(1, 2) {
                let code = match random.percent(5) {
                    true => HOT_CODE.to_owned(),
                    false => format!("E{:04}", random.between(1, 40)),
                };
                diagnostics.push((code, random.between(1, 30)));
            }
        }
        let succeeded = diagnostics.is_empty() && !random.percent(12);
        let mut session = [9; 16];
        session[..8].copy_from_slice(&(index / 400).to_le_bytes());
        Self {
            id: ExecutionId::v7(at_ms, &entropy),
            tool,
            path,
            symbol,
            at_ms,
            succeeded,
            changed: tool == "splice_patch" && succeeded,
            diagnostics,
            session: SessionId::derived(session),
        }
    }

    /// Spec 000's diagnostics artifact.
    pub fn diagnostics_json(&self) -> Option<String> {
        let path = &self.path;
        let one = |(code, line): &(String, u64)| {
            format!(
                "{{\"code\":\"{code}\",\"file_name\":\"{path}\",\"level\":\"error\",\
                 \"line_start\":{line},\"message\":\"cannot find value `x{line}` in this scope\"}}"
            )
        };
        let all: Vec<String> = self.diagnostics.iter().map(one).collect();
        (!all.is_empty()).then(|| format!("[{}]", all.join(",")))
    }

    /// The call's arguments.
    pub fn arguments(&self) -> String {
        let path = &self.path;
        match (&self.symbol, self.tool) {
            (Some(symbol), _) => format!("{{\"file\":\"{path}\",\"symbol\":\"{symbol}\"}}"),
            (None, "bash_exec") => format!("{{\"command\":\"wc -l {path}\"}}"),
            (None, _) => format!("{{\"path\":\"{path}\"}}"),
        }
    }

    /// The call and its end, as the recorder would have them.
    pub fn events(&self) -> [Event; 2] {
        let envelope = |at_ms| Envelope::new(Some(self.session), Source::Live, at_ms);
        let paths = match self.tool {
            "bash_exec" => Vec::new(),
            _ => vec![self.path.clone()],
        };
        let started = ExecutionStarted {
            execution: self.id,
            tool: self.tool.to_owned(),
            native_tool: None,
            call: None,
            actor: None,
            parent: None,
            arguments: Json(self.arguments()),
            paths,
            symbols: self.symbol.iter().cloned().collect(),
            cwd: Some(CWD.to_owned()),
            branch: None,
        };
        let change = || Change { path: self.path.clone(), created: false };
        let closing = Closing {
            outcome: if self.succeeded { Outcome::Ok } else { Outcome::Failed },
            exit_code: Some(i32::from(!self.succeeded)),
            duration_ms: Some(20),
            error: (!self.succeeded).then(|| "exit status 1".to_owned()),
            stdout: None,
            stderr: None,
            diagnostics: self.diagnostics_json().map(Json),
            paths: Vec::new(),
            symbols: Vec::new(),
            changed: self.changed.then(change).into_iter().collect(),
        };
        let tool = self.tool.to_owned();
        let finished = ExecutionFinished { execution: self.id, tool, closing };
        [
            Event { envelope: envelope(self.at_ms), body: Body::ExecutionStarted(started) },
            Event { envelope: envelope(self.at_ms + 20), body: Body::ExecutionFinished(finished) },
        ]
    }
}
