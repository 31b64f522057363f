//! Vectors of a query, before a search; and of records that have none, when it is asked for.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::{CommandVectors, EmbedError, Near};
use crate::config::environment;
use crate::event::{Body, MemoryEmbedded};
use crate::memory::limits::JUDGED_MAX;
use crate::memory::{Asker, Memory, MemoryError, Result};

/// Texts that the command is given at once, and their bytes.
const TEXTS_MAX: usize = 64;
const BYTES_MAX: usize = 256 << 10;

/// What was embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Embedded {
    /// Records that have a vector now.
    pub embedded: u64,
    /// Records that have none yet: the time was over, or they were changed meanwhile.
    pub left: u64,
    pub model: String,
    pub dimensions: usize,
}

/// A record that is to have a vector.
struct Pending {
    id: u64,
    branch: String,
    text: String,
}

impl Memory<'_> {
    /// The settings' command; `None` where they name none, or a hook of debug memory runs this.
    fn command(&self, within: Duration) -> Result<Option<CommandVectors>> {
        let project = self.project.get();
        let Some(line) = &project.config().memory.embed else { return Ok(None) };
        project.must_act_by_settings()?;
        let made = || CommandVectors::new(line, project.root().to_owned(), within);
        Ok((!environment::is_inside_hook()).then(made))
    }

    /// Makes a vector of what the operations to come search for, outside of any transaction: nobody waits for it. Why
    /// there is none, where the command did not make one: then words alone count.
    pub fn compare(&mut self, query: &str) -> Result<Option<EmbedError>> {
        let within = Duration::from_secs(self.project.get().config().memory.embed_timeout_s);
        let Some(command) = self.command(within)? else { return Ok(None) };
        let query = self.bench.redactor.redact_text(query);
        if query.trim().is_empty() || self.bench.near.iter().any(|it| it.query == query) {
            return Ok(None);
        }
        match command.embed(&[&query]) {
            Ok(mut made) => {
                let vector = made.vectors.pop().unwrap_or_default();
                if self.bench.near.len() >= JUDGED_MAX {
                    self.bench.near.remove(0);
                }
                self.bench.near.push(Near { query, model: made.model, vector });
                Ok(None)
            }
            Err(error) => Ok(Some(error)),
        }
    }

    /// Makes vectors of the records that have none, or of all, in batches, each a commit, for about so long.
    pub fn embed(&mut self, asker: &Asker, all: bool, within: Duration) -> Result<Embedded> {
        let began = Instant::now();
        let ids = self.operate(asker, |op| {
            let view = op.view_with_words()?;
            let known = view.embedded()?.filter(|_| !all).unwrap_or_default();
            Ok(view.record_ids()?.into_iter().filter(|id| !known.contains(id)).collect::<Vec<_>>())
        })?;
        let mut done = Embedded { left: ids.len() as u64, ..Embedded::default() };
        let mut ids = ids.into_iter().peekable();
        while ids.peek().is_some() {
            let left = within.saturating_sub(began.elapsed());
            if left.is_zero() {
                break;
            }
            let Some(command) = self.command(left)? else {
                return Err(EmbedError::NoCommand.into());
            };
            let batch = self.operate(asker, |op| {
                let (view, mut batch, mut bytes) = (op.view()?, Vec::<Pending>::new(), 0);
                while batch.len() < TEXTS_MAX
                    && bytes < BYTES_MAX
                    && let Some(id) = ids.next()
                {
                    let Some(it) = view.record(id)? else { continue };
                    bytes += it.text.len();
                    batch.push(Pending { id, branch: it.branch, text: it.text });
                }
                Ok(batch)
            })?;
            if batch.is_empty() {
                continue;
            }
            let texts: Vec<&str> = batch.iter().map(|it| it.text.as_str()).collect();
            let made = match command.embed(&texts) {
                // The time that was given is over, and what was made before stands.
                Err(EmbedError::TooLong { .. }) if done.embedded > 0 => break,
                made => made?,
            };
            done.dimensions = made.vectors.first().map_or(0, Vec::len);
            let count = self.operate(asker, |op| {
                let mut count = 0;
                for (it, vector) in batch.iter().zip(&made.vectors) {
                    // What was changed meanwhile has another meaning.
                    if op.view()?.record(it.id)?.is_some_and(|now| now.text == it.text) {
                        let (model, origin) = (made.model.clone(), op.origin());
                        let (branch, vector) = (it.branch.clone(), vector.clone());
                        let record = it.id;
                        let body = MemoryEmbedded { branch, record, model, vector, origin };
                        op.record(Body::MemoryEmbedded(body))?;
                        count += 1;
                    }
                }
                Ok(count)
            })?;
            done.model = made.model;
            done.embedded += count;
            done.left -= count;
        }
        Ok(done)
    }
}

impl From<EmbedError> for MemoryError {
    fn from(error: EmbedError) -> Self {
        Self::Embed(error)
    }
}
