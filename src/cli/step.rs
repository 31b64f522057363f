//! `annals step begin|end`: marks a step, and says what happened in it: by a model where the settings name one.

use serde::Serialize;

use super::command::verbs;
use super::grounded::Grounded;
use super::{Context, Exit, Result, damage, session};
use crate::event::{Body, StepBegun, StepEnded, SummaryMaker};
use crate::journal::{Project, RecordReport};
use crate::output::escape;
use crate::output::remedy;
use crate::repo::step_summary::{Given, StepEnd, SummaryError, SummaryModel};

/// Begin or end a step of a session, and summarize it
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

verbs! { enum What {
    /// Begin a step
    Begin(Begin) => begin,
    /// End a step, and keep what ran, failed and changed as its summary
    ///
    /// What is still to be done stands there too; it is kept in the repository's memory.
    End(End) => end,
} }

#[derive(clap::Args, Debug)]
struct Begin {
    /// What it is about
    title: Vec<String>,
    /// The session [default: ANNALS_SESSION, else the session of calls that name none]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

#[derive(clap::Args, Debug)]
struct End {
    /// The session [default: ANNALS_SESSION, else the session of calls that name none]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.what.run(context)
}

fn begin(args: Begin, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    grounded.tell_meant(args.session.as_deref(), context);
    let title = Some(args.title.join(" ")).filter(|title| !title.is_empty());
    let report =
        grounded.record(vec![Body::StepBegun(StepBegun { title: title.clone() })], context)?;
    let step = grounded.file.grounding().step_number();
    if context.output.is_json() {
        context.output.json(&BegunStep {
            session: grounded.session.to_string(),
            step,
            sequence: report.appended.map(|appended| appended.last.0),
            title,
        })?;
        return Ok(Exit::Fine);
    }
    let title = title.map(|title| format!(": {}", escape::line(&title))).unwrap_or_default();
    context.output.line(format_args!("Step {step} begins{title}"))?;
    Ok(Exit::Fine)
}

fn end(args: End, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    damage::ask_project(&project, context);
    let step = end_step(&project, args.session.as_deref(), context)?;
    if let Some(problem) = step.problem() {
        context.output.note(escape::line(&problem));
    }
    if context.output.as_json(&step.told())? {
        return Ok(Exit::Fine);
    }
    let ended = &step.end.ended;
    let summary = step.end.summary.as_ref();
    for line in summary.map_or(&ended.summary, |it| &it.summary).lines() {
        context.output.line(escape::line(line))?;
    }
    // The events' own text has them.
    if summary.is_none_or(|it| it.made_by != SummaryMaker::Events) {
        for line in &ended.follow_up {
            context.output.line(format_args!("to do: {}", escape::line(line)))?;
        }
    }
    Ok(Exit::Fine)
}

/// A step that ended, on record.
pub struct EndedStep {
    pub session: String,
    pub end: StepEnd,
    pub report: RecordReport,
}

/// Ends the step of the session of a flag, else of ANNALS_SESSION, else of the default one.
pub fn end_step(
    project: &Project,
    named: Option<&str>,
    context: &mut Context,
) -> Result<EndedStep> {
    let run = named.or(context.session.as_deref()).unwrap_or(session::DEFAULT).to_owned();
    let given = Given { run: &run, is_asked: true, ..Given::default() };
    let mut grounded = Grounded::open(project, named, context)?;
    grounded.tell_meant(named, context);
    let mut end = StepEnd::of(project, grounded.file.grounding(), &given);
    if let (Some(model), Some(facts)) = (SummaryModel::of(project), end.facts()) {
        // A model takes its time, and the session's hooks wait for nobody.
        drop(grounded);
        let reply = model.tell(&facts);
        grounded = Grounded::open(project, named, context)?;
        let asked = end;
        end = StepEnd::of(project, grounded.file.grounding(), &given);
        end.take_reply(project, &asked, reply);
    }
    if grounded.file.grounding().step.is_none() {
        end.problem = Some(SummaryError::NoStep);
        let session = grounded.session.to_string();
        return Ok(EndedStep { session, end, report: RecordReport::default() });
    }
    let events = end.events(&grounded.envelope());
    let report = grounded.record_events(events, context)?;
    Ok(EndedStep { session: grounded.session.to_string(), end, report })
}

impl EndedStep {
    /// Why it has no summary, or not the one that was wanted.
    pub fn problem(&self) -> Option<String> {
        self.end.problem.as_ref().map(|problem| remedy::line(problem))
    }

    pub fn told(&self) -> StepTold<'_> {
        StepTold {
            session: &self.session,
            ended: &self.end.ended,
            appended_summary: self.end.summary.as_ref().map(|it| AppendedSummary {
                repo: it.repo.to_string(),
                run_id: &it.run_id,
                step_id: &it.step_id,
                summary: &it.summary,
                made_by: it.made_by,
            }),
            problem: self.problem(),
        }
    }
}

#[derive(Debug, Serialize)]
pub struct BegunStep {
    pub session: String,
    /// The session's how many-th.
    pub step: u64,
    pub sequence: Option<u64>,
    pub title: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct StepTold<'s> {
    session: &'s str,
    #[serde(flatten)]
    ended: &'s StepEnded,
    /// What the repository's memory has of it; `null` where nothing happened and it was not
    /// begun, and where the settings want none.
    appended_summary: Option<AppendedSummary<'s>>,
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
struct AppendedSummary<'s> {
    repo: String,
    run_id: &'s str,
    step_id: &'s str,
    summary: &'s str,
    made_by: SummaryMaker,
}
