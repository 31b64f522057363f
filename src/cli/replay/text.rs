//! A step in words.

use jiff::tz::TimeZone;

use super::{Bounds, Line, Lines, WHOLE, debug, grounding, memory, messages, phase, repo};
use crate::cli::counted;
use crate::cli::rows::short;
use crate::event::{Body, Closing, Content, Kind, Outcome, Recorded};
use crate::execution::replay::{Contents, Step, What};
use crate::execution::tally::{GraphEdge, TallyCounts};
use crate::output::stream::Colour;
use crate::output::{escape, time};

/// A step in words: a head, and what belongs to it.
pub struct Told {
    pub head: Line,
    pub lines: Vec<Line>,
    /// What the step added, and the stores after it.
    pub stores: String,
}

pub fn told(step: &Step, contents: &Contents, bounds: Bounds, zone: &TimeZone) -> Told {
    let mut lines = Lines::default();
    let (colour, what) = match &step.what {
        What::Event(recorded) => {
            event(recorded, step.added.target.as_deref(), contents, bounds, &mut lines)
        }
        What::Unknown { kind, .. } => {
            lines.say(None, "a newer annals wrote it; no store of this one needs it");
            (Some(Colour::Yellow), format!("event of unknown kind {}", named(*kind)))
        }
        What::Redacted { kind, .. } => {
            (Some(Colour::Yellow), format!("{}: redacted, its place still verifies", named(*kind)))
        }
        What::Undecodable { kind, problem, .. } => {
            lines.say(None, problem);
            (Some(Colour::Red), format!("{}: cannot be read", named(*kind)))
        }
        What::Lost(finding) => (Some(Colour::Red), format!("LOST: {finding}")),
    };
    if let Some(graph) = &step.added.graph {
        for GraphEdge { edge, word, to } in &graph.edges {
            lines.say(Some(Colour::Dim), &format!("{edge} {word} {to}"));
        }
    }
    let place = step.sequence().map(|at| at.to_string()).unwrap_or_default();
    let at = step.at_ms().map(|at_ms| time::local(at_ms, zone)).unwrap_or_default();
    let what = escape::line(&what);
    let text = format!("{:>5}  {place:<7} {at:<19}  {what}", step.number);
    let head = Line { colour: colour.or(Some(Colour::Bold)), margin: "", text };
    Told { head, lines: lines.lines, stores: stores(step) }
}

/// A kind by name where this build knows it, and always by number.
pub fn named(kind: Kind) -> String {
    match kind.name() {
        Some(name) => format!("{name} ({:#06x})", kind.0),
        None => format!("{:#06x}", kind.0),
    }
}

