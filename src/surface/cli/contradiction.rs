//! Stores that say something that their journal does not: they are kept, and nothing is answered from
//! them.

use super::Exit;
use crate::command::{BuiltStores, CatchUpReport, RebuildReason};

/// What is known of such stores among those that a command met.
#[derive(Debug, Default)]
pub struct Contradiction {
    met: Option<Exit>,
    /// What is printed is an answer to a question.
    pub asked: bool,
    /// What is answered from instead; cleared away no sooner than this.
    pub built: Vec<BuiltStores>,
}

impl Contradiction {
    /// 3 where the journal lacks what it once had.
    pub fn exit_of(reason: RebuildReason) -> Exit {
        if reason.is_loss() { Exit::Damaged } else { Exit::Findings }
    }

    /// Notes what catching up met; whether there was any.
    pub fn note(&mut self, report: &CatchUpReport) -> bool {
        let evidence = |error: &crate::command::CatchUpError| error.evidence();
        let outcomes = report.stores.iter().filter_map(|store| store.outcome.as_ref().err());
        let mut found = false;
        for reason in outcomes.filter_map(evidence) {
            found = true;
            let exit = Self::exit_of(reason);
            self.met = Some(self.met.map_or(exit, |met| met.worse(exit)));
        }
        found
    }

    pub fn is_met(&self) -> bool {
        self.met.is_some()
    }

    /// How a command ended, by what its stores are.
    pub fn judge(&self, exit: Exit) -> Exit {
        match self.met {
            Some(met) if self.asked => exit.worse(met),
            _ => exit,
        }
    }
}
