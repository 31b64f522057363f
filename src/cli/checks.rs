//! `annals checks`: the project's own checks, how each stands, and which count.

mod matcher;

use serde::Serialize;

use super::{CliError, Context, Exit, Result, catch_up, counted};
use crate::event::{CheckAspect, CheckList, CheckStanding, DeclaredCheck};
use crate::execution::live_recorder;
use crate::execution::query::{CheckState, RUNS_MAX};
use crate::grounding::own_checks::{found, is_same, renewed};
use crate::journal::Project;
use crate::output::stream::Colour;
use crate::output::table::{Table, cut};
use crate::output::{escape, time};
use crate::parse::check::CheckRules;
use crate::parse::check::command::calls;
use crate::parse::shell::Script;

/// List the project's own checks and how each stands
///
/// They are found in mise.toml, Makefile, justfile, Taskfile.yml, package.json, Cargo.toml, pyproject.toml,
/// tox.ini, noxfile.py, go.mod and the workflows of continuous integration, at `enable`, `init` and `annals
/// checks find`, and recorded: what is recorded counts from there on. A task is what it runs: one that runs
/// `go test ./...` is that check, one that runs `echo` is none. A task that cannot be analysed counts only
/// once you allow it: `annals checks add COMMAND`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Only how each check stands, without where it was found
    #[arg(long)]
    last: bool,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Find(FindArgs),
    Add(AddArgs),
    Remove(RemoveArgs),
    Matcher(matcher::Args),
}

/// Look into the project's files again, and record what is new
#[derive(clap::Args, Debug)]
struct FindArgs {}

/// Make a command a check, or allow one that waits
#[derive(clap::Args, Debug)]
struct AddArgs {
    /// How its command lines begin
    command: String,
    /// What it checks [default: what its name says; else test]
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Option<CheckAspect>,
}

/// Stop treating a command as a check
#[derive(clap::Args, Debug)]
struct RemoveArgs {
    /// As `annals checks` lists it
    command: String,
}

fn kind(word: &str) -> Result<CheckAspect, String> {
    let known = || CheckAspect::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ");
    let found = CheckAspect::ALL.iter().copied().find(|it| it.as_str() == word);
    found.ok_or_else(|| format!("it is one of {}", known()))
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    match args.what {
        None => list(args.last, context),
        Some(What::Find(_)) => find(context),
        Some(What::Matcher(args)) => matcher::run(args, context),
        Some(What::Add(args)) => {
            let project = context.project()?;
            let mut list = recorded(&project)?;
            add(&mut list, args);
            record(&project, list, context)
        }
        Some(What::Remove(args)) => {
            let project = context.project()?;
            let mut list = recorded(&project)?;
            let before = list.checks.len();
            list.checks.retain(|it| it.command != args.command);
            if list.checks.len() == before {
                let shown = escape::line(&args.command);
                context
                    .output
                    .line(format_args!("{shown} is no check here. See: annals checks"))?;
                return Ok(Exit::Usage);
            }
            record(&project, list, context)
        }
    }
}

fn add(list: &mut CheckList, args: AddArgs) {
    let AddArgs { command, kind } = args;
    if let Some(known) = list.checks.iter_mut().find(|it| it.command == command) {
        known.standing = CheckStanding::InForce;
        known.kind = kind.unwrap_or(known.kind);
        return;
    }
    let by_name = || Some(calls(&Script::of(&command), &CheckRules::default()).first()?.kind);
    let kind = kind.or_else(by_name).unwrap_or(CheckAspect::Test);
    let found_in = DeclaredCheck::USER.to_owned();
    let standing = CheckStanding::InForce;
    list.checks.push(DeclaredCheck { command, kind, found_in, runs: None, standing });
}

fn recorded(project: &Project) -> Result<CheckList> {
    Ok(live_recorder(project).checks()?)
}

fn record(project: &Project, list: CheckList, context: &mut Context) -> Result<Exit> {
    declare(project, list)?;
    catch_up::catch_up(project, context);
    self::list(false, context)
}

fn declare(project: &Project, list: CheckList) -> Result<()> {
    let mut recorder = live_recorder(project);
    recorder.declare_checks(list, DeclaredCheck::USER)?;
    recorder.finish()?;
    Ok(())
}

fn find(context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    record_found(&project)?;
    catch_up::catch_up(&project, context);
    list(false, context)
}

