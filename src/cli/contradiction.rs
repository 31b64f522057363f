//! Stores that say something that their journal does not: they are kept, and nothing is answered from
//! them.

use std::path::{Path, PathBuf};

use super::Exit;
use crate::store::catch_up::{CatchUpReport, CaughtUp, RebuildReason};

/// What is known of such stores among those that a command met.
#[derive(Debug, Default)]
pub struct Contradiction {
    met: Option<Exit>,
    /// What is printed is an answer to a question.
    pub asked: bool,
    /// The projects that have such a store, by their root, and the first of each.
    found: Vec<(PathBuf, crate::execution::Contradiction)>,
    /// Those that were told to have a store in doubt.
    doubted: Vec<PathBuf>,
    /// Those that had a store which was broken, and was built anew.
    broken: Vec<PathBuf>,
}

impl Contradiction {
    /// 3 where the journal lacks what it once had.
    pub fn exit_of(reason: RebuildReason) -> Exit {
        if reason.is_loss() { Exit::Damaged } else { Exit::Findings }
    }

    /// Notes what catching up a project met.
    pub fn note(&mut self, root: &Path, report: &CatchUpReport) {
        let evidence = |error: &crate::store::catch_up::CatchUpError| error.evidence();
        let outcomes = report.stores.iter().filter_map(|store| store.outcome.as_ref().err());
        for reason in outcomes.filter_map(evidence) {
            let exit = Self::exit_of(reason);
            self.met = Some(self.met.map_or(exit, |met| met.worse(exit)));
        }
        let outcomes = report.stores.iter().map(|store| store.outcome.as_ref());
        if outcomes.flatten().filter_map(CaughtUp::replaced_for).any(RebuildReason::is_wound) {
            self.broken.push(root.to_owned());
        }
        self.found.retain(|(met, _)| met != root);
        self.found.extend(report.contradicts().map(|first| (root.to_owned(), first)));
    }

    /// Whether a store of a project was found broken, and built anew.
    pub fn was_broken(&self, root: &Path) -> bool {
        self.broken.iter().any(|met| met == root)
    }

    /// Notes that nothing is known of a project's stores; whether that is news.
    pub fn doubt(&mut self, root: &Path) -> bool {
        self.met = Some(self.met.unwrap_or(Exit::Fine).worse(Exit::Findings));
        let is_news = self.doubted.iter().all(|told| told != root);
        if is_news {
            self.doubted.push(root.to_owned());
        }
        is_news
    }

    /// What was met in a project.
    pub fn of(&self, root: &Path) -> Option<crate::execution::Contradiction> {
        self.found.iter().find(|(met, _)| met == root).map(|(_, first)| *first)
    }

    /// How a command ended, by what its stores are.
    pub fn judge(&self, exit: Exit) -> Exit {
        match self.met {
            Some(met) if self.asked => exit.worse(met),
            _ => exit,
        }
    }
}
