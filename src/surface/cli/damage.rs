//! What is told of a journal that is damaged, by whichever command notices: one line on standard
//! error, a key in documents, and the exit code of those that ask.

use std::path::PathBuf;

use super::{Context, Exit, shown};
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
    /// How a command ended, by what its journals are.
    pub fn judge(&self, exit: Exit) -> Exit {
        if self.met && self.asked { exit.worse(Exit::Damaged) } else { exit }
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
    if context.damage.looked.contains(&source.journal) {
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

/// Tells what a look found, once a journal.
pub fn tell(source: &Source, found: &Look, context: &mut Context) {
    context.damage.looked.push(source.journal.clone());
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