fn event(
    recorded: &Recorded,
    target: Option<&str>,
    contents: &Contents,
    bounds: Bounds,
    lines: &mut Lines,
) -> (Option<Colour>, String) {
    let head = match &recorded.event.body {
        Body::SessionStarted(b) => {
            lines.field("agent", Some(&b.agent));
            lines.field("version", b.agent_version.as_deref());
            lines.field("model", b.model.as_deref());
            lines.field("own name", Some(&b.native_id));
            lines.field("title", b.title.as_deref());
            lines.field("folder", b.cwd.as_deref());
            lines.field("branch", b.branch.as_deref());
            lines.field("inside", b.parent.map(|parent| parent.to_string()).as_deref());
            (None, format!("session {}", session(recorded)))
        }
        Body::SessionEnded(b) => (None, format!("session ended: {}", b.reason)),
        Body::PromptSubmitted(b) => {
            output(None, &b.text, contents, WHOLE, lines);
            let asked = b.actor.as_ref().map(|actor| format!(" to {actor}")).unwrap_or_default();
            (Some(Colour::Green), format!("prompt{asked}"))
        }
        Body::ContextInjected(b) => {
            output(None, &b.text, contents, WHOLE, lines);
            (None, format!("given to the model: {}", b.what))
        }
        Body::ExecutionStarted(b) => {
            lines.quote(&b.arguments.0, bounds);
            lines.field("called as", b.native_tool.as_deref().filter(|name| *name != b.tool));
            lines.field("by", b.actor.as_deref());
            lines.field("inside", b.parent.map(|parent| parent.to_string()).as_deref());
            list("paths", &b.paths, lines);
            list("symbols", &b.symbols, lines);
            (None, format!("call     {}", b.tool))
        }
        Body::ExecutionFinished(b) => {
            closing(&b.closing, contents, bounds, lines);
            ended(b.closing.outcome, &b.tool, target, &b.closing)
        }
        Body::ExecutionInterrupted(b) => {
            lines.field("why", Some(&b.reason));
            (Some(Colour::Yellow), with_target("interrupted", &b.tool, target))
        }
        Body::ExecutionCorrected(b) => {
            lines.field("why", Some(&b.reason));
            lines.field("corrects", Some(&b.corrects.to_string()));
            closing(&b.closing, contents, bounds, lines);
            let (colour, text) = ended(b.closing.outcome, &b.tool, target, &b.closing);
            (colour.or(Some(Colour::Green)), format!("corrected: {text}"))
        }
        body => messages::told(body, contents, lines)
            .or_else(|| grounding::told(body, lines))
            .or_else(|| memory::told(body, contents, bounds, lines))
            .or_else(|| phase::told(body, contents, bounds, lines))
            .or_else(|| repo::told(body, contents, bounds, lines))
            .or_else(|| debug::told(body, contents, bounds, lines))
            .unwrap_or_else(|| {
                generic(body, contents, lines);
                (None, body.name().to_owned())
            }),
    };
    let envelope = &recorded.event.envelope;
    for redaction in &envelope.redactions {
        lines
            .say(Some(Colour::Dim), &format!("redacted: {} × {}", redaction.count, redaction.rule));
    }
    head
}

/// Every field of a kind that has no words of its own.
fn generic(body: &Body, contents: &Contents, lines: &mut Lines) {
    // Serialising what was just decoded cannot fail; if it did, the head would still be told.
    let fields = serde_json::to_value(contents.with(body)).unwrap_or_default();
    for (name, value) in fields.as_object().into_iter().flatten() {
        match value {
            serde_json::Value::Null => {}
            serde_json::Value::String(text) => lines.field(name, Some(text)),
            other => lines.field(name, Some(&other.to_string())),
        }
    }
}

fn session(recorded: &Recorded) -> String {
    recorded.event.envelope.session.map(|session| session.to_string()).unwrap_or_default()
}

fn with_target(outcome: &str, tool: &str, target: Option<&str>) -> String {
    match target {
        Some(target) => format!("{outcome:<8} {tool}  {}", short(target)),
        None => format!("{outcome:<8} {tool}"),
    }
}

fn ended(
    outcome: Outcome,
    tool: &str,
    target: Option<&str>,
    closing: &Closing,
) -> (Option<Colour>, String) {
    let colour = crate::cli::rows::colour(Some(outcome));
    let mut text = with_target(outcome.as_str(), tool, target);
    if let Some(code) = closing.exit_code.filter(|code| *code != 0) {
        text.push_str(&format!("  exit {code}"));
    }
    if let Some(took) = closing.duration_ms {
        text.push_str(&format!("  {}", time::duration(took)));
    }
    (colour, text)
}

