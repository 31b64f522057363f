//! What is told of a journal that is damaged, by whichever command notices: one line on standard
//! error, a key in documents, and the exit code of those that ask.

use std::path::{Path, PathBuf};

use super::command::Duty;
use super::{Command, Context, Exit, Result, asked_copy, forks, quote, shown};
use crate::journal::trust::seen::Contradiction;
use crate::journal::{LockFile, Project, Reading, Source, SourceError};
use crate::output::escape;
use crate::store::catch_up::Told;
use crate::store::look::{Depth, Look, Place, look, look_telling};

const NAMED_MAX: usize = 10;

#[derive(Debug, Default)]
pub struct Damage {
    looked: Vec<PathBuf>,
    /// Those of which every byte was, since something was missed.
    searched: Vec<PathBuf>,
    /// One of them is damaged.
    met: bool,
    /// One of them does not contain what was seen of it.
    contradicted: bool,
    /// A store around one has read what that does not have: nobody can say which part of an answer lacks it.
    beyond: bool,
    pub asked: bool,
    /// What is done is not for a journal that is another than was seen, damaged as it may be.
    seen: bool,
}

impl Damage {
    /// Whether one of them is damaged: what is not found there may have been.
    pub fn is_met(&self) -> bool {
        self.met
    }

    pub fn judge(&self, exit: Exit) -> Exit {
        let exit = match self.contradicted && (self.asked || self.seen) {
            true => exit.worse(Exit::Contradicted),
            false => exit,
        };
        if self.met && (self.asked || self.beyond) { exit.worse(Exit::Damaged) } else { exit }
    }
}

/// What is done once a command has ended: the line is told wherever it was not.
#[must_use = "a command that ended has its line to tell"]
pub struct Owed(Duty);

pub(super) fn begin(command: &Command, context: &mut Context) -> Owed {
    let duty = command.duty();
    let wants = command.wants();
    context.wants = wants.unwrap_or_default();
    if duty == Duty::Answer {
        context.damage.asked = true;
        match wants.and_then(|_| asked_copy::only(context)) {
            Some(copy) => asked_copy::note(&copy, context),
            None => note_all(context),
        }
    }
    if duty == Duty::Line {
        note_locks(context);
    }
    Owed(duty)
}

impl Owed {
    /// What was recorded stands, and the command's own output is before the line.
    pub fn settle(self, context: &mut Context) {
        if self.0 == Duty::Line {
            note_all(context);
        }
    }
}

fn note_all(context: &mut Context) {
    // Where there is none, or one is none, the command itself says so.
    let Ok(sources) = context.sources() else { return };
    for source in &sources {
        note(source, context);
    }
    if sources.len() > 1 {
        context.damage.met |= forks::note(&sources, context);
    }
}

/// Holds that what a path means is no journal that is lost.
pub fn must_have_journal(path: &Path) -> Result<()> {
    match Source::of(path) {
        Err(error @ SourceError::Lost(_)) => Err(error.into()),
        // What else is wrong with it is told when it is read.
        _ => Ok(()),
    }
}

/// Tells of a `LOCK` that whoever records makes anew; one that cannot be made is the error of who tries.
fn note_locks(context: &mut Context) {
    let Ok(sources) = context.sources() else { return }; // told by who reads them
    for source in sources.iter().filter(|it| it.is_live(context.evidence)) {
        let lock = LockFile::of(&source.journal);
        if let (LockFile::Missing | LockFile::Damaged, Some(problem)) = (lock, lock.problem()) {
            context.output.note(format_args!("the journal's {problem}"));
        }
    }
}

pub fn ask(source: &Source, context: &mut Context) {
    context.damage.asked = true;
    note(source, context);
}

pub fn ask_project(project: &Project, context: &mut Context) {
    context.damage.asked = true;
    note_project(project, context);
}

/// Looks at a journal that something is to be taken from: only that it is not the one that was seen is a finding then.
pub fn ask_whether_seen(project: &Project, context: &mut Context) {
    context.damage.seen = true;
    note_project(project, context);
}

/// As [`ask_whether_seen`], of one that lies anywhere.
pub fn ask_whether_source_seen(source: &Source, context: &mut Context) {
    context.damage.seen = true;
    note(source, context);
}

/// Looks at a journal that something was recorded in: that stands, whatever is wrong elsewhere.
pub fn note_project(project: &Project, context: &mut Context) {
    // One that is none says so itself.
    if let Ok(source) = Source::of(project.root()) {
        note(&source, context);
    }
}

/// Looks at a journal of which a command says itself whether its answer is whole.
pub fn note(source: &Source, context: &mut Context) {
    note_telling(source, None, context);
}

