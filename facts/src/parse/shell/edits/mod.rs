//! Which files a command line surely changes, where it ends well.
//!
//! Sure is what runs whatever happens before it, or whose not running would have been told by the exit
//! code, and what names its files plainly. What may write besides is unsure, and nobody is held to it.

mod changed;
mod named;
mod open;
mod stray;
mod sure;
#[cfg(test)]
mod tests;

use super::program::{self, Program};
use super::{Joint, Script, Simple, write};
use crate::parse::has_word;
pub use changed::Changed;
use named::Named;
use open::Open;

/// Files of one command line that are told.
const FILES_MAX: usize = 64;

/// What a command line does to files, where it ends well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellEdits {
    /// As the command names them, behind the folder that it went to before.
    pub sure: Vec<String>,
    /// Changes that the disk must be asked about: nothing in their names says that they are files.
    pub asked: Vec<Changed>,
    /// It may change others, those that are asked about among them.
    pub unsure: bool,
    /// It may change lines of files that it does not name: `stray`.
    pub strays: bool,
}

/// Words behind which a command stands.
const BETWEEN: &str = "then else elif do ! time";
/// Commands behind which nothing runs.
const LAST: &str = "exit return exec";
/// Commands behind which a loop may run nothing more.
const BREAKS: &str = "break continue";
/// Commands that hardly ever fail, so that what stands behind their `&&` runs.
const HARMLESS: &str = "cd export echo printf true set source . : pwd mkdir cat sleep date unset";
/// Programs whose output is a file's text. What others print into a file, a check's too, tells of them and is no
/// edit that anybody is held to.
const WRITERS: &str =
    ": true cat echo printf sed awk gawk head tail sort uniq tr cut jq yq git tee base64 envsubst";
/// What they change is their own files, wherever those are.
const CONTAINERS: &str = "docker podman docker-compose";

/// The folder that a shell is in, as it went there.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Folder {
    /// Empty: where the line was begun.
    At(String),
    Unknown,
}

impl Folder {
    fn join(&self, path: &str) -> Option<String> {
        match self {
            _ if path.starts_with('/') => Some(path.to_owned()),
            Self::At(folder) if folder.is_empty() => Some(path.to_owned()),
            Self::At(folder) => Some(format!("{}/{path}", folder.trim_end_matches('/'))),
            Self::Unknown => None,
        }
    }

    fn enter(&mut self, folder: Option<&str>) {
        let there = folder.filter(|it| is_plain(it)).and_then(|it| self.join(it));
        *self = there.map_or(Self::Unknown, Self::At);
    }
}

/// How far a line was read.
struct Reading {
    edits: ShellEdits,
    top: Folder,
    /// The folder of the newest other shell, where it went anywhere.
    other: Option<(u16, Folder)>,
    /// The loops, conditions, groups and functions that are open.
    open: Vec<Open>,
    /// The line has a function: a group may be its body.
    defines: bool,
    /// Whether what is read now runs.
    runs: bool,
    /// Whether what its pipe begins with writes a file's text.
    writes: bool,
    /// Whether all before it in its list hardly ever fails.
    calm: bool,
    over: bool,
}

impl ShellEdits {
    pub fn of(command: &str) -> Self {
        Self::of_script(&Script::of(command))
    }

    pub fn of_script(script: &Script) -> Self {
        let commands = &script.commands;
        let mut reading = Reading {
            edits: Self::default(),
            top: Folder::At(String::new()),
            other: None,
            open: Vec::new(),
            defines: script.defines,
            runs: true,
            writes: true,
            calm: true,
            over: false,
        };
        for (at, command) in commands.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| commands.get(at)).map(|it| it.joint);
            reading.begin(before, at > 0 && tells_end(&commands[at - 1..]));
            reading.read(command, before);
        }
        reading.edits
    }
}

/// Whether a command that fails makes its line fail: then all behind its `&&` ran where the line did not.
fn tells_end(from: &[Simple]) -> bool {
    let last = from.len() - 1;
    from.iter().enumerate().all(|(at, it)| match it.joint {
        Joint::And | Joint::Pipe | Joint::End => true,
        Joint::Then => at == last,
        Joint::Or | Joint::Background => false,
    })
}

impl Reading {
    fn begin(&mut self, before: Option<Joint>, tells_end: bool) {
        match before {
            None | Some(Joint::Then | Joint::Background | Joint::End) => {
                let around = self.open.last().is_none_or(|it| it.runs);
                (self.runs, self.calm) = (around && !self.over, true);
            }
            Some(Joint::And) => self.runs &= self.calm || tells_end,
            Some(Joint::Or) => self.runs = false,
            Some(Joint::Pipe) => {}
        }
    }

