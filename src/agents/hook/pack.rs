//! What an agent is given of what this project remembers: a pack at its beginning, at a prompt the files that it names
//! or means.
//!
//! As with every answer of a hook the stores are read as they stand; where they cannot be read nothing is said.

use super::words::Given;
use super::{Firing, words};
use crate::execution::StandingStores;
use crate::execution::query::Stores;
use crate::fault::Remedy;
use crate::journal::Project;
use crate::output::remedy;
use crate::repo::identify;
use crate::repo::pack::{AtHand, PackAsked, SectionName};

/// Of all that a session begins with, Unicode scalar values.
const CHARS_MAX: usize = 4_000;
const LEFT: &str = "What earlier sessions of this project left";
/// Files that a pack names, and those that a prompt adds.
const FILES_MAX: usize = 23;

/// The pack that a session begins with behind so many characters, `None` where there is nothing to tell; and for
/// people why not all is told.
pub fn opening(firing: &Firing<'_>, before: usize) -> (Option<Given>, Option<String>) {
    let StandingStores { stores, mute } = standing(firing, StandingStores::of);
    if !firing.project.is_believed() {
        let told = format!(
            "annals: nothing of earlier sessions is told here: the journal was begun elsewhere, or copied ({} tells more)",
            remedy::told(&Remedy::ShowTrust)
        );
        return (None, Some(told));
    }
    let told = mute.map(|it| {
        let what = if stores.is_some() { "no fix" } else { "nothing" };
        format!(
            "annals: {what} of earlier sessions is told here: {it} ({} tells more)",
            remedy::told(&Remedy::Status)
        )
    });
    let room = CHARS_MAX.saturating_sub(before);
    let given = stores.and_then(|stores| {
        let frame = words::fenced(LEFT, "").chars().count();
        let of = |chars_max| of_stores(firing, &stores, chars_max);
        let given = of(room.saturating_sub(frame))?;
        // A text with a fence in it has a longer one around it.
        match given.text.chars().count().checked_sub(room) {
            None | Some(0) => Some(given),
            Some(beyond) => of(room.saturating_sub(frame + beyond)),
        }
    });
    (given, told)
}

fn of_stores(firing: &Firing<'_>, stores: &Stores, chars_max: usize) -> Option<Given> {
    let project = firing.project;
    // A folder that no repository holds has no memory, and files all the same.
    let current = identify(project.tree()).ok();
    let asked = PackAsked { chars_max, ..PackAsked::by(&project.config().repo, current.as_ref()) };
    let pack = stores.context(&asked).ok()?.pack; // said by who asks for one
    let is_news = pack.sections.iter().any(|it| !it.items.is_empty());
    let of_files = pack.sections.iter().filter(|it| it.name == SectionName::Files);
    let path = |it: &String| it.split(": ").next().unwrap_or(it).to_owned();
    let files = of_files.flat_map(|it| it.items.iter().map(path)).collect();
    let text = || words::fenced(LEFT, &pack.text);
    is_news.then(|| Given { text: text(), files })
}

/// Files that matter by a prompt and do not without it.
pub fn files(firing: &Firing<'_>, prompt: &str) -> Option<Given> {
    let stores = stores(firing)?;
    let branch = identify(firing.project.tree()).ok().and_then(|it| it.branch);
    let without = AtHand { branch, ..AtHand::default() };
    let hand = AtHand { prompt: Some(prompt.to_owned()), ..without.clone() };
    // Nothing is said of stores that cannot answer.
    let history = stores.file_history().ok()?;
    let told = history.that_matter(&without, FILES_MAX);
    let found = history.that_matter(&hand, FILES_MAX);
    let is_told = |path: &str| told.iter().any(|it| it.path == path);
    let new = found.iter().filter(|it| it.is_named || !is_told(&it.path));
    let files: Vec<String> = new.map(|it| it.path.clone()).collect();
    let lines: String = files.iter().map(|it| format!("- {}\n", words::line(it))).collect();
    let text = || words::fenced("Files that earlier sessions touched for the like", &lines);
    (!files.is_empty()).then(|| Given { text: text(), files })
}

/// The stores of a journal that is this user's own, or that he has allowed, as far as they are that journal's.
pub fn stores(firing: &Firing<'_>) -> Option<Stores> {
    standing(firing, StandingStores::of).stores
}

/// As [`stores`], their index alone.
pub fn index(firing: &Firing<'_>) -> Option<Stores> {
    standing(firing, StandingStores::of_index).stores
}

fn standing(firing: &Firing<'_>, of: fn(&Project) -> StandingStores) -> StandingStores {
    match firing.project.is_believed() {
        true => of(firing.project),
        false => StandingStores::default(),
    }
}