/// As [`note`]; `told` is told what is read.
pub fn note_telling(source: &Source, told: Option<Told>, context: &mut Context) {
    if context.damage.looked.contains(&real(source)) {
        return;
    }
    let reading = source.reading(context.evidence);
    let depth = match reading {
        // Who asks waits for what the answer may lack; who records is in somebody's way.
        Reading::Live if context.damage.asked || context.damage.seen => Depth::Cheap,
        Reading::Live => Depth::Brief,
        Reading::Evidence => Depth::Whole,
    };
    let found = look_telling(source, reading, depth, &context.cache, told);
    tell(source, &found, context);
}

/// Looks at every byte of a journal in which something was missed that a cheap look had not met, once.
pub fn met(source: &Source, context: &mut Context) {
    if context.damage.searched.contains(&source.journal) {
        return;
    }
    context.damage.searched.push(source.journal.clone());
    let found = look(source, source.reading(context.evidence), Depth::Whole, &context.cache);
    tell_news(source, found, context);
}

/// As [`note_project`], of one that is asked again and again: what is new since is told.
pub fn note_again(project: &Project, context: &mut Context) {
    let Ok(source) = Source::of(project.root()) else { return }; // told by who reads it
    tell_news(&source, look(&source, Reading::Live, Depth::Cheap, &context.cache), context);
}

fn tell_news(source: &Source, found: Look, context: &mut Context) {
    let known = &context.output.incomplete;
    if found.losses().take(NAMED_MAX).any(|wound| !known.contains(&wound.text)) {
        tell(source, &found, context);
    }
}

pub fn look_whole(source: &Source, context: &mut Context) -> Look {
    context.damage.asked = true;
    let found = look(source, source.reading(context.evidence), Depth::Whole, &context.cache);
    tell(source, &found, context);
    found
}

/// Whether there is what a repair mends; nothing is told.
pub fn is_mendable(source: &Source, context: &Context) -> bool {
    look(source, source.reading(context.evidence), Depth::Whole, &context.cache).is_mendable
}

fn real(source: &Source) -> PathBuf {
    // What cannot be looked up is known by its name.
    source.journal.canonicalize().unwrap_or_else(|_| source.journal.clone())
}

/// Whether a journal is the one that commands without a path are about.
pub fn is_own(source: &Source, context: &Context) -> bool {
    let own = context.sources().unwrap_or_default(); // none: then it is another one
    !context.given && own.iter().any(|it| real(it) == real(source))
}

pub fn verifying(source: &Source, context: &Context) -> String {
    match is_own(source, context) {
        true => "annals verify".to_owned(),
        false => format!("annals verify {}", quote::word(&shown(&source.given))),
    }
}

/// The command that holds the stores around a copy against its journal.
fn comparing(source: &Source, context: &Context) -> String {
    match is_own(source, context) {
        true => "annals --evidence status".to_owned(),
        false => format!("annals --evidence --dir {} status", quote::word(&shown(&source.given))),
    }
}

fn tell_contradiction(source: &Source, found: &Contradiction, context: &mut Context) {
    context.damage.contradicted = true;
    let what = found.to_string();
    context.output.lacks(&what);
    let of = if is_own(source, context) {
        String::new()
    } else {
        format!(" of {}", shown(&source.given))
    };
    let next = verifying(source, context);
    context.output.note(format_args!(
        "the journal{of} is not the one that was seen. It was {}. Next: {next}",
        escape::line(&what)
    ));
}

pub fn tell(source: &Source, found: &Look, context: &mut Context) {
    context.damage.looked.push(real(source));
    // What is taken from an older copy is in the one that was seen.
    let is_told = |it: &&Contradiction| !(it.is_older_copy && context.damage.seen);
    if let Some(contradiction) = found.contradiction.as_deref().filter(is_told) {
        tell_contradiction(source, contradiction, context);
    }
    let mut losses = found.losses();
    let Some(first) = losses.next() else { return };
    context.damage.met = true;
    let more = match losses.count() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let of = if is_own(source, context) {
        String::new()
    } else {
        format!(" of {}", shown(&source.given))
    };
    let what = escape::line(&first.text).into_owned();
    let next = match first.place {
        Place::Store { .. } => comparing(source, context),
        _ => verifying(source, context),
    };
    context.output.note(format_args!(
        "the journal{of} is damaged: {what}{more}; answers may lack what it held. Next: {next}"
    ));
    context.damage.beyond |= matches!(first.place, Place::Store { .. });
    for wound in found.losses().take(NAMED_MAX) {
        context.output.lacks(&wound.text);
    }
}
