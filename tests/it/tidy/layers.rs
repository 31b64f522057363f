//! The table of rooms: what each may name of the others, and of other people's crates.

use super::source::{Source, sources};

struct Room {
    name: &'static str,
    /// Of the rooms above it, those that it may name; `None`: all.
    names: Option<&'static [&'static str]>,
    /// Crates it must not name.
    never: &'static [&'static str],
}

/// What may name no printing and no environment.
const QUIET: &[&str] = &["annals_journal_format", "std::env", "io::stdout", "io::stderr"];
/// As [`QUIET`], and no database either.
const PURE: &[&str] =
    &["rusqlite", "annals_journal_format", "std::env", "std::fs", "io::stdout", "io::stderr"];
/// What every noun may name.
const BELOW: [&str; 9] =
    ["event", "redact", "parse", "fault", "config", "journal", "store", "execution", "grounding"];

/// The rooms; each names only what stands above it.
const ROOMS: &[Room] = &[
    Room {
        name: "event",
        names: None,
        never: &["rusqlite", "annals_journal_format", "std::fs", "fs2"],
    },
    Room { name: "redact", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "parse", names: None, never: PURE },
    Room { name: "fault", names: None, never: PURE },
    Room { name: "config", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "journal", names: None, never: &["rusqlite"] },
    Room { name: "store", names: None, never: &["annals_journal_format", "bincode"] },
    Room { name: "execution", names: None, never: QUIET },
    Room { name: "grounding", names: None, never: QUIET },
    Room { name: "memory", names: Some(&[]), never: QUIET },
    Room { name: "phases", names: Some(&["memory"]), never: QUIET },
    Room { name: "repo", names: Some(&[]), never: QUIET },
    Room { name: "debug", names: Some(&["repo"]), never: QUIET },
    Room { name: "search", names: Some(&[]), never: QUIET },
    Room { name: "output", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "report", names: None, never: PURE },
    Room { name: "agents", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "stores", names: None, never: QUIET },
    Room { name: "fleet", names: None, never: QUIET },
    Room { name: "cli", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "tui", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "pipe", names: None, never: &["rusqlite", "annals_journal_format"] },
];

/// Files in no room.
const ROOTS: [&str; 5] =
    ["facts/src/columns.rs", "facts/src/lib.rs", "src/internal.rs", "src/lib.rs", "src/main.rs"];

/// What is opened with the list of stores: only its room and those below it in the table may.
const WITH_STORES: &[&str] = &[
    "Project::open(",
    "Project::init(",
    "Project::find(",
    "Source::of(",
    "Source::find(",
    "StoreName::INDEX",
];

/// The crates that only some layers may name (DESIGN §7); the rest may be used by all above.
const EVENT_ONLY: &[&str] = &["bincode"];

#[test]
fn every_room_names_only_what_stands_above_it() {
    let sources = sources();
    let faults: Vec<_> = sources.iter().filter(|it| it.is_product()).flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every line of a file that names what its room may not.
pub fn faults(source: &Source) -> Vec<String> {
    let path = source.path.as_str();
    if path.starts_with("journal-format/src/") {
        let never = ["rusqlite", "serde", "bincode", "uuid", "SystemTime", "annals::"];
        return named(source, &never);
    }
    let of = path.strip_prefix("facts/").unwrap_or(path).strip_prefix("src/");
    let folder = of.and_then(|path| path.split_once('/'));
    let Some(at) = folder.and_then(|(room, _)| ROOMS.iter().position(|it| it.name == room)) else {
        let is_root = ROOTS.contains(&path);
        return if is_root { vec![] } else { vec![format!("{path}: in no room")] };
    };
    let room = &ROOMS[at];
    let is_allowed = |above: usize, other: &str| {
        above <= at
            && room
                .names
                .is_none_or(|it| above == at || it.contains(&other) || BELOW.contains(&other))
    };
    let mut found = named(source, room.never);
    if ROOMS[at..].iter().skip(1).any(|it| it.name == "stores") {
        found.extend(named(source, WITH_STORES));
    }
    let mut group = false;
    for (number, line) in source.code_lines() {
        // `use crate::{event::X, store::Y};` over several lines counts as one statement.
        group |= line.contains("crate::{");
        for (above, other) in ROOMS.iter().enumerate() {
            let other = other.name;
            let direct = ["crate::", "annals::"]
                .iter()
                .any(|root| words_behind(&line, root).any(|word| word == other));
            let grouped = group && words(&line).any(|word| word == other);
            if (direct || grouped) && !is_allowed(above, other) {
                found.push(format!("{path}:{number}: may not name `{other}`"));
            }
        }
        group &= !line.contains(';');
        if room.name != "event"
            && EVENT_ONLY.iter().any(|name| line.trim_start().starts_with(&format!("use {name}")))
        {
            found.push(format!("{path}:{number}: only events know their encoding"));
        }
    }
    found
}

fn named(source: &Source, never: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in source.code_lines() {
        for name in never.iter().filter(|name| line.contains(**name)) {
            found.push(format!("{}:{number}: may not name `{name}`", source.path));
        }
    }
    found
}

/// The words that stand behind each of these.
fn words_behind<'l>(line: &'l str, root: &'l str) -> impl Iterator<Item = &'l str> {
    line.split(root).skip(1).filter_map(|rest| words(rest).next())
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
}
