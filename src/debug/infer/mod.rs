//! Debug sessions worked out of agents' sessions that are in the journal: runs of one runner's tests in
//! one folder, from the first that failed till those tests pass, are the attempts, and what was edited
//! between them the fixes. Nobody recorded the code: an attempt's `code_hash` is the SHA-256 of the
//! session and of every edit so far.
//!
//! Everything comes from what was recorded, and so do the ids: worked out twice, nothing is added; where
//! the agent went on, what is new is. What is to be learnt is; no command of the settings runs: nobody is
//! to be called about what is past.

mod chain;
mod command_line;
mod edit;
mod edits;
mod error;
mod infer_done;
mod inferred;
mod limits;
mod lines;
mod places;
mod reading;
mod recording;
mod run;
mod selection;
mod told;

#[cfg(test)]
mod tests;

pub use error::InferError;
pub use infer_done::InferDone;
pub use inferred::Inferred;

use crate::event::SessionId;
use crate::execution::replay::{Asked, Walk, What, Window};
use crate::journal::Reading as How;
use crate::journal::{Project, Recorder};
use chain::Chain;
use reading::Reading;
use recording::record;
use told::Told;

/// Works debug sessions out of one agent's session (its id, the beginning of it, or the agent's own
/// name of it), `None`: of all. `dry_run` records nothing and tells what would be.
///
/// # Errors
/// Where the journal cannot be read, there is no such session, or something cannot be recorded.
pub fn infer(
    project: &Project,
    session: Option<&str>,
    dry_run: bool,
) -> Result<InferDone, InferError> {
    project.journal()?.sync()?;
    let journal = project.journal_dir();
    let wanted = match session {
        Some(session) => {
            let asked = Asked { session: Some(session.to_owned()), from: None, to: None };
            asked.window(&journal, How::Live)?.sessions
        }
        None => None,
    };
    let told = Told::of(project)?;
    let (chains, known) = chains(project, wanted.as_deref(), &told)?;
    let mut found = Vec::with_capacity(chains.len());
    let mut recorder = Recorder::live(project)?;
    for chain in &chains {
        found.extend(record(project, &mut recorder, chain, &told, dry_run)?);
    }
    Ok(InferDone { found, known })
}

fn chains(
    project: &Project,
    wanted: Option<&[SessionId]>,
    told: &Told,
) -> Result<(Vec<Chain>, u64), InferError> {
    let walk = Walk::events(&project.journal_dir(), How::Live, Window::default())?;
    let contents = walk.contents().clone();
    let mut reading = Reading::new(project.root(), wanted, told);
    for step in walk {
        if let What::Event(recorded) = step?.what {
            reading.take(&recorded, &contents);
        }
    }
    Ok(reading.finish())
}
