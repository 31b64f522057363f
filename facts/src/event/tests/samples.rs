//! One event of every kind, each field filled. Free texts begin with `free:`, so that a test can
//! tell whether a visitor saw them all.

use super::debug_samples::debug_bodies;
use super::journal_samples::journal_facts;
use super::memory_samples::memory_bodies;
use super::phase_samples::phase_bodies;
use super::repo_samples::repo_bodies;
use super::said_bodies::{attachment, said_bodies};
use crate::event::*;

pub(super) const EXECUTION: ExecutionId =
    ExecutionId([1, 0x93, 0xf7, 0x6d, 0x80, 0, 0x70, 1, 0x80, 2, 3, 4, 5, 6, 7, 8]);
const SESSION: SessionId =
    SessionId([10, 0x1b, 0x2c, 0x3d, 0x4e, 0x5f, 0x4a, 0x6b, 0x8c, 1, 2, 3, 4, 5, 6, 7]);

/// One event of every kind, in the order of [`Kind::ALL`].
pub(super) fn samples() -> Vec<Event> {
    let bodies =
        journal_facts().into_iter().chain(bodies()).chain(debug_bodies()).chain(memory_bodies());
    let bodies = bodies.chain(phase_bodies()).chain(repo_bodies());
    bodies.map(|body| Event { envelope: envelope(), body }).collect()
}

fn envelope() -> Envelope {
    Envelope {
        session: Some(SESSION),
        source: Source::Hook,
        at_ms: 1_735_689_600_123,
        raw_at_ms: Some(1_735_689_600_000),
        redactions: vec![Redaction { rule: "environment".into(), count: 2 }],
        redactor_version: 1,
    }
}

pub(super) fn free(text: &str) -> String {
    format!("free:{text}")
}

pub(super) fn some(text: &str) -> Option<String> {
    Some(free(text))
}

fn closing() -> Closing {
    Closing {
        outcome: Outcome::Failed,
        exit_code: Some(-2),
        duration_ms: Some(1234),
        error: some("error"),
        stdout: Some(Content::Inline(free("stdout").into_bytes())),
        stderr: Some(Content::Truncated {
            head: free("head").into_bytes(),
            tail: free("tail").into_bytes(),
            len: 1 << 33,
        }),
        diagnostics: Some(Json("[\"free:diagnostics\"]".into())),
        paths: vec![free("path")],
        symbols: vec![free("symbol")],
        changed: vec![Change { path: free("changed"), created: true }],
    }
}

fn bodies() -> Vec<Body> {
    vec![
        Body::SessionStarted(SessionStarted {
            agent: "agent".into(),
            native_id: "native".into(),
            agent_version: Some("2.1".into()),
            model: some("model"),
            parent: Some(SESSION),
            cwd: some("cwd"),
            branch: some("branch"),
            title: some("title"),
        }),
        Body::PromptSubmitted(PromptSubmitted {
            text: Content::Inline(free("prompt").into_bytes()),
            native_id: Some("native".into()),
            actor: some("actor"),
            attachments: vec![attachment()],
        }),
        Body::SessionEnded(SessionEnded { reason: free("reason") }),
        Body::TimelineCheckpoint(TimelineCheckpoint {
            through_sequence: 65_536,
            total_executions: 250,
            current_step: 4_294_967_296,
        }),
        Body::ContextInjected(ContextInjected {
            what: free("what"),
            chars: 65_535,
            digest: [0xef; 32],
            text: Content::Inline(free("given").into_bytes()),
            files: vec![free("file")],
        }),
        Body::HookRan(HookRan {
            agent: "agent".into(),
            hook: free("hook"),
            outcome: free("outcome"),
            duration_ms: None,
        }),
        Body::TranscriptFlawed(TranscriptFlawed {
            agent: "agent".into(),
            file: free("file"),
            line: 17,
            flaw: TranscriptFlaw::ResultWithoutCall,
            detail: free("detail"),
        }),
    ]
    .into_iter()
    .chain(said_bodies())
    .chain(later_bodies())
    .collect()
}

