//! What is told of a journal that is damaged, by whichever command notices: one line on standard
//! error, a key in documents, and the exit code of those that ask.

use std::path::PathBuf;

use super::{Command, Context, Exit, shown};
use crate::command::look::{Depth, Look, look};
use crate::command::{Project, Reading, Source};
use crate::surface::escape;

/// Pieces of damage that a document names.
const NAMED_MAX: usize = 10;

/// What is known of the journals that a command met.
#[derive(Debug, Default)]
pub struct Damage {
    /// Those that were looked at.
    looked: Vec<PathBuf>,
    /// Those of which every byte was, since something was missed.
    searched: Vec<PathBuf>,
    /// One of them is damaged.
    met: bool,
    /// What is printed is an answer from them.
    pub asked: bool,
}

impl Damage {
    /// Whether one of them is damaged: what is not found there may have been.
    pub fn is_met(&self) -> bool {
        self.met
    }

    /// How a command ended, by what its journals are.
    pub fn judge(&self, exit: Exit) -> Exit {
        if self.met && self.asked { exit.worse(Exit::Damaged) } else { exit }
    }
}

/// What a command owes to who calls it where the journal is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    /// What it prints is an answer: the line, before it is printed, and exit 3.
    Answer,
    /// The line. Its exit code is its own, unless a part of it answers and asks.
    Line,
    /// It tells in its own words, or has no journal, or one of its own.
    Own,
}

impl Duty {
    /// Every command has one: a new one must be given its own here.
    fn of(command: &Command) -> Self {
        match command {
            Command::Sessions(_)
            | Command::Log(_)
            | Command::Show(_)
            | Command::Failures(_)
            | Command::Query(_)
            | Command::Timeline(_)
            | Command::Trace(_)
            | Command::Gate(_)
            | Command::Claim(_)
            | Command::Context(_)
            | Command::Export(_)
            | Command::Sql(_)
            | Command::Bundle(_)
            | Command::Rebuild(_) => Self::Answer,
            Command::Enable(_)
            | Command::Disable(_)
            | Command::Init(_)
            | Command::Run(_)
            | Command::Record(_)
            | Command::Import(_)
            | Command::Session(_)
            | Command::Replay(_)
            | Command::Step(_)
            | Command::Tui(_)
            | Command::Memory(_)
            | Command::Repo(_)
            | Command::Debug(_)
            | Command::Pipe(_)
            | Command::Trust(_)
            | Command::Scan(_)
            | Command::Phases(_)
            | Command::Tool(_) => Self::Line,
            Command::Tour(_)
            | Command::Status(_)
            | Command::Verify(_)
            | Command::Repair(_)
            | Command::Salvage(_)
            | Command::Hook(_)
            | Command::Inspect(_)
            | Command::Completions(_)
            | Command::Man(_) => Self::Own,
        }
    }
}

/// What is done once a command has ended: the line is told wherever it was not.
#[must_use = "a command that ended has its line to tell"]
pub struct Owed(Duty);

/// Looks at what a command answers from, before it does.
pub(super) fn begin(command: &Command, context: &mut Context) -> Owed {
    let duty = Duty::of(command);
    if duty == Duty::Answer {
        context.damage.asked = true;
        note_all(context);
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

/// Looks at every journal that a command is about.
fn note_all(context: &mut Context) {
    // Where there is none, or one is none, the command itself says so.
    let Ok(sources) = context.sources() else { return };
    for source in &sources {
        note(source, context);
    }
}

/// Looks at a journal before it is asked.
pub fn ask(source: &Source, context: &mut Context) {
    context.damage.asked = true;
    note(source, context);
}

/// As [`ask`], of a project.
pub fn ask_project(project: &Project, context: &mut Context) {
    context.damage.asked = true;
    note_project(project, context);
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
    if context.damage.looked.contains(&real(source)) {
        return;
    }
    let reading = source.reading(context.evidence);
    let depth = match reading {
        Reading::Live => Depth::Cheap,
        Reading::Evidence => Depth::Whole,
    };
    let found = look(source, reading, depth, &context.cache);
    tell(source, &found, context);
}

/// Looks at every byte of a journal in which something was missed that a cheap look had not met, once.
pub fn met(source: &Source, context: &mut Context) {
    if context.damage.searched.contains(&source.journal) {
        return;
    }
    context.damage.searched.push(source.journal.clone());
    let found = look(source, source.reading(context.evidence), Depth::Whole, &context.cache);
    if is_news(&found, context) {
        tell(source, &found, context);
    }
}

/// As [`note_project`], of one that is asked again and again: what is new since is told.
pub fn note_again(project: &Project, context: &mut Context) {
    let Ok(source) = Source::of(project.root()) else { return }; // as above
    let found = look(&source, Reading::Live, Depth::Cheap, &context.cache);
    if is_news(&found, context) {
        tell(&source, &found, context);
    }
}

/// Whether something is lost that was not told yet.
fn is_news(found: &Look, context: &Context) -> bool {
    let known = &context.output.incomplete;
    found.losses().take(NAMED_MAX).any(|wound| !known.contains(&wound.text))
}

/// Looks at every byte of a journal that changed, and tells what is damaged.
pub fn look_whole(source: &Source, context: &mut Context) -> Look {
    context.damage.asked = true;
    let found = look(source, source.reading(context.evidence), Depth::Whole, &context.cache);
    tell(source, &found, context);
    found
}

/// Where a journal lies, however it was named.
fn real(source: &Source) -> PathBuf {
    // What cannot be looked up is known by its name.
    source.journal.canonicalize().unwrap_or_else(|_| source.journal.clone())
}

/// Tells what a look found, once a journal.
pub fn tell(source: &Source, found: &Look, context: &mut Context) {
    context.damage.looked.push(real(source));
    let mut losses = found.losses();
    let Some(first) = losses.next() else { return };
    context.damage.met = true;
    let more = match losses.count() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let place = if context.given { shown(&source.given) } else { String::new() };
    let of = if place.is_empty() { place.clone() } else { format!(" of {place}") };
    let what = escape::line(&first.text).into_owned();
    let next = format!("annals verify {place}");
    context.output.note(format_args!(
        "the journal{of} is damaged: {what}{more}; answers may lack what it held. Next: {}",
        next.trim_end()
    ));
    for wound in found.losses().take(NAMED_MAX) {
        context.output.lacks(&wound.text);
    }
}