/// Looks into the project's files, and records the checks in them where they are others than before. Says
/// what was found.
pub fn record_found(project: &Project) -> Result<Vec<DeclaredCheck>> {
    let list = recorded(project)?;
    let found = found(project.root());
    let renewed = renewed(&list, found.clone());
    if !is_same(&renewed, &list) {
        declare(project, renewed)?;
    }
    Ok(found)
}

fn list(is_last: bool, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    catch_up::catch_up_to_ask(&project, context);
    let stores = catch_up::stores(&project, context)?;
    let own = stores.own_checks().map_err(CliError::from)?;
    let mut states = stores.check_states(&own, RUNS_MAX, project.tree()).map_err(CliError::from)?;
    if is_last {
        states.retain(|it| it.standing == CheckStanding::InForce);
    }
    if context.output.as_json_list(&states)? {
        return Ok(Exit::Fine);
    }
    if states.is_empty() {
        let next = "annals checks find, or annals checks add 'COMMAND' --kind test";
        context.output.line(format_args!("No check is declared here. Next: {next}"))?;
        return Ok(Exit::Fine);
    }
    print(&states, is_last, context)?;
    let is_new = project.is_at_home() && !is_same(&renewed(&own, found(project.root())), &own);
    if is_new && !is_last {
        context.output.line("The project's files name others by now. Next: annals checks find")?;
    }
    Ok(Exit::Fine)
}

/// Of a command, what a list shows.
const WHAT_CHARS_MAX: usize = 60;

fn print(states: &[CheckState], is_last: bool, context: &mut Context) -> Result<()> {
    let titles: &[&str] = match is_last {
        true => &["check", "state", ">no", "when", "what"],
        false => &["check", "kind", "state", ">no", "when", "found in", "runs"],
    };
    let mut table = Table::new(titles);
    for it in states {
        let state = match (it.standing, &it.last) {
            (CheckStanding::Waiting, _) => "not allowed",
            (CheckStanding::Idle, _) => "checks nothing",
            (CheckStanding::InForce, Some(last)) => &last.verdict,
            (CheckStanding::InForce, None) => "never run",
        };
        let colour = match state {
            "failed" => Some(Colour::Red),
            "not allowed" | "checks nothing" => Some(Colour::Yellow),
            _ => None,
        };
        let (no, when) = it.last.as_ref().map_or_else(Default::default, |last| {
            (last.no.to_string(), time::local(last.at_ms, &context.zone))
        });
        let (command, state) = (cut(&it.command, WHAT_CHARS_MAX), state.to_owned());
        let telling = it.last.as_ref().map(|it| {
            let tree = it.tree.as_deref().map(|it| format!("(in {it})"));
            tree.into_iter().chain(it.telling.clone()).collect::<Vec<_>>().join(" ")
        });
        let cells = match is_last {
            true => vec![command, state, no, when, telling.unwrap_or_default()],
            false => {
                let runs = cut(it.runs.as_deref().unwrap_or_default(), WHAT_CHARS_MAX);
                vec![
                    command,
                    it.kind.as_str().to_owned(),
                    state,
                    no,
                    when,
                    it.found_in.clone(),
                    runs,
                ]
            }
        };
        table.row(colour, &cells);
    }
    table.print(&mut context.output)?;
    if let Some(waits) = states.iter().find(|it| it.standing == CheckStanding::Waiting) {
        let command = escape::line(&waits.command).into_owned();
        let text = format!(
            "What is not allowed counts by its name alone. Next: annals checks add '{command}'"
        );
        context.output.line(text)?;
    }
    Ok(())
}

/// What `enable`, `init` and `status` tell of them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checks {
    pub found: usize,
    pub failed: usize,
    pub waiting: usize,
}

impl Checks {
    pub fn of(states: &[CheckState]) -> Self {
        let failed = |it: &&CheckState| {
            it.standing == CheckStanding::InForce
                && it.last.as_ref().is_some_and(|last| last.verdict == "failed")
        };
        let waiting = |it: &&CheckState| it.standing == CheckStanding::Waiting;
        Self {
            found: states.iter().filter(|it| it.standing != CheckStanding::Idle).count(),
            failed: states.iter().filter(failed).count(),
            waiting: states.iter().filter(waiting).count(),
        }
    }

    pub fn told(&self) -> String {
        let Self { found, failed, waiting } = self;
        let of = |count: &usize, what| match count {
            0 => String::new(),
            count => format!(", {count} {what}"),
        };
        let (failed, waits) = (of(failed, "failed"), of(waiting, "not allowed"));
        format!("{}{failed}{waits}: annals checks", counted(*found as u64, "check"))
    }
}
