//! What is known of executions, in few bytes each: an import knows hundreds of thousands.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::fact::{Compared, ExecutionFact, State};
use crate::event::{ExecutionId, SessionId, Source};

#[derive(Debug, Default)]
pub(in crate::journal::recorder) struct Executions {
    known: HashMap<ExecutionId, Packed>,
    sessions: Numbered<Option<SessionId>>,
    tools: Numbered<Arc<str>>,
    /// Of calls as they happen.
    compared: HashMap<ExecutionId, Box<Compared>>,
}

/// For how many more there should be room: of thousands for eight times as many at once, since what a table leaves
/// behind that doubles again and again is kept from everybody else. Where that is more than a hundred thousand,
/// what nobody fills would cost more.
pub fn room(len: usize, capacity: usize) -> usize {
    if len == capacity && (MANY..=MOST).contains(&len) { 7 * len } else { 0 }
}

const MANY: usize = 14_000;
const MOST: usize = 100_000;

/// An [`ExecutionFact`], its session and tool by their numbers.
#[derive(Clone, Copy, Debug)]
struct Packed {
    session: u32,
    tool: u32,
    state: State,
    source: Source,
}

/// Values, each kept once.
#[derive(Debug)]
struct Numbered<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn number(&mut self, value: T) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(value.clone()).or_insert(next);
        if number == next {
            self.all.push(value);
        }
        number
    }

    fn get(&self, number: u32) -> Option<&T> {
        self.all.get(number as usize)
    }
}

impl Executions {
    pub fn insert(&mut self, id: ExecutionId, fact: ExecutionFact) {
        let ExecutionFact { session, tool, state, source, compared } = fact;
        let (session, tool) = (self.sessions.number(session), self.tools.number(tool));
        self.known.reserve(room(self.known.len(), self.known.capacity()));
        self.known.insert(id, Packed { session, tool, state, source });
        match compared {
            Some(compared) => drop(self.compared.insert(id, compared)),
            None => drop(self.compared.remove(&id)),
        }
    }

    pub fn has(&self, id: ExecutionId) -> bool {
        self.known.contains_key(&id)
    }

    pub fn get(&self, id: ExecutionId) -> Option<ExecutionFact> {
        self.known.get(&id).and_then(|packed| self.fact(id, *packed))
    }

    pub fn iter(&self) -> impl Iterator<Item = (ExecutionId, ExecutionFact)> {
        self.known.iter().filter_map(|(id, packed)| Some((*id, self.fact(*id, *packed)?)))
    }

    fn fact(&self, id: ExecutionId, packed: Packed) -> Option<ExecutionFact> {
        let Packed { session, tool, state, source } = packed;
        let (session, tool) = (*self.sessions.get(session)?, self.tools.get(tool)?.clone());
        let compared = self.compared.get(&id).cloned();
        Some(ExecutionFact { session, tool, state, source, compared })
    }

    pub fn extend(&mut self, later: &Self) {
        later.iter().for_each(|(id, fact)| self.insert(id, fact));
    }
}

#[cfg(test)]
mod tests;
