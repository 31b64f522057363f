//! The program's exit codes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::fault::Class;
use crate::store::catch_up::{CatchUpReport, CaughtUp, RebuildReason};

/// How the program ended, as the number its caller sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Fine,
    /// It found something: a torn tail, a store that lags or differs, a refused line.
    Findings,
    Usage,
    Damaged,
    Locked,
    Io,
    /// The journal does not contain what was seen of it.
    Contradicted,
    /// `run`: the child's own code, or 128 and the number of the signal that ended it.
    Child(u8),
}

impl From<Class> for Exit {
    fn from(class: Class) -> Self {
        match class {
            Class::Argument | Class::Missing | Class::Refused => Self::Usage,
            Class::Findings => Self::Findings,
            Class::Damaged => Self::Damaged,
            Class::Contradicted => Self::Contradicted,
            Class::Locked => Self::Locked,
            Class::Io => Self::Io,
            Class::Interrupted => Self::Child(130),
        }
    }
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Damaged => 3,
            Self::Locked => 4,
            Self::Io => 5,
            Self::Contradicted => 6,
            Self::Child(code) => code,
        }
    }

    /// The worse of two: another history before damage before locks before I/O before findings.
    pub fn worse(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Io => 3,
            Self::Locked => 4,
            Self::Damaged => 5,
            Self::Contradicted => 6,
            Self::Child(_) => 7,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[derive(Debug, Default)]
pub struct Contradiction {
    met: Option<Exit>,
    /// What is printed is an answer to a question.
    pub asked: bool,
    /// It is of the journal and the index of its texts alone: whoever changed the others changed nothing of it.
    pub of_texts: bool,
    found: Vec<(PathBuf, crate::execution::Contradiction)>,
    doubted: Vec<PathBuf>,
    /// Those that had a store which was broken, and was built anew.
    broken: Vec<PathBuf>,
}

impl Contradiction {
    pub fn note(&mut self, root: &Path, report: &CatchUpReport) {
        let evidence = |error: &crate::store::catch_up::CatchUpError| error.evidence();
        let outcomes = report.stores.iter().filter_map(|store| store.outcome.as_ref().err());
        for reason in outcomes.filter_map(evidence) {
            let exit = Exit::from(reason.class());
            self.met = Some(self.met.map_or(exit, |met| met.worse(exit)));
        }
        let outcomes = report.stores.iter().map(|store| store.outcome.as_ref());
        if outcomes.flatten().filter_map(CaughtUp::replaced_for).any(RebuildReason::is_wound) {
            self.broken.push(root.to_owned());
        }
        self.found.retain(|(met, _)| met != root);
        self.found.extend(report.contradicts().map(|first| (root.to_owned(), first)));
    }

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

    pub fn of(&self, root: &Path) -> Option<crate::execution::Contradiction> {
        self.found.iter().find(|(met, _)| met == root).map(|(_, first)| *first)
    }

    pub fn judge(&self, exit: Exit) -> Exit {
        match self.met {
            Some(met) if self.asked => exit.worse(met),
            _ => exit,
        }
    }
}
