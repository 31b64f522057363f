//! Calls that failed and changed nothing: they take no proof from a check. What one of them was about has not been seen
//! all the same, and a claim that names it is held against it.

use super::{Grounding, GroundingEntry, OpenCall, push};
use crate::event::Change;
use crate::event::derived::{Decode, Encode};
use crate::parse::has_word;

/// Calls that are kept, the newest, and names of each.
const MISSED_MAX: usize = 16;
const NAMES_MAX: usize = 8;
/// What a server on one's own machine is called in words.
const SERVERS: &str = "server service site website page endpoint api app backend frontend";
/// Words of a clause that says that something is not there.
const ABSENCE: &str = "no not none never nothing without cannot cant gone missing absent removed removes remove deleted \
    deletes delete dropped renamed moved failed fails unable instead longer couldnt didnt doesnt isnt wasnt";

/// A look, or a deed, that failed, and has not gone well since.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Missed {
    pub sequence: u64,
    /// `#142`
    pub name: String,
    pub tool: String,
    pub target: Option<String>,
    /// File names, paths, hosts, verbs.
    names: Vec<String>,
}

impl Grounding {
    /// Remembers what a call failed to look at, or to do.
    pub(super) fn miss(&mut self, entry: &GroundingEntry, about: &OpenCall) {
        let mut names: Vec<String> = about.subjects.iter().filter_map(|it| named(it)).collect();
        names.truncate(NAMES_MAX);
        if names.is_empty() {
            return;
        }
        let (name, tool, target) = (entry.name(), entry.tool.clone(), entry.target.clone());
        let missed = Missed { sequence: entry.moment.sequence, name, tool, target, names };
        push(&mut self.missed, missed, MISSED_MAX);
    }

    /// A call went well: what it names has been seen, or made.
    pub(super) fn see(&mut self, about: &OpenCall, changed: &[Change]) {
        if self.missed.is_empty() {
            return;
        }
        let changed = changed.iter().map(|it| &it.path);
        let named = about.target.iter().chain(&about.paths).chain(changed);
        let words: Vec<String> = named.flat_map(|it| words(it)).collect();
        let is_seen =
            |it: &Missed| it.names.iter().any(|name| words.iter().any(|it| is_of(it, name)));
        self.missed.retain(|it| !is_seen(it));
    }

    /// What a claim says is there or done, and of which no more is known than that a call of it failed.
    pub fn missed(&self, text: &str) -> Option<&Missed> {
        if self.missed.is_empty() {
            return None;
        }
        let clauses: Vec<Vec<String>> = clauses(text).map(|it| words(it).collect()).collect();
        let is_absent = |clause: &[String]| {
            clause.iter().any(|it| has_word(ABSENCE, &it.replace(['\'', '\u{2019}'], "")))
        };
        let is_said = |missed: &&Missed| {
            let says = |word: &String| missed.names.iter().any(|name| is_called(word, name));
            clauses.iter().any(|it| it.iter().any(says) && !is_absent(it))
        };
        self.missed.iter().rev().find(is_said)
    }

    pub(super) fn missed_is_bounded(&self) -> bool {
        let is_bounded = |it: &Missed| it.sequence <= self.through && it.names.len() <= NAMES_MAX;
        self.missed.len() <= MISSED_MAX && self.missed.iter().all(is_bounded)
    }
}

/// What a claim calls it by: a file by its name, a folder or a file without an ending by its path's end, a page by its
/// host, a deed by its verb.
fn named(subject: &str) -> Option<String> {
    let subject = subject.to_lowercase();
    if subject.contains("://") {
        return host(&subject).map(str::to_owned);
    }
    let path = subject.trim_end_matches('/');
    let mut parts = path.rsplit('/').filter(|it| !it.is_empty());
    let last = parts.next()?;
    match parts.next() {
        _ if last.contains('.') && last.contains(char::is_alphanumeric) => Some(last.to_owned()),
        Some(folder) => Some(format!("{folder}/{last}")),
        None => Some(last.to_owned()).filter(|_| !subject.contains('/')),
    }
}

/// `localhost:3000` of `http://localhost:3000/x`.
fn host(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    rest.split(['/', '?', '#']).next().filter(|it| !it.is_empty())
}

fn is_own(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or_default();
    matches!(name, "localhost" | "127.0.0.1" | "0.0.0.0") || name.ends_with(".local")
}

/// Whether a word is this name, a path that ends in it, or an address below it.
fn is_of(word: &str, name: &str) -> bool {
    let ends = || word.strip_suffix(name).is_some_and(|it| it.ends_with('/'));
    word == name || ends() || host(word) == Some(name) || word.split('/').next() == Some(name)
}

/// Whether a word of a claim stands for this name.
fn is_called(word: &str, name: &str) -> bool {
    let is_deed = !name.contains(['.', '/', ':']);
    is_of(word, name)
        || is_own(name) && has_word(SERVERS, word)
        || is_deed && !is_own(name) && matches!(word.strip_prefix(name), Some("ed" | "es"))
}

/// The words of a text, in small letters, as names stand among them.
fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| c.is_whitespace() || "\"`()[]{}<>,;|&=*".contains(c));
    let bare = |it: &str| {
        let it =
            it.trim_matches(|c: char| matches!(c, '\'' | ':' | '!' | '?')).trim_end_matches('.');
        it.strip_prefix("./").unwrap_or(it).to_lowercase()
    };
    parts.map(bare).filter(|it| !it.is_empty())
}

/// A dot ends one where a blank follows: others are a name's own.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '\n', '!', '?']).flat_map(|it| it.split(". "))
}
