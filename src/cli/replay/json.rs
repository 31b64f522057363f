//! A step, and the end, as JSON.

use std::path::Path;

use super::end::Ended;
use crate::cli::{verify, with_causes};
use crate::event::Kind;
use crate::execution::replay::{Contents, Listed, Step, What};
use crate::output::wire::replay as wire;

/// A step as a document.
pub fn step<'a>(journal: Option<&'a str>, step: &'a Step, contents: &Contents) -> wire::Step<'a> {
    let stores = step.stores;
    let mut document = wire::Step {
        journal,
        step: step.number,
        what: "event",
        sequence: step.sequence().map(|at| at.0),
        last_sequence: None,
        kind: None,
        kind_number: None,
        problem: None,
        event: None,
        started_sequence: step.added.start.map(|at| at.0),
        target: step.added.target.clone(),
        added: added(step),
        stores: wire::Stores {
            events: stores.events,
            sessions: stores.sessions,
            prompts: stores.prompts,
            calls: stores.calls,
            ok: stores.ok,
            failed: stores.failed,
            refused: stores.refused,
            interrupted: stores.interrupted,
            open: stores.open,
            corrected: stores.corrected,
            rows: stores.rows,
            artifacts: stores.artifacts,
            diagnostics: stores.diagnostics,
            edges: stores.edges,
            files: stores.files,
            symbols: stores.symbols,
            pending: stores.pending,
            flaws: stores.flaws,
            tools: stores.tools,
        },
    };
    let mut of_kind = |what, kind: Kind| {
        document.what = what;
        document.kind = kind.name().map(str::to_owned);
        document.kind_number = Some(kind.0);
    };
    match &step.what {
        What::Event(recorded) => {
            document.event = Some(contents.with(recorded));
        }
        What::Unknown { kind, .. } => of_kind("unknown", *kind),
        What::Redacted { kind, .. } => of_kind("redacted", *kind),
        What::Undecodable { kind, problem, .. } => {
            of_kind("undecodable", *kind);
            document.problem = Some(problem.clone());
        }
        What::Lost(finding) => {
            document.what = "lost";
            document.last_sequence = finding.lost.map(|(_, last)| last.0);
            document.problem = Some(finding.to_string());
        }
    }
    document
}

fn added(step: &Step) -> wire::Added {
    let added = &step.added;
    wire::Added {
        session: added.session,
        execution: added.execution.map(|id| id.to_string()),
        row: added.row,
        artifacts: added.artifacts.clone(),
        graph: added.graph.as_ref().map(|graph| wire::Graph {
            entity: graph.entity.clone(),
            edges: graph
                .edges
                .iter()
                .map(|(edge, word, to)| wire::Edge { edge, word, to: to.clone() })
                .collect(),
        }),
        repeated: added.repeated,
        undeclared: added.undeclared,
        lost_start: added.lost_start,
        files: added.files,
        symbols: added.symbols,
        pending: added.pending,
        resolved: added.resolved.iter().map(ToString::to_string).collect(),
    }
}

/// The end as a document.
pub fn end(ended: &Ended, journal: &Path) -> wire::End {
    let report = &ended.verdict.report;
    let ranges = |listed: &Listed| listed.ranges.clone();
    let concerned = &ended.verdict.concerned;
    let findings = concerned.iter().filter_map(|at| report.findings.get(*at));
    let elsewhere = report.findings_count.saturating_sub(concerned.len() as u64);
    let contents = ended.unshown.contents.events.iter();
    let contents = contents
        .map(|(sequence, problem)| wire::Absent { sequence: *sequence, problem: problem.clone() });
    wire::End {
        what: "end",
        path: journal.to_string_lossy().into_owned(),
        journal: report.journal.to_string(),
        steps: ended.steps,
        verified: ended.verdict.is_clean(),
        damaged: ended.verdict.is_damaged(),
        findings: findings.map(verify::finding).collect(),
        findings_elsewhere: elsewhere,
        unreadable: report.unreadable.iter().map(|error| with_causes(error)).collect(),
        not_shown: wire::NotShown {
            lost: ranges(&ended.unshown.lost),
            undecodable: ranges(&ended.unshown.undecodable),
            redacted: ranges(&ended.unshown.redacted),
            unknown: ranges(&ended.unshown.unknown),
            contents: contents.collect(),
            contents_count: ended.unshown.contents.count,
        },
    }
}