fn later_bodies() -> Vec<Body> {
    vec![
        Body::ToolsDeclared(ToolsDeclared { tools: vec!["bash_exec".into()], by: free("by") }),
        Body::ChecksDeclared(ChecksDeclared {
            list: CheckList {
                checks: vec![DeclaredCheck {
                    command: free("command"),
                    kind: CheckAspect::Lint,
                    found_in: free("found_in"),
                    runs: some("runs"),
                    standing: CheckStanding::Waiting,
                }],
                matchers: vec![DeclaredMatcher {
                    name: free("name"),
                    programs: vec![free("programs")],
                    found_in: free("matcher"),
                    level: some("level"),
                    lines: vec![free("lines")],
                    repeat: true,
                }],
            },
            by: free("by"),
        }),
        Body::ExecutionStarted(ExecutionStarted {
            execution: EXECUTION,
            tool: "bash_exec".into(),
            native_tool: Some("Bash".into()),
            call: Some(CallKey {
                agent: "agent".into(),
                scope: Some("scope".into()),
                call: "toolu_1".into(),
            }),
            actor: some("actor"),
            parent: Some(EXECUTION),
            arguments: Json("{\"command\":\"free:arguments\"}".into()),
            paths: vec![free("path one"), free("path two")],
            symbols: vec![free("symbol")],
            cwd: some("cwd"),
            branch: some("branch"),
        }),
        Body::ExecutionFinished(ExecutionFinished {
            execution: EXECUTION,
            tool: "bash_exec".into(),
            closing: closing(),
        }),
        Body::ExecutionInterrupted(ExecutionInterrupted {
            execution: EXECUTION,
            tool: "bash_exec".into(),
            reason: free("reason"),
        }),
        Body::ExecutionCorrected(ExecutionCorrected {
            execution: EXECUTION,
            corrects: EXECUTION,
            tool: "bash_exec".into(),
            reason: free("reason"),
            closing: Closing {
                stdout: Some(Content::Blob { hash: [0x12; 32], len: 300_000 }),
                ..closing()
            },
        }),
        Body::TimelineQueried(TimelineQueried {
            query: free("query"),
            by: ReadBy::Gate,
            through_sequence: 4711,
            returned: 10,
        }),
        Body::GateRefused(GateRefused {
            execution: Some(EXECUTION),
            call: Some(CallKey { agent: "agent".into(), scope: None, call: "toolu_2".into() }),
            tool: "file_edit".into(),
            target: some("target"),
            rule: GateRule::KnownAntiPattern,
            reason: free("reason"),
            required_query: free("memory_query(timeline_summary)"),
            mode: GateMode::Enforce,
        }),
        Body::GateBypassed(GateBypassed {
            execution: EXECUTION,
            call: Some(CallKey { agent: "agent".into(), scope: None, call: "toolu_2".into() }),
            tool: "file_edit".into(),
            refused: Some(4712),
        }),
        Body::SuccessClaimed(SuccessClaimed {
            claim: free("claim"),
            accepted: true,
            verified_by: Some(EXECUTION),
            cited: vec![EXECUTION],
            reason: some("reason"),
        }),
        Body::PlanChecked(PlanChecked {
            digest: [0x34; 32],
            steps: 12,
            accepted: false,
            faults: vec![PlanFault { step: 3, tool: "file_edit".into(), reason: free("fault") }],
        }),
        Body::OutcomeReported(OutcomeReported { report: Report::Failed, text: free("said") }),
        Body::StepBegun(StepBegun { title: some("title") }),
        Body::StepEnded(StepEnded {
            began: Some(4713),
            executions: 7,
            failed: 2,
            refused: 1,
            mutations: 3,
            checks_passed: 4,
            changed: vec![free("changed")],
            follow_up: vec![free("follow up")],
            summary: free("summary"),
        }),
    ]
}

#[test]
fn every_kind_has_its_sample_in_order() {
    let kinds: Vec<_> = samples().iter().map(|event| event.body.kind()).collect();
    assert_eq!(kinds, Kind::ALL);
    assert!(Kind::ALL.is_sorted(), "kinds stand in order of their number");
    for kind in Kind::ALL {
        assert!(kind.name().is_some() && kind.schema().is_some_and(|schema| schema > 0));
    }
}
