//! The end of a step: its event, its summary, and what its repository is.

use super::{
    ANSWER_BYTES_MAX, FACTS_CHARS_MAX, Facts, NAME_CHARS_MAX, SummaryError, plain, whole_lines,
};
use crate::event::{
    Body, Envelope, Event, Redaction, RepoHash, RepoIdentified, StepEnded, SummaryAppended,
    SummaryMaker,
};
use crate::grounding::fold::{Grounding, StepClaim};
use crate::grounding::gate::cited::usable_index;
use crate::grounding::gate::step_ended;
use crate::journal::Project;
use crate::redact::end_of_head;
use crate::repo;

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
}

/// The end of a step, to be recorded as one commit.
#[derive(Debug)]
pub struct StepEnd {
    pub ended: StepEnded,
    /// `None` where nothing happened in a turn, or the settings want none.
    pub summary: Option<SummaryAppended>,
    /// Why there is none, or not the one that was wanted.
    pub problem: Option<SummaryError>,
    identified: Option<RepoIdentified>,
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
        let step = grounding.step();
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
        let repo = repo::identify(project.root())?;
        let answer = match given.answer {
            Some(answer) => Some(self.redacted(project, answer)?),
            None => None,
        };
        self.facts = Facts::of(grounding, answer.as_deref(), given.claim.as_ref());
        if !grounding.has_met(repo.hash) && !is_known(project, repo.hash) {
            self.identified = Some(RepoIdentified {
                repo: repo.hash,
                path: repo.top.to_string_lossy().into_owned(),
                remote: repo.remote,
                branch: repo.branch,
            });
        }
        self.summary = Some(SummaryAppended {
            repo: repo.hash,
            run_id: name(given.run, grounding),
            step_id: format!("step-{}", grounding.step_number()),
            summary: self.facts.told(chars_max(project)),
            made_by: SummaryMaker::Events,
            step: grounding.step().began,
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
        let identified = self.identified.clone().map(Body::RepoIdentified);
        let mut events: Vec<Event> = identified
            .into_iter()
            .chain([Body::StepEnded(self.ended.clone())])
            .map(event)
            .collect();
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