fn closing(closing: &Closing, contents: &Contents, bounds: Bounds, lines: &mut Lines) {
    if let Some(error) = closing.error.as_deref().filter(|error| !error.is_empty()) {
        lines.say(Some(Colour::Red), "error");
        lines.quote(error, bounds);
    }
    for (name, content) in [("stdout", &closing.stdout), ("stderr", &closing.stderr)] {
        if let Some(content) = content {
            output(Some(name), content, contents, bounds, lines);
        }
    }
    if let Some(diagnostics) = &closing.diagnostics {
        lines.say(Some(Colour::Dim), "diagnostics");
        let each: Vec<serde_json::Value> = serde_json::from_str(&diagnostics.0).unwrap_or_default();
        if each.is_empty() {
            lines.quote(&diagnostics.0, bounds);
        }
        let each: Vec<String> = each.iter().map(diagnostic).collect();
        if !each.is_empty() {
            lines.quote(&each.join("\n"), bounds);
        }
    }
    list("paths", &closing.paths, lines);
    list("symbols", &closing.symbols, lines);
    let of = |created: bool| {
        let changed = closing.changed.iter().filter(move |change| change.created == created);
        changed.map(|change| change.path.clone()).collect::<Vec<_>>()
    };
    list("created", &of(true), lines);
    list("changed", &of(false), lines);
}

/// `error[E0425] src/lib.rs:3: cannot find value`
fn diagnostic(value: &serde_json::Value) -> String {
    let text = |name: &str| value[name].as_str().unwrap_or_default();
    let code = Some(text("code")).filter(|code| !code.is_empty());
    let code = code.map(|code| format!("[{code}]")).unwrap_or_default();
    let line = value["line_start"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}{code} {}{line}: {}", text("level"), text("file_name"), text("message"))
}

pub(super) fn list(name: &str, items: &[String], lines: &mut Lines) {
    const SHOWN_MAX: usize = 20;
    if items.is_empty() {
        return;
    }
    let mut text = items[..items.len().min(SHOWN_MAX)].join(", ");
    if items.len() > SHOWN_MAX {
        text.push_str(&format!(" and {} more", items.len() - SHOWN_MAX));
    }
    lines.field(name, Some(&text));
}

pub(super) fn output(
    name: Option<&str>,
    content: &Content,
    contents: &Contents,
    bounds: Bounds,
    lines: &mut Lines,
) {
    let brought = contents.bring(content);
    if let Some(name) = name {
        lines.say(Some(Colour::Dim), &format!("{name} {}", time::bytes(brought.len)));
    }
    if let Some(problem) = brought.problem {
        lines.say(Some(Colour::Red), &crate::cli::with_causes(problem.as_ref()));
    }
    for (part, bytes) in [brought.bytes.as_deref(), brought.tail].into_iter().flatten().enumerate()
    {
        if part > 0 {
            lines.say(Some(Colour::Dim), "… what was between was not recorded …");
        }
        lines.quote(&String::from_utf8_lossy(bytes), bounds);
    }
}

/// `+ row 12: stdout, stderr | 12 rows, 14 calls (1 open, 2 failed, 1 pending), …`
fn stores(step: &Step) -> String {
    let added = &step.added;
    let mut news = Vec::new();
    if let Some(row) = added.row {
        let artifacts = added.artifacts.join(", ");
        let artifacts = if artifacts.is_empty() { "no artifact".to_owned() } else { artifacts };
        news.push(format!("row {row} ({artifacts})"));
    }
    if added.repeated {
        news.push("repeats what was recorded before: no row".to_owned());
    }
    if added.undeclared {
        news.push("its tool is not in the list in force: no row".to_owned());
    }
    if added.lost_start {
        news.push("its start is not in the journal".to_owned());
    }
    match added.resolved.len() {
        0 => {}
        1 => news.push("resolves a failure".to_owned()),
        more => news.push(format!("resolves {more} failures")),
    }
    let news = news.join(", ");
    let news = if news.is_empty() { news } else { format!("+ {news} | ") };
    format!("{news}{}", standing(&step.stores))
}

/// The stores in one line.
pub fn standing(stores: &TallyCounts) -> String {
    let mut parts = vec![counted(stores.rows, "row"), counted(stores.calls, "call")];
    for (count, what) in [
        (stores.open, "open"),
        (stores.failed, "failed"),
        (stores.pending, "pending"),
        (stores.refused, "refused"),
        (stores.interrupted, "interrupted"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    parts.push(counted(stores.prompts, "prompt"));
    parts.push(counted(stores.sessions, "session"));
    parts.push(counted(stores.files, "file"));
    parts.join(", ")
}