    fn read(&mut self, command: &Simple, before: Option<Joint>) {
        let first = command.words.first().map(String::as_str).unwrap_or_default();
        let between = has_word(BETWEEN, first);
        let mut words = if between { &command.words[1..] } else { &command.words[..] };
        if Open::ends(first) {
            self.open.pop();
        } else if let Some(open) = Open::of(words, self.runs, self.defines) {
            self.open.push(open);
            words = if words[0] == "{" { &words[1..] } else { words };
        }
        let piped = before == Some(Joint::Pipe) || command.joint == Joint::Pipe;
        match words.first().map(String::as_str) {
            Some("cd") if !piped => return self.go(command.shell, words.get(1)),
            Some("pushd" | "popd") => return self.go(command.shell, None),
            // What ends a line well may have ended it before it did more.
            Some(word) if has_word(LAST, word) && (self.is_sure() || is_zero(words.get(1))) => {
                self.over = true;
            }
            Some(word) if has_word(BREAKS, word) => {
                self.open.iter_mut().for_each(|it| it.is_sure = false);
            }
            _ => {}
        }
        let skipped = command.words.len() - words.len();
        for command in open::each(&self.open, command) {
            self.change(&command, &command.words[skipped..], before);
        }
    }

    /// Takes what a command changes.
    fn change(&mut self, command: &Simple, words: &[String], before: Option<Joint>) {
        let named = self.named(command, words);
        let is_harmless = Program::of(words).is_none_or(|it| has_word(HARMLESS, it.name));
        self.calm &= is_harmless || !named.is_empty();
        if before != Some(Joint::Pipe) {
            self.writes = Program::of(words).is_none_or(|it| has_word(WRITERS, it.name));
        }
        let is_tee = Program::of(words).is_some_and(|it| it.name == "tee");
        let (named, teed) = if is_tee { (Vec::new(), named) } else { (named, Vec::new()) };
        let printed = command.outputs.iter().filter(|it| !it.is_empty()).cloned();
        let printed: Vec<Changed> = printed.map(Changed::File).chain(teed).collect();
        let is_sure = self.is_sure();
        let is_unnamed = |it: &Changed| stray::is_unnamed(it, is_sure);
        self.edits.strays |=
            named.iter().any(is_unnamed) || self.writes && printed.iter().any(is_unnamed);
        self.add(command.shell, named, is_sure);
        self.add(command.shell, printed, is_sure && self.writes);
    }

    fn is_sure(&self) -> bool {
        self.runs && self.open.iter().all(|it| it.is_sure)
    }

    fn go(&mut self, shell: u16, folder: Option<&String>) {
        let mut folders = self.folder(shell);
        match self.is_sure() && !self.open.iter().any(Open::is_loop) {
            true => folders.enter(folder.map(String::as_str)),
            // It may have gone there.
            false => folders = Folder::Unknown,
        }
        match shell {
            0 => self.top = folders,
            _ => self.other = Some((shell, folders)),
        }
    }

    /// A shell begins where the one around it is; which that is nobody knows where another one went
    /// elsewhere.
    fn folder(&self, shell: u16) -> Folder {
        match &self.other {
            _ if shell == 0 => self.top.clone(),
            Some((other, folder)) if *other == shell => folder.clone(),
            Some(_) => Folder::Unknown,
            None => self.top.clone(),
        }
    }

    /// The files that a command names as what it changes; what else it may write makes the line unsure.
    fn named(&mut self, command: &Simple, words: &[String]) -> Vec<Changed> {
        let Some(program) = Program::of(words) else { return Vec::new() };
        let before = &words[..words.len() - program.arguments.len()];
        if before.iter().any(|it| has_word(CONTAINERS, it)) {
            return Vec::new();
        }
        let given = program::shell_given(&program, &command.given);
        let writes = given.is_some_and(|it| Script::of(it).writes());
        let (unsure, strays) = match Named::of(&program, &command.given) {
            Named::Files(files) if !Program::is_fed(words) => return files,
            Named::Files(_) | Named::Others => (true, stray::others(&program)),
            Named::Unknown => (write::program_writes(command), stray::unknown(command, &program)),
            Named::Nothing => (false, false),
        };
        self.edits.unsure |= writes || unsure;
        self.edits.strays |= writes || strays;
        Vec::new()
    }

    fn add(&mut self, shell: u16, files: Vec<Changed>, is_sure: bool) {
        let folder = self.folder(shell);
        for file in files {
            if matches!(&file, Changed::File(it) if it.starts_with("/dev/")) {
                continue;
            }
            let plain = |it: &str| is_sure && is_plain(it) && !it.ends_with('/');
            let file = file.with(|it| folder.join(it).filter(|_| plain(it)));
            let edits = &mut self.edits;
            let is_room = edits.sure.len() + edits.asked.len() < FILES_MAX;
            edits.unsure |= !matches!(file, Some(Changed::File(_))) || !is_room;
            match file.filter(|_| is_room) {
                Some(Changed::File(path)) if !edits.sure.contains(&path) => edits.sure.push(path),
                Some(Changed::File(_)) | None => {}
                Some(asked) => edits.asked.push(asked),
            }
        }
    }
}

fn is_zero(code: Option<&String>) -> bool {
    code.is_some_and(|it| it == "0")
}

/// Whether a word is a path as it stands: nothing in it that a shell puts something else for. Which of its
/// characters were quoted nobody knows any more.
fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with(['-', '~'])
        && !path.contains(|c: char| "*?[]{}$`\\\"'|<>!".contains(c) || c.is_control())
}
