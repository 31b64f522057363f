//! What a step of a workflow came to (spec 004, Compaction): told from the journal's own events, or
//! by a model that is given them, and recorded with the step's end in one commit.
//!
//! Three parts: what happened, important outputs, follow-up; what the agent concluded is told first, and
//! nothing is judged that no gate judged. The same events give the same text. A turn
//! in which nothing ran and nothing was refused leaves none, so that a hook that fires twice tells nothing
//! twice; a step that somebody began and ended by hand always does. What comes from elsewhere – an agent's last words, a model's reply – is redacted before it is
//! cut: half a secret is no secret to a rule.

mod conclusion;
mod facts;
mod title;

#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::RepoError;
use crate::event::{
    Body, Envelope, Event, Redaction, RepoHash, StepEnded, SummaryAppended, SummaryMaker,
};
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::grounding::fold::{Grounding, StepClaim, step_ended};
use crate::grounding::gate::index::usable_index;
use crate::grounding::tools::program;
use crate::grounding::tools::program::Ended;
use crate::journal::Project;
use crate::redact::end_of_head;

pub use facts::{Facts, line, plain, whole_lines};
pub use title::title;

/// Of what an agent said last, bytes that are read.
const ANSWER_BYTES_MAX: usize = 64 << 10;
/// Of what a model is given.
const FACTS_CHARS_MAX: usize = 16_000;
/// Of what a model answers, bytes that are read.
const REPLY_BYTES_MAX: usize = 64 << 10;
/// Of what a model said when it failed.
const SAID_CHARS_MAX: usize = 200;
/// Seconds that a model is given at most, whatever the settings say.
const WITHIN_S_MAX: u64 = 3_600;
/// Of the names of a run and of a step.
const NAME_CHARS_MAX: usize = 256;

/// What is told of a step besides what its session's fold has.
#[derive(Clone, Debug, Default)]
pub struct Given<'a> {
    /// The workflow's run: the session by its own name.
    pub run: &'a str,
    /// What the agent said last.
    pub answer: Option<&'a str>,
    /// What became of a claim that is recorded with the step's end.
    pub claim: Option<StepClaim>,
    /// Somebody ends it by hand: where it was begun so, it has a summary though nothing ran in it.
    pub is_asked: bool,
    /// The repository that is on record in this very run of the program.
    pub met: Option<RepoHash>,
}

/// The end of a step, to be recorded as one commit.
#[derive(Debug)]
pub struct StepEnd {
    pub ended: StepEnded,
    /// `None` where nothing happened in a turn, or the settings want none.
    pub summary: Option<SummaryAppended>,
    /// Why there is none, or not the one that was wanted.
    pub problem: Option<SummaryError>,
    identified: Option<Body>,
    /// What was taken out of what came from elsewhere.
    redactions: Vec<Redaction>,
    facts: Facts,
}

impl StepEnd {
    /// Of the session's step as it stands.
    pub fn of(project: &Project, grounding: &Grounding, given: &Given<'_>) -> Self {
        let mut end = Self {
            ended: step_ended(grounding),
            summary: None,
            problem: None,
            identified: None,
            redactions: Vec::new(),
            facts: Facts::default(),
        };
        let step = &grounding.step;
        let is_one = !step.is_empty() || (given.is_asked && step.began.is_some());
        if project.config().repo.summaries && is_one {
            end.problem = end.sum_up(project, grounding, given).err();
        }
        end
    }

    fn sum_up(
        &mut self,
        project: &Project,
        grounding: &Grounding,
        given: &Given<'_>,
    ) -> Result<(), SummaryError> {
        let repo = super::identify(project.tree())?;
        let answer = match given.answer {
            Some(answer) => Some(self.redacted(project, answer)?),
            None => None,
        };
        self.facts = Facts::of(grounding, answer.as_deref(), given.claim.as_ref());
        let is_met = given.met == Some(repo.hash) || grounding.has_met(repo.hash);
        if !is_met && !is_known(project, repo.hash) {
            self.identified = Some(repo.event());
        }
        self.summary = Some(SummaryAppended {
            repo: repo.hash,
            run_id: name(given.run, grounding),
            step_id: format!("step-{}", grounding.step_number()),
            summary: self.facts.told(chars_max(project)),
            made_by: SummaryMaker::Events,
            step: grounding.step.began,
            through: Some(grounding.through().0),
            created_ms: None,
        });
        Ok(())
    }

    /// What a model is given to tell the step from; `None` where it has no summary.
    pub fn facts(&self) -> Option<String> {
        self.summary.as_ref().map(|_| self.facts.told(FACTS_CHARS_MAX))
    }

    /// Takes what a model made of the facts of `asked`, the same step a moment ago; where it failed,
    /// or the step is another one by now, the text that the events give stays.
    pub fn take_reply(
        &mut self,
        project: &Project,
        asked: &Self,
        reply: Result<String, SummaryError>,
    ) {
        if let Err(error) = self.replace(project, asked, reply) {
            self.problem = Some(error);
        }
    }

    fn replace(
        &mut self,
        project: &Project,
        asked: &Self,
        reply: Result<String, SummaryError>,
    ) -> Result<(), SummaryError> {
        let reply = reply?;
        let told = self.redacted(project, &reply)?;
        let (Some(summary), Some(asked)) = (&mut self.summary, &asked.summary) else {
            return Ok(());
        };
        if (summary.step, &summary.step_id) != (asked.step, &asked.step_id) {
            return Err(SummaryError::WentOn);
        }
        summary.summary = whole_lines(&told, chars_max(project));
        summary.made_by = SummaryMaker::Model;
        summary.through = asked.through;
        Ok(())
    }

