//! One journal's stores: opened for each question where they may change, else held.

use super::super::TuiError;
use crate::cli::journals::Opened;
use crate::cli::search::Texts;
use crate::cli::with_causes;
use crate::execution::query::Stores;
use crate::execution::sweep_dead_owners;
use crate::execution::{AskedStores, Contradiction};
use crate::journal::Project;
use crate::journal::growth::Growth;
use crate::store::JournalFeed;
use crate::store::evidence::Cache;

pub struct Journal {
    /// What it is called, where there are several.
    name: Option<String>,
    access: Access,
}

enum Access {
    /// Opened for each question: held open, no store of it could be replaced by a rebuild.
    Live {
        project: Box<Project>,
        growth: Box<Growth>,
        /// The first of its stores that says something that the journal does not.
        contradicts: Option<Contradiction>,
    },
    /// As of then, or a copy's.
    Standing { opened: Box<Opened> },
}

/// What a look at a journal's end saw.
#[derive(Debug, Default)]
pub struct Look {
    pub grown: bool,
    pub lag: Option<String>,
}

impl Journal {
    /// A project's journal, which may go on; its stores were caught up.
    pub fn live(name: Option<String>, project: Project) -> Result<Self, TuiError> {
        let growth = Box::new(Growth::of(&project.journal_dir())?);
        Ok(Self {
            name,
            access: Access::Live { project: Box::new(project), growth, contradicts: None },
        })
    }

    /// Stores that stay as they are.
    pub fn standing(opened: Opened) -> Self {
        let name = opened.name.clone();
        Self { name, access: Access::Standing { opened: Box::new(opened) } }
    }

    pub fn name(&self) -> Option<String> {
        self.name.clone()
    }

    pub fn is_live(&self) -> bool {
        matches!(self.access, Access::Live { .. })
    }

    pub fn ask<T>(
        &self,
        question: impl FnOnce(&Stores) -> Result<T, TuiError>,
    ) -> Result<T, TuiError> {
        match &self.access {
            Access::Standing { opened } => question(&opened.stores),
            Access::Live { project, contradicts, .. } => {
                let stores = AskedStores::open(project, *contradicts, &Cache::of_user())?;
                question(&stores)
            }
        }
    }

    /// Its texts.
    pub fn texts(&self) -> Texts<'_> {
        match &self.access {
            Access::Standing { opened } => Texts::Opened(opened),
            Access::Live { project, .. } => Texts::Own(project),
        }
    }

    /// Looks whether it has grown, and if so catches its stores up.
    pub fn look(&mut self) -> Result<Look, TuiError> {
        let Access::Live { project, growth, contradicts } = &mut self.access else {
            return Ok(Look::default());
        };
        let mut lag = None;
        if project.is_at_home()
            && let Err(error) = sweep_dead_owners(project)
        {
            lag = Some(format!("a killed run is still listed as open: {}", with_causes(&error)));
        }
        let grown = growth.look()?;
        if grown {
            let feed = JournalFeed::asked(project)?;
            let report =
                crate::store::catch_up::catch_up(&crate::stores::places(project.root()), &feed);
            *contradicts = report.contradicts();
            let told =
                report.lag().map(|(store, why)| format!("{store} lags: {}", with_causes(why)));
            lag = lag.or(told);
        }
        Ok(Look { grown, lag })
    }
}
