//! Chains and their surroundings as JSON.

use crate::cli::rows;
use crate::execution::query::{Around, ExecutionSummary, GraphDiagnostic, Link, TraceStep};
use crate::output::{time, wire};

/// A step of a chain.
pub fn step(journal: Option<&str>, step: &TraceStep) -> wire::TraceStep {
    wire::TraceStep {
        execution: match &step.summary {
            Some(row) => named(journal, row),
            None => known_to_the_graph(journal, step),
        },
        links: step.links.iter().map(link).collect(),
        links_more: step.links_more,
        cleared: step.cleared.clone(),
    }
}

/// What the graph alone tells of an execution: the index has no row of it.
fn known_to_the_graph(journal: Option<&str>, step: &TraceStep) -> wire::Execution {
    wire::Execution {
        journal: journal.map(str::to_owned),
        no: None,
        execution: step.execution_id.to_string(),
        sequence: 0,
        session: None,
        agent: None,
        actor: None,
        at: time::utc(step.at_ms),
        tool: step.tool.clone(),
        native_tool: None,
        outcome: if step.success { "ok" } else { "failed" }.to_owned(),
        exit_code: None,
        duration_ms: None,
        target: None,
        error: None,
        diagnostic: None,
        cwd: None,
        branch: None,
        corrects: None,
        corrected_by: None,
    }
}

/// An edge.
pub fn link(link: &Link) -> wire::Link {
    wire::Link {
        edge: link.edge.as_str().to_owned(),
        word: link.word.clone(),
        kind: link.to.kind.clone(),
        name: link.to.name.clone(),
        diagnostic: link.diagnostic.as_ref().map(diagnostic),
    }
}

/// A diagnostic.
pub fn diagnostic(found: &GraphDiagnostic) -> wire::Diagnostic {
    wire::Diagnostic {
        name: found.name.clone(),
        code: found.code.clone(),
        level: found.level.clone(),
        file_name: found.file_name.clone(),
        line_start: found.line_start,
        message: found.message.clone(),
        first_execution: found.first_execution.map(|id| id.to_string()),
    }
}

/// Everything around an execution.
pub fn around(journal: Option<&str>, found: &Around) -> wire::Around {
    let one = |row: &ExecutionSummary| named(journal, row);
    let list = |rows: &[ExecutionSummary]| rows.iter().map(one).collect();
    wire::Around {
        execution: one(&found.execution),
        prompt: found.prompt.as_ref().map(|prompt| wire::Prompt {
            sequence: prompt.sequence,
            at: time::utc(prompt.at_ms),
            text: prompt.text.clone(),
        }),
        parent: found.parent.as_ref().map(one),
        children: list(&found.children),
        children_more: found.children_more,
        corrects: found.corrects.as_ref().map(one),
        corrected_by: found.corrected_by.as_ref().map(one),
        before: list(&found.before),
        after: list(&found.after),
        files: found
            .files
            .iter()
            .map(|file| wire::FileNeighbours {
                path: file.path.clone(),
                role: file.role.as_str().to_owned(),
                before: list(&file.before),
                after: list(&file.after),
            })
            .collect(),
        files_more: found.files_more,
        links: found.links.iter().map(link).collect(),
    }
}

fn named(journal: Option<&str>, row: &ExecutionSummary) -> wire::Execution {
    wire::Execution { journal: journal.map(str::to_owned), ..rows::execution(row) }
}
