//! A project's own checks and matchers, ready to be read by: what no rule knows without being told.

use std::sync::{Arc, OnceLock};

use super::command::check_fault;
use super::problem::OwnPatterns;
use crate::event::derived::{
    Decode, DecodeError, Decoder, Encode, EncodeError, Encoder, impl_borrow_decode,
};
use crate::event::limits::{CHECK_BYTES_MAX, CHECKS_LEN_MAX, MATCHERS_LEN_MAX};
use crate::event::{CheckList, DeclaredCheck};
use crate::parse::shell::{Script, Simple};

/// A project's own checks and matchers. What can be none is left out, whoever declared it: an `echo` that
/// came with a journal checks nothing.
#[derive(Clone, Debug, Default)]
pub struct CheckRules(Arc<Rules>);

#[derive(Debug, Default)]
struct Rules {
    list: CheckList,
    /// The words of each check's beginning.
    begins: Vec<Vec<String>>,
    /// The matchers, compiled once something is read by them.
    patterns: OnceLock<Vec<OwnPatterns>>,
}

impl PartialEq for CheckRules {
    fn eq(&self, other: &Self) -> bool {
        self.0.list == other.0.list
    }
}

impl Eq for CheckRules {}

impl From<CheckList> for CheckRules {
    fn from(mut list: CheckList) -> Self {
        list.checks
            .retain(|it| it.command.len() <= CHECK_BYTES_MAX && check_fault(&it.command).is_none());
        list.checks.truncate(CHECKS_LEN_MAX);
        list.matchers.truncate(MATCHERS_LEN_MAX);
        let words = |it: &DeclaredCheck| {
            let simple = Script::of(&it.command).commands.into_iter().next();
            simple.map(|it| it.words).unwrap_or_default()
        };
        let begins = list.checks.iter().map(words).collect();
        Self(Arc::new(Rules { list, begins, patterns: OnceLock::new() }))
    }
}

impl Encode for CheckRules {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        self.0.list.encode(encoder)
    }
}

impl<Context> Decode<Context> for CheckRules {
    fn decode<D: Decoder<Context = Context>>(decoder: &mut D) -> Result<Self, DecodeError> {
        CheckList::decode(decoder).map(Self::from)
    }
}

impl_borrow_decode!(CheckRules);

impl CheckRules {
    pub fn checks(&self) -> &[DeclaredCheck] {
        &self.0.list.checks
    }

    pub(super) fn patterns(&self) -> &[OwnPatterns] {
        let made = || self.0.list.matchers.iter().map(OwnPatterns::of).collect();
        self.0.patterns.get_or_init(made)
    }

    pub fn list(&self) -> &CheckList {
        &self.0.list
    }

    /// Whether one of a line's commands is one of these.
    pub fn is_called_by(&self, script: &Script) -> bool {
        script.commands.iter().any(|it| self.check_of(it).is_some())
    }

    /// The check that a simple command is, told by how it begins; the longest beginning counts.
    pub(super) fn check_of(&self, command: &Simple) -> Option<&DeclaredCheck> {
        if self.0.begins.is_empty() {
            return None;
        }
        let program = command.program()?;
        let from_program = command.words.len() - program.arguments.len() - 1;
        let begins = |own: &Vec<String>| {
            let called = &command.words[from_program..];
            command.words.starts_with(own) || called.starts_with(own) || is_script(own, called)
        };
        let found = self.0.begins.iter().zip(self.checks()).filter(|(own, _)| begins(own));
        found.max_by_key(|(own, _)| own.len()).map(|(_, check)| check)
    }
}

/// Whether `npm run test` is called as `npm test`, `pnpm test`, `yarn run test`, `bun run test`.
fn is_script(own: &[String], called: &[String]) -> bool {
    const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
    let [own, run, script] = own else { return false };
    let [program, first, rest @ ..] = called else { return false };
    let runs = matches!(first.as_str(), "run" | "run-script");
    let name = if runs { rest.first() } else { Some(first) };
    let is_one = MANAGERS.contains(&program.as_str());
    let is_short =
        runs || program == "yarn" || program == "pnpm" || script == "test" && program == "npm";
    MANAGERS.contains(&own.as_str()) && run == "run" && is_one && is_short && name == Some(script)
}
