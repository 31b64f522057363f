//! What was learnt, and how often it helped.

use super::state::Change;
use super::{DebugState, Fault, sanitize};
use crate::event::{
    DebugAuthor, DebugSessionId, ErrorPattern, LearningExtracted, Learnings, TemplateTally,
    TemplateTrial, TemplateTried,
};

/// Trials that are remembered of a session's templates: one that is further back cannot be corrected.
const TRIALS_MAX: usize = 500;

impl DebugState {
    /// A template of this session was tried, or one of another's in this session, or both.
    pub(super) fn tried(
        &mut self,
        id: DebugSessionId,
        tried: &TemplateTried,
    ) -> Result<Change, Fault> {
        let mut change = Change::None;
        if tried.template.session == id && self.count(tried)? {
            change = Change::Document;
        }
        if tried.session == id
            && let Some(origin) = self.beside.fixes.get_mut(&tried.attempt)
            && origin.template.as_ref() == Some(&tried.template)
            && (!origin.tried || origin.worked != Some(tried.worked))
        {
            (origin.tried, origin.worked) = (true, Some(tried.worked));
            change = if change == Change::None { Change::Beside } else { change };
        }
        Ok(change)
    }

    /// `false` where it was counted just so before.
    fn count(&mut self, tried: &TemplateTried) -> Result<bool, Fault> {
        let (name, worked) = (tried.template.pattern.as_str(), tried.worked);
        let learnings = self.document.learnings.as_mut();
        let mut patterns = learnings.into_iter().flat_map(|it| it.patterns_identified.iter_mut());
        let found = patterns.find_map(|it| it.iter_mut().find(|it| it.pattern == name));
        let Some(pattern) = found else {
            let id = &self.document.session_id;
            return Err(Fault::unknown(format!("the debug session {id} learnt no {name:?}")));
        };
        let of = (name, tried.session, tried.attempt);
        let trials = &mut self.beside.trials;
        let is_it = |it: &TemplateTrial| (it.pattern.as_str(), it.session, it.attempt) == of;
        let at = trials.iter().position(is_it);
        if at.is_some_and(|at| trials[at].worked == worked) {
            return Ok(false);
        }
        let before = at.map(|at| trials.remove(at).worked);
        let (pattern_name, session, attempt) = (name.to_owned(), tried.session, tried.attempt);
        trials.push(TemplateTrial { pattern: pattern_name, session, attempt, worked });
        if trials.len() > TRIALS_MAX {
            trials.remove(0);
        }
        let tallies = &mut self.beside.tallies;
        let place = match tallies.binary_search_by(|tally| tally.pattern.as_str().cmp(name)) {
            Ok(place) => place,
            Err(place) => {
                tallies.insert(place, told_tally(pattern));
                place
            }
        };
        let tally = &mut tallies[place];
        tally.trials = tally.trials.saturating_add(u64::from(before.is_none()));
        tally.successes = match (before, worked) {
            (_, true) => tally.successes.saturating_add(1).min(tally.trials),
            (Some(_), false) => tally.successes.saturating_sub(1),
            (None, false) => tally.successes,
        };
        pattern.effectiveness = sanitize::effectiveness(tally);
        Ok(true)
    }

    pub(super) fn learn(&mut self, recorded: &LearningExtracted) -> Result<Change, Fault> {
        let mut told = recorded.learnings.clone();
        let by_caller = recorded.by == DebugAuthor::Caller;
        if !by_caller && self.beside.patterns_told {
            told.patterns_identified = None;
        }
        self.fits(&told)?;
        let mut known = self.document.learnings.take().unwrap_or_default();
        let has_told = told.patterns_identified.as_ref().is_some_and(|told| !told.is_empty());
        self.beside.patterns_told |= by_caller && has_told;
        self.patterns(&mut known, told.patterns_identified, &recorded.tallies);
        put(&mut known.recurring_failures, told.recurring_failures, |one, other| {
            one.test == other.test
        });
        put(&mut known.code_quality_issues, told.code_quality_issues, |one, other| {
            (&one.issue, &one.location) == (&other.issue, &other.location)
        });
        put(&mut known.recommendations, told.recommendations, |one, other| one == other);
        self.document.learnings = sanitize::learnings(known);
        Ok(Change::Document)
    }

    fn patterns(
        &mut self,
        known: &mut Learnings,
        told: Option<Vec<ErrorPattern>>,
        counted: &[TemplateTally],
    ) {
        for mut pattern in told.into_iter().flatten() {
            let name = pattern.pattern.clone();
            let before = known.patterns_identified.iter().flatten().find(|it| it.pattern == name);
            let is_other = before.is_some_and(|it| it.fix_template != pattern.fix_template);
            let is_counted = counted.iter().any(|tally| tally.pattern == name);
            // What was tried of another template says nothing of this one.
            if is_other || is_counted || pattern.effectiveness.is_some() {
                self.beside.trials.retain(|trial| trial.pattern != name);
            }
            let tallies = &mut self.beside.tallies;
            if is_other {
                tallies.retain(|tally| tally.pattern != name);
            }
            let place = tallies.binary_search_by(|tally| tally.pattern.cmp(&name));
            let counted = counted.iter().find(|tally| tally.pattern == name);
            match (place, counted) {
                (Ok(place), Some(counted)) => tallies[place] = sanitize::tally(counted),
                (Err(place), Some(counted)) => tallies.insert(place, sanitize::tally(counted)),
                // How well it works was told and not counted.
                (Ok(place), None) if pattern.effectiveness.is_some() => {
                    tallies.remove(place);
                }
                _ => {}
            }
            let tally = tallies.iter().find(|tally| tally.pattern == name);
            if let Some(tally) = tally {
                pattern.effectiveness = sanitize::effectiveness(tally);
            }
            put(&mut known.patterns_identified, Some(vec![pattern]), |one, other| {
                one.pattern == other.pattern
            });
        }
    }
}

/// What was told of a template before anybody counted: its effectiveness, as often as it was seen.
pub fn told_tally(pattern: &ErrorPattern) -> TemplateTally {
    let trials = pattern.effectiveness.map_or(0, |_| pattern.frequency.min(u64::from(u32::MAX)));
    let share = pattern.effectiveness.unwrap_or_default().clamp(0.0, 1.0);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 2^32, and a share of it"
    )]
    let successes = (share * trials as f64).round() as u64;
    TemplateTally { pattern: pattern.pattern.clone(), successes, trials }
}

/// Puts what was told in the place of what it is the same as, or behind all.
fn put<T>(known: &mut Option<Vec<T>>, told: Option<Vec<T>>, is_same: impl Fn(&T, &T) -> bool) {
    for one in told.into_iter().flatten() {
        let known = known.get_or_insert_default();
        match known.iter_mut().find(|known| is_same(known, &one)) {
            Some(place) => *place = one,
            None => known.push(one),
        }
    }
}
