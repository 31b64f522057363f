//! Catches the stores up, and says where one lags.

use super::opened::Opened;
use super::{CliError, Context, with_causes};
use crate::command::{self, Feed, JournalFeed, Project, StorePlaces};
use crate::event::Sequence;
use crate::query::Stores;

/// Feeds the stores what the journal has. A lag is told and changes nothing: what was recorded
/// stands, and the next command tries again.
pub fn catch_up(project: &Project, context: &mut Context) {
    if let Err(error) = command::sweep_dead_owners(project) {
        let why = with_causes(&error);
        context.output.note(format_args!("a killed run is still listed as open: {why}"));
    }
    let feed = match JournalFeed::of(project) {
        Ok(feed) => feed,
        Err(error) => {
            let why = with_causes(&error);
            context.output.note(format_args!("the stores were not caught up: {why}"));
            return;
        }
    };
    let report = command::catch_up(&StorePlaces::of(project.root()), &feed);
    for store in &report.stores {
        match &store.outcome {
            Ok(done) => {
                if let Some(place) = &done.quarantined {
                    let place = super::shown(place);
                    let store = store.store;
                    context
                        .output
                        .note(format_args!("{store} was rebuilt; the old one is {place}"));
                }
            }
            Err(error) => {
                let why = with_causes(error);
                context.output.note(format_args!("{} lags: {why}", store.store));
                context.output.note("try: annals repair");
            }
        }
    }
}

/// The project's stores, open for questions.
///
/// # Errors
/// Where one cannot be read.
pub fn stores(project: &Project) -> Result<Stores, CliError> {
    Ok(Stores::open(&StorePlaces::of(project.root()))?)
}

/// The stores of every journal that was asked about, caught up where that is possible.
///
/// # Errors
/// Where there is no project, or a store cannot be read.
pub fn open_all(context: &mut Context) -> Result<Vec<Opened>, CliError> {
    let project = context.project()?;
    catch_up(&project, context);
    let places = StorePlaces::of(project.root());
    let stores = Stores::open(&places)?;
    Ok(vec![Opened { name: None, journal: project.journal_dir(), places, stores, evidence: false }])
}

/// The last event of the project's journal that no loss of power can take back; `None` where
/// nobody can write to it, and what can be read is all there is.
pub fn durable(context: &Context) -> Option<Sequence> {
    // A journal that cannot be opened for writing is read as it stands.
    let project = context.project().ok()?;
    let feed = JournalFeed::of(&project).ok()?;
    Some(feed.through().sequence)
}
