//! `splice_patch`: a symbol replaced by what another file holds, with the splice program (crates.io: splice).
//! `splice_plan`: what a plan of replacements would change. Nothing is changed by it: each step is done by a
//! `splice_patch` of its own, behind the gate.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use serde::Deserialize;
use serde_json::json;

use super::{last_words, read, run_program};
use crate::event::Change;
use crate::grounding::tools::program::{Ended, Ran};
use crate::grounding::tools::{
    Bench, EDIT_BYTES_MAX, Given, PLAN_STEPS_MAX, PROGRAM_S, Parameter, ParameterKind, Place,
    Result, TEXT_BYTES_MAX, ToolError, ToolSpec,
};
use crate::parse::check;

pub(super) const PATCH: ToolSpec = ToolSpec {
    name: "splice_patch",
    about: "Replace a symbol by what another file holds, with the splice program",
    parameters: &[
        Parameter::required("file", ParameterKind::Text, "The file that defines the symbol"),
        Parameter::required("symbol", ParameterKind::Text, "Its name"),
        Parameter::optional("kind", ParameterKind::Text, "fn, struct, enum, trait, impl, …"),
        Parameter::required("with", ParameterKind::Text, "The file with the new text"),
    ],
    run: patch,
    program: Some(PROGRAM),
};

pub(super) const PLAN: ToolSpec = ToolSpec {
    name: "splice_plan",
    about: "Show what a plan of replacements would change, with the splice program",
    parameters: &[Parameter::required(
        "file",
        ParameterKind::Text,
        "The plan: {\"steps\": [{\"file\", \"symbol\", \"kind\", \"with\"}, …]}",
    )],
    run: plan,
    program: Some(PROGRAM),
};

const PROGRAM: &str = "splice";
const GET: &str = "cargo install splice";

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replacement {
    #[serde(alias = "path", alias = "file_path")]
    file: String,
    #[serde(alias = "name", alias = "symbol_name")]
    symbol: String,
    kind: Option<String>,
    /// The file that holds what shall stand there.
    with: String,
}

impl Replacement {
    /// Its two files, both inside the project and both there.
    fn places(&self, bench: &Bench<'_>) -> Result<[Place; 2]> {
        let places = [bench.workspace.place(&self.file)?, bench.workspace.place(&self.with)?];
        bench.workspace.changeable(&places[0])?;
        for place in &places {
            bench.workspace.file(place)?;
        }
        Ok(places)
    }

    /// Runs `splice patch` on it; where `preview`, it only says what would change.
    fn run(&self, bench: &Bench<'_>, preview: bool) -> Result<Ran> {
        let [file, with] = self.places(bench)?;
        let root = bench.workspace.root();
        let mut command = Command::new(PROGRAM);
        command.current_dir(root).arg("patch");
        let pairs = [("--file", file.under(root)), ("--with", with.under(root))];
        for (flag, path) in pairs {
            command.arg(joined(flag, path.as_os_str()));
        }
        command.arg(joined("--symbol", self.symbol.as_ref()));
        if let Some(kind) = &self.kind {
            command.arg(joined("--kind", kind_of(kind).as_ref()));
        }
        if preview {
            command.arg("--preview");
        }
        run_program(command, PROGRAM, GET, PROGRAM_S, bench)
    }
}

/// `--flag=value`: whatever the value begins with, it is no flag.
fn joined(flag: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(flag);
    word.push("=");
    word.push(value);
    word
}

/// Splice's word for a kind that the contract writes as Rust does.
fn kind_of(kind: &str) -> &str {
    match kind {
        "fn" => "function",
        "mod" => "module",
        "type" => "type-alias",
        other => other,
    }
}

fn failed(ran: &Ran) -> Option<String> {
    match ran.ended {
        Ended::TooLong => Some(format!("splice was ended after {PROGRAM_S} s")),
        Ended::Unwanted => Some("splice was ended: it was no longer wanted".to_owned()),
        Ended::ByItself if ran.status.success() => None,
        Ended::ByItself => Some(last_words(ran, PROGRAM)),
    }
}

fn printed(bytes: &[u8], bytes_max: usize) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(bytes_max)]).into_owned()
}

fn patch(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let asked: Replacement = read(PATCH.name, arguments)?;
    let [file, _] = asked.places(bench)?;
    let before = bench.workspace.snapshot(&file)?;
    let ran = asked.run(bench, false)?;
    // Splice puts the file back where its own checks fail; what counts is whether it is another now.
    let changed = bench.workspace.snapshot(&file)? != before;
    let failed = failed(&ran);
    let path = file.shown();
    let mut found = check::diagnostics(check::RUST, ran.stdout.head(), ran.stderr.head());
    found.retain(|one| one.file_name.is_some());
    let changed = changed && failed.is_none();
    let data = json!({"file": path, "symbol": asked.symbol, "changed": changed});
    Ok(Given {
        failed,
        exit_code: ran.status.code(),
        stderr: Some(ran.stderr.head().to_vec()).filter(|bytes| !bytes.is_empty()),
        diagnostics: found,
        symbols: vec![asked.symbol],
        changed: changed.then_some(Change { path, created: false }).into_iter().collect(),
        ..Given::with(printed(ran.stdout.head(), TEXT_BYTES_MAX), data)
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    #[serde(alias = "path", alias = "plan")]
    file: String,
}

/// A plan, as splice reads it. What else it says is splice's affair.
#[derive(Deserialize)]
struct Plan {
    steps: Vec<Replacement>,
}

fn plan(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let PlanFile { file } = read(PLAN.name, arguments)?;
    let place = bench.workspace.place(&file)?;
    let (bytes, _) = bench.workspace.read(&place, EDIT_BYTES_MAX)?;
    let wrong = |what: String| ToolError::Meaning { tool: PLAN.name, what };
    let plan: Plan = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("{:?} is no plan: {error}", place.shown())))?;
    if plan.steps.len() > PLAN_STEPS_MAX {
        return Err(wrong(format!("{} steps: give at most {PLAN_STEPS_MAX}", plan.steps.len())));
    }
    // A step that cannot be done is told before any is tried.
    for step in &plan.steps {
        step.places(bench)?;
    }
    let (mut text, mut symbols, mut why) = (String::new(), Vec::new(), None);
    for (at, step) in plan.steps.iter().enumerate() {
        let ran = step.run(bench, true)?;
        let room = TEXT_BYTES_MAX.saturating_sub(text.len());
        text += &format!("step {}: {} in {}\n", at + 1, step.symbol, step.file);
        text += &printed(ran.stdout.head(), room);
        symbols.push(step.symbol.clone());
        // Splice answers 1 where a preview has something to show.
        let shown = ran.status.code() == Some(1) && ran.stderr.head().is_empty();
        if let Some(failed) = failed(&ran).filter(|_| !shown) {
            why = Some(format!("step {}: {failed}", at + 1));
            break;
        }
    }
    let data = json!({"file": place.shown(), "steps": plan.steps.len(), "shown": symbols.len()});
    let note = Some("nothing was changed: do each step with splice_patch".to_owned());
    Ok(Given { note, failed: why, symbols, ..Given::with(text, data) })
}
