//! One execution of the workload: its two events, and the same facts as spec 000's rows.

use annals::internal::event::{
    Body, CallKey, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionStarted, Json, Outcome, SessionId, Source,
};

use super::{Random, text};

/// The contract's tools, so that every trigger of the locked schema lets the rows through.
const TOOLS: [&str; 6] =
    ["file_read", "file_write", "file_search", "splice_patch", "lsp_check", "file_glob"];

/// One tool call with its result.
#[derive(Clone, Debug)]
pub struct Execution {
    pub id: ExecutionId,
    pub tool: &'static str,
    pub arguments: String,
    pub path: String,
    pub at_ms: u64,
    pub succeeded: bool,
    pub duration_ms: u64,
    pub error: Option<String>,
    pub stdout: Option<String>,
    pub diagnostics: Option<String>,
    session: SessionId,
    call: u64,
}

impl Execution {
    /// The `index`th of the workload; no other is needed to make it.
    pub(super) fn generate(seed: u64, index: u64) -> Self {
        let mut random = Random::new(seed ^ index.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let at_ms = 1_735_036_800_000 + index * 37;
        let mut entropy = [0; 10];
        entropy[..8].copy_from_slice(&random.next().to_le_bytes());
        let path = text::path(&mut random);
        let bytes = random.between(100, 600) as usize;
        let frame = format!("{{\"command\":\"\",\"file\":\"{path}\",\"limit\":{}}}", bytes * 7);
        let command =
            text::prose(&mut random, bytes.saturating_sub(frame.len())).replace('\n', " ");
        let arguments = frame.replacen("\"\"", &format!("\"{command}\""), 1);
        let succeeded = !random.percent(12);
        let stdout = random.percent(30).then(|| {
            let bytes = random.between(200, 8 << 10) as usize;
            text::prose(&mut random, bytes)
        });
        let diagnostics = random.percent(10).then(|| diagnostics(&mut random, &path));
        let mut session = [7; 16];
        session[..8].copy_from_slice(&(index / 400).to_le_bytes());
        Self {
            id: ExecutionId::v7(at_ms, &entropy),
            tool: random.pick(&TOOLS),
            arguments,
            path,
            at_ms,
            succeeded,
            duration_ms: random.between(1, 4_000),
            error: (!succeeded).then(|| "exit status 1".to_owned()),
            stdout,
            diagnostics,
            session: SessionId::derived(session),
            call: index,
        }
    }

    /// The call and its end, as the recorder would have them.
    pub fn events(&self) -> [Event; 2] {
        let envelope = |at_ms| Envelope::new(Some(self.session), Source::Live, at_ms);
        let started = ExecutionStarted {
            execution: self.id,
            tool: self.tool.to_owned(),
            native_tool: None,
            call: Some(CallKey {
                agent: "claude-code".into(),
                scope: None,
                call: format!("toolu_{:020}", self.call),
            }),
            actor: None,
            parent: None,
            arguments: Json(self.arguments.clone()),
            paths: vec![self.path.clone()],
            symbols: Vec::new(),
            cwd: None,
            branch: None,
        };
        let closing = Closing {
            outcome: if self.succeeded { Outcome::Ok } else { Outcome::Failed },
            exit_code: Some(i32::from(!self.succeeded)),
            duration_ms: Some(self.duration_ms),
            error: self.error.clone(),
            stdout: self.stdout.as_ref().map(|text| Content::Inline(text.clone().into_bytes())),
            stderr: None,
            diagnostics: self.diagnostics.clone().map(Json),
            paths: Vec::new(),
            symbols: Vec::new(),
            changed: Vec::new(),
        };
        let tool = self.tool.to_owned();
        let finished = ExecutionFinished { execution: self.id, tool, closing };
        [
            Event { envelope: envelope(self.at_ms), body: Body::ExecutionStarted(started) },
            Event { envelope: envelope(self.at_ms + 20), body: Body::ExecutionFinished(finished) },
        ]
    }
}

fn diagnostics(random: &mut Random, path: &str) -> String {
    let one = |random: &mut Random| {
        let (line, code) = (random.between(1, 900), random.between(1, 799));
        let message = text::prose(random, 60).replace('\n', " ");
        format!(
            "{{\"code\":\"E{code:04}\",\"file_name\":\"{path}\",\"level\":\"error\",\
             \"line_start\":{line},\"message\":\"{message}\"}}"
        )
    };
    let count = random.between(1, 3);
    let all: Vec<String> = (0..count).map(|_| one(random)).collect();
    format!("[{}]", all.join(","))
}
