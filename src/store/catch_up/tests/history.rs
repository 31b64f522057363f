//! Generated histories: small sets of ids, calls and tools, so that everything collides.

use proptest::prelude::*;

use super::grounding::any_grounding;
use super::of_repo::any_of_repo;
use super::remembered::any_remembered;
use crate::event::{
    AssistantSaid, Body, CallKey, Change, CheckAspect, CheckList, CheckStanding, ChecksDeclared,
    Closing, Content, DeclaredCheck, DeclaredMatcher, Envelope, Event, ExecutionCorrected,
    ExecutionFinished, ExecutionId, ExecutionInterrupted, ExecutionStarted, Json, ModelChanged,
    Outcome, PromptSubmitted, SessionEnded, SessionId, SessionStarted, Source, ToolsDeclared,
    TranscriptFlaw, TranscriptFlawed, Usage,
};
use crate::store::feed::memory::MemoryFeed;

/// 2025-12-24, in the contract's bounds.
pub const NOW_MS: u64 = 1_766_534_400_000;

const TOOLS: [&str; 6] =
    ["file_read", "lsp_check", "bash_exec", "file_edit", "not_declared", "it's; odd"];

/// Two of nothing that is known, and checks that end each other's failures, or one of them.
const COMMANDS: [&str; 5] =
    ["step 0", "cargo check", "step 1", "cargo check -q 2>&1 | tail -3", "cd src && cargo test"];

pub fn execution_id(number: u8) -> ExecutionId {
    ExecutionId::v7(NOW_MS, &[number; 10])
}

pub fn session_id(number: u8) -> SessionId {
    SessionId::derived([number; 16])
}

pub fn event(at_ms: u64, session: Option<u8>, body: Body) -> Event {
    Event { envelope: Envelope::new(session.map(session_id), Source::Import, at_ms), body }
}

pub fn started(number: u8, tool: &str, call: Option<u8>) -> ExecutionStarted {
    ExecutionStarted {
        execution: execution_id(number),
        tool: tool.to_owned(),
        native_tool: Some("Native".to_owned()),
        call: call.map(|call| CallKey {
            agent: "claude-code".to_owned(),
            scope: None,
            call: format!("toolu_{call}"),
        }),
        actor: None,
        parent: None,
        arguments: Json(format!(r#"{{"command":"step {number}"}}"#)),
        paths: vec![format!("src/file{}.rs", number % 3)],
        symbols: Vec::new(),
        cwd: Some("/home/me/project".to_owned()),
        branch: None,
    }
}

pub fn closing(outcome: Outcome) -> Closing {
    Closing {
        outcome,
        exit_code: Some(i32::from(outcome != Outcome::Ok)),
        duration_ms: Some(12),
        error: (outcome != Outcome::Ok).then(|| "it went wrong".to_owned()),
        stdout: Some(Content::Inline(b"out \xff put".to_vec())),
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}

pub fn finished(number: u8, tool: &str, outcome: Outcome) -> Body {
    Body::ExecutionFinished(ExecutionFinished {
        execution: execution_id(number),
        tool: tool.to_owned(),
        closing: closing(outcome),
    })
}

pub fn corrected(number: u8, corrects: u8, tool: &str, outcome: Outcome) -> Body {
    Body::ExecutionCorrected(ExecutionCorrected {
        execution: execution_id(number),
        corrects: execution_id(corrects),
        tool: tool.to_owned(),
        reason: "the result arrived later".to_owned(),
        closing: closing(outcome),
    })
}

pub fn interrupted(number: u8, tool: &str) -> Body {
    Body::ExecutionInterrupted(ExecutionInterrupted {
        execution: execution_id(number),
        tool: tool.to_owned(),
        reason: "its owner is gone".to_owned(),
    })
}

pub fn declared(tools: &[&str]) -> Body {
    let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
    Body::ToolsDeclared(ToolsDeclared { tools, by: "a test".to_owned() })
}

/// Checks of the project's own; every history's command may be one of them.
pub fn declared_checks(commands: &[&str]) -> Body {
    let check = |command: &&str| DeclaredCheck {
        command: (*command).to_owned(),
        kind: CheckAspect::Build,
        found_in: "Makefile".to_owned(),
        runs: None,
        standing: CheckStanding::InForce,
    };
    let checks = commands.iter().map(check).collect();
    let matcher = DeclaredMatcher {
        name: "odd".to_owned(),
        programs: Vec::new(),
        found_in: DeclaredCheck::USER.to_owned(),
        level: None,
        lines: vec!["^odd (?<file>[^:]+):(?<line>[0-9]+) (?<message>.*)$".to_owned()],
        repeat: false,
    };
    let list = CheckList { checks, matchers: vec![matcher] };
    Body::ChecksDeclared(ChecksDeclared { list, by: "a test".to_owned() })
}

fn any_tool() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&TOOLS[..])
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    use crate::event::Outcome::{Failed, Interrupted, Ok, Refused};
    prop::sample::select(&[Ok, Failed, Refused, Interrupted][..])
}

fn any_content() -> impl Strategy<Value = Option<Content>> {
    prop_oneof![
        Just(None),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(|bytes| Some(Content::Inline(bytes))),
        (0..3_u8, 0..3_u8).prop_map(|(code, line)| Some(Content::Inline(
            format!("error[E042{code}]: no\n --> src/file1.rs:{line}:1\n").into_bytes()
        ))),
        (0..3_u8).prop_map(|line| Some(Content::Inline(
            format!("odd src/file2.rs:{line} out of place\n").into_bytes()
        ))),
        Just(Some(Content::Blob { hash: [7; 32], len: 300_000 })),
        Just(Some(Content::Truncated { head: vec![b'h'], tail: vec![b't'], len: 1 << 30 })),
    ]
}

fn any_json() -> impl Strategy<Value = Option<Json>> {
    let diagnostic = r#"[{"level":"error","message":"cannot find value `x`","file_name":"src/lib.rs",
        "line_start":3,"code":"E0425"}]"#;
    let texts = [diagnostic, "[]", "{}", "[", "not json", "[\"\\u0000\"]"];
    prop::option::of(prop::sample::select(texts.map(|text| Json(text.to_owned())).to_vec()))
}