    /// A text from elsewhere without control characters and secrets; what was taken out is noted.
    fn redacted(&mut self, project: &Project, text: &str) -> Result<String, SummaryError> {
        let redactor = project.redactor();
        let end = end_of_head(text.as_bytes(), ANSWER_BYTES_MAX);
        let text = plain(&text[..text.floor_char_boundary(end)]);
        for finding in redactor.find(text.as_bytes()) {
            match self.redactions.iter_mut().find(|known| known.rule == finding.rule) {
                Some(known) => known.count = known.count.saturating_add(1),
                None => {
                    self.redactions.push(Redaction { rule: finding.rule.to_owned(), count: 1 });
                }
            }
        }
        Ok(redactor.redact_text(&text))
    }

    /// The events, in order; each has this envelope.
    pub fn events(&self, envelope: &Envelope) -> Vec<Event> {
        let event = |body| Event { envelope: envelope.clone(), body };
        let identified = self.identified.clone().into_iter();
        let mut events: Vec<Event> =
            identified.chain([Body::StepEnded(self.ended.clone())]).map(event).collect();
        if let Some(summary) = &self.summary {
            let mut event = event(Body::SummaryAppended(summary.clone()));
            event.envelope.redactions.extend_from_slice(&self.redactions);
            events.push(event);
        }
        events
    }
}

/// Whether the index has what the repository is. One that cannot be asked has nothing: then it is
/// recorded again, which changes nothing.
fn is_known(project: &Project, repo: RepoHash) -> bool {
    let Ok(reader) = project.reader() else { return false };
    let Some((index, _)) = usable_index(project, &reader) else { return false };
    let found = index.repos().identity(repo);
    found.is_ok_and(|found| found.is_some_and(|it| it.identified.is_some()))
}

/// The run's name as far as a name goes; the session's id where it is none.
fn name(run: &str, grounding: &Grounding) -> String {
    let name: String = run.chars().filter(|c| !c.is_control()).take(NAME_CHARS_MAX).collect();
    let name = name.trim();
    if name.is_empty() { grounding.session().to_string() } else { name.to_owned() }
}

fn chars_max(project: &Project) -> usize {
    usize::try_from(project.config().repo.summary_max_chars).unwrap_or(usize::MAX)
}

/// A command that tells a step, run by `sh -c` in the project's root: what happened on its standard
/// input, the summary on its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryModel {
    line: String,
    folder: PathBuf,
    within: Duration,
}

impl SummaryModel {
    pub fn of(project: &Project) -> Option<Self> {
        let settings = &project.config().repo;
        let line = settings.summary_model.clone().filter(|line| !line.trim().is_empty())?;
        let within = Duration::from_secs(settings.summary_timeout_s.clamp(1, WITHIN_S_MAX));
        Some(Self { line, folder: project.root().to_owned(), within })
    }

    /// What it makes of these facts, without control characters; the first 64 KiB of it. Not redacted.
    pub fn tell(&self, facts: &str) -> Result<String, SummaryError> {
        let command = || self.line.clone();
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&self.line).current_dir(&self.folder);
        let stop = AtomicBool::new(false);
        let ran = program::run_with(shell, Some(facts.as_bytes()), self.within, &stop)
            .map_err(|source| SummaryError::Run { command: command(), source })?;
        match ran.ended {
            Ended::TooLong | Ended::Unwanted => {
                let seconds = self.within.as_secs();
                return Err(SummaryError::TooLong { command: command(), seconds });
            }
            Ended::ByItself if !ran.status.success() => {
                let said = line(&String::from_utf8_lossy(ran.stderr.head()), SAID_CHARS_MAX);
                let status = ran.status.to_string();
                return Err(SummaryError::Failed { command: command(), status, said });
            }
            Ended::ByItself => {}
        }
        let head = ran.stdout.head();
        let head = String::from_utf8_lossy(&head[..head.len().min(REPLY_BYTES_MAX)]);
        let told = plain(&head).trim().to_owned();
        if told.is_empty() {
            return Err(SummaryError::Nothing { command: command() });
        }
        Ok(told)
    }
}

/// Why a step's summary was not made, or not by the model. The step's end is recorded all the
/// same, where there was a step.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    #[error("the step has no summary, since its repository is not known")]
    Repo(#[from] RepoError),
    #[error("the summary model {command:?} could not be run; the summary is told from the events")]
    Run { command: String, source: io::Error },
    #[error(
        "the summary model {command:?} took more than {seconds} s and was ended; the summary is told \
         from the events"
    )]
    TooLong { command: String, seconds: u64 },
    #[error(
        "the summary model {command:?} failed ({status}): {said}; the summary is told from the events"
    )]
    Failed { command: String, status: String, said: String },
    #[error("the summary model {command:?} printed nothing; the summary is told from the events")]
    Nothing { command: String },
    #[error(
        "the step went on while the summary model was asked; the summary is told from the events"
    )]
    WentOn,
    #[error("no step was begun and nothing ran since the last one ended: nothing was recorded")]
    NoStep,
}

impl Fault for SummaryError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::NoStep => Class::Refused.with(Remedy::BeginStep),
            Self::Repo(error) => error.sorted(),
            _ => Class::Io.alone(),
        }
    }
}
