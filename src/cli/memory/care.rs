//! `annals memory pressure`, `consolidate`: how full memory is, and what is done about it.

use super::advice::advice;
use super::look::Look;
use super::{OriginArgs, look, operate_judged};
use crate::cli::{Context, Exit, Result, counted, quote};
use crate::event::PressureLevel;
use crate::memory::query;
use crate::output::escape;

/// How full a branch is, and what would free space
#[derive(clap::Args, Debug)]
pub struct Pressure {
    /// The branch, or the node it stands for
    branch: String,
    #[command(flatten)]
    origin: OriginArgs,
}

impl Pressure {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let look = |one: &Look<'_>, branch: &str| one.pressure(branch);
        let found = look::seen(&self.branch, &self.origin, context, look, |op| {
            // By the name that was asked for.
            let found = op.check_memory_pressure(&self.branch)?;
            Ok(query::Pressure { branch: self.branch.clone(), ..found })
        })?;
        if !context.output.as_json_of_journals(&found)? {
            for one in &found {
                tell_pressure(&one.row, context)?;
            }
        }
        Ok(Exit::Fine)
    }
}

fn tell_pressure(one: &query::Pressure, context: &mut Context) -> Result<()> {
    let percent = 100.0 * one.overall;
    context.output.line(escape::line(&format!(
        "{}: {} ({percent:.0} %)",
        one.branch,
        one.level.as_str()
    )))?;
    for (what, used, max) in [
        ("characters of its own keys", one.core_used, one.core_max),
        ("events", one.recall_count, one.recall_max),
    ] {
        context.output.line(format_args!("  {used} of {max} {what}"))?;
    }
    let records = counted(one.archival_count, "record");
    let chars = counted(one.archival_chars, "character");
    context.output.line(format_args!("  {records}, {chars}"))?;
    if !one.recommendations.is_empty() {
        context.output.line(escape::line(&format!(
            "  to do: {}",
            advice(&one.recommendations, &quote::word(&one.branch))
        )))?;
    }
    Ok(())
}

/// Consolidate a branch: archive minor keys, summarize older events
///
/// What it does depends on how full memory is; without --level also what `annals memory pressure`
/// recommends is done. Its ancestors keep theirs, and no text is lost.
#[derive(clap::Args, Debug)]
pub struct Consolidate {
    /// The branch, or the node it stands for
    branch: String,
    /// Pretend memory is this full: low, medium, high or critical [default: as full as it is]
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Option<PressureLevel>,
    /// What memory is wanted for: a model judges by it
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    #[command(flatten)]
    origin: OriginArgs,
}

fn level(text: &str) -> Result<PressureLevel, String> {
    PressureLevel::parse(text).ok_or_else(|| "must be low, medium, high or critical".to_owned())
}

impl Consolidate {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let (branch, task) = (self.branch.as_str(), self.task.as_deref());
        let judged = Some((branch, task));
        let done = operate_judged(judged, &self.origin, context, |op| match self.level {
            Some(level) => op.auto_consolidate_memory(branch, level, task),
            None => op.consolidate_memory(branch, task),
        })?;
        let it = &done.done;
        let freed = counted(it.freed_chars, "character");
        let did = match it.actions_taken.as_slice() {
            [] => "nothing was to be done".to_owned(),
            actions => actions.join(", "),
        };
        let level = it.new_pressure_level.as_str();
        let mut sentence = format!("{branch}: {did}; {freed} freed, {level} now");
        if let Some(why) = &it.importance_failed {
            sentence += &format!("; importance stays as it is: {why}");
        }
        done.tell(&sentence, context)
    }
}