fn any_closing() -> impl Strategy<Value = Closing> {
    (any_outcome(), any_content(), any_content(), any_json(), 0..3_u8).prop_map(
        |(outcome, stdout, stderr, diagnostics, file)| Closing {
            stdout,
            stderr,
            diagnostics,
            symbols: vec![format!("symbol{file}")],
            error: (file > 0).then(|| "wrong\0 twice".to_owned()),
            changed: vec![Change { path: format!("src/file{file}.rs"), created: file == 1 }],
            ..closing(outcome)
        },
    )
}

fn any_body() -> impl Strategy<Value = Body> {
    let ids = || 0..10_u8;
    prop_oneof![
        6 => (ids(), any_tool(), prop::option::of(0..8_u8), any_json()).prop_map(
            |(id, tool, call, json)| {
                let mut start = started(id, tool, call);
                start.symbols = vec![format!("symbol{}", id % 2)];
                let command = COMMANDS[usize::from(id) % COMMANDS.len()];
                start.arguments = Json(format!(r#"{{"command":"{command}"}}"#));
                if let Some(json) = json.filter(|_| id > 7) {
                    start.arguments = json;
                }
                Body::ExecutionStarted(start)
            }
        ),
        6 => (ids(), any_tool(), any_closing()).prop_map(|(id, tool, closing)| {
            let (execution, tool) = (execution_id(id), tool.to_owned());
            Body::ExecutionFinished(ExecutionFinished { execution, tool, closing })
        }),
        1 => (ids(), any_tool()).prop_map(|(id, tool)| interrupted(id, tool)),
        2 => (ids(), ids(), any_tool(), any_outcome())
            .prop_map(|(id, old, tool, outcome)| corrected(id, old, tool, outcome)),
        1 => prop::collection::vec(any_tool(), 1..3).prop_map(|tools| declared(&tools)),
        1 => prop::sample::subsequence(&["step 0", "step", "echo", "step 1"][..], 0..3)
            .prop_map(|commands| declared_checks(&commands)),
        1 => any_content().prop_map(|text| Body::PromptSubmitted(PromptSubmitted {
            text: text.unwrap_or(Content::Inline(Vec::new())),
            native_id: None,
            actor: None,
            attachments: Vec::new(),
        })),
        2 => (0..3_u8, any_content(), any::<Option<u8>>()).prop_map(|(id, text, output)| {
            // Of a message that is told again the last counts.
            Body::AssistantSaid(AssistantSaid {
                native_id: format!("msg_{id}"),
                text: text.unwrap_or_default(),
                usage: Usage { output: output.map(u64::from), ..Usage::default() },
                ..AssistantSaid::default()
            })
        }),
        1 => (0..2_u8).prop_map(|id| Body::ModelChanged(ModelChanged {
            native_id: format!("msg_{id}"),
            from: None,
            to: "model".to_owned(),
        })),
        1 => (0..3_u8, prop::option::of("[a-z]{1,4}")).prop_map(|(agent, title)| {
            Body::SessionStarted(SessionStarted {
                agent: format!("agent{agent}"),
                native_id: "native".to_owned(),
                agent_version: None,
                model: title.clone(),
                parent: None,
                cwd: None,
                branch: None,
                title,
            })
        }),
        3 => any_grounding(),
        6 => any_remembered(),
        3 => any_of_repo(),
        1 => Just(Body::SessionEnded(SessionEnded { reason: "done".to_owned() })),
        1 => (0..2_u64).prop_map(|line| Body::TranscriptFlawed(TranscriptFlawed {
            agent: "claude-code".to_owned(),
            file: "a.jsonl".to_owned(),
            line,
            flaw: TranscriptFlaw::Unreadable,
            detail: "cut off".to_owned(),
        })),
    ]
}

/// Times in the contract's bounds, and the ones its clock trigger would refuse.
fn any_time() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => (0..1_000_u64).prop_map(|step| NOW_MS + step),
        1 => prop::sample::select(&[0, 1, 1_577_836_799_999, 4_102_444_800_000, u64::MAX][..]),
    ]
}

/// A history of commits of one to five events.
pub fn any_history() -> impl Strategy<Value = MemoryFeed> {
    any_commits().prop_map(fed)
}

/// One whose commands check nothing: what ends a failure is the same call alone, as a naive fold has it.
pub fn any_history_without_checks() -> impl Strategy<Value = MemoryFeed> {
    any_commits().prop_map(|mut commits| {
        for event in commits.iter_mut().flatten() {
            if let Body::ExecutionStarted(start) = &mut event.body {
                start.arguments = Json(start.arguments.0.replace("cargo", "step"));
            }
        }
        fed(commits)
    })
}

fn any_commits() -> impl Strategy<Value = Vec<Vec<Event>>> {
    let event = (any_time(), prop::option::of(0..3_u8), any_body())
        .prop_map(|(at_ms, session, body)| event(at_ms, session, body));
    prop::collection::vec(prop::collection::vec(event, 1..6), 1..25)
}

fn fed(commits: Vec<Vec<Event>>) -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    commits.into_iter().for_each(|commit| feed.commit(commit));
    feed
}
