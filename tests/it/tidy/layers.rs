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
const BELOW: [&str; 8] =
    ["event", "redact", "parse", "config", "journal", "store", "execution", "grounding"];

/// The rooms; each names only what stands above it.
const ROOMS: &[Room] = &[
    Room {
        name: "event",
        names: None,
        never: &["rusqlite", "annals_journal_format", "std::fs", "fs2"],
    },
    Room { name: "redact", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "parse", names: None, never: PURE },
    Room { name: "config", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "journal", names: None, never: &["rusqlite"] },
    Room { name: "store", names: None, never: &["annals_journal_format", "bincode"] },
    Room { name: "execution", names: None, never: QUIET },
    Room { name: "grounding", names: None, never: QUIET },
    Room { name: "memory", names: Some(&[]), never: QUIET },
    Room { name: "phases", names: Some(&["memory"]), never: QUIET },
    Room { name: "repo", names: Some(&[]), never: QUIET },
    Room { name: "debug", names: Some(&["repo"]), never: QUIET },
    Room { name: "output", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "agents", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "stores", names: None, never: QUIET },
    Room { name: "cli", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "tui", names: None, never: &["rusqlite", "annals_journal_format"] },
    Room { name: "pipe", names: None, never: &["rusqlite", "annals_journal_format"] },
];

/// Doors in walls that should have none, by the room and the one it names. Each that is closed goes from
/// this list.
const OPEN: &[(&str, &str)] =
    &[("journal", "store"), ("store", "execution"), ("store", "memory"), ("store", "stores")];

/// The crates that only some layers may name (DESIGN §7); the rest may be used by all above.
const EVENT_ONLY: &[&str] = &["bincode"];

#[test]
fn every_room_names_only_what_stands_above_it() {
    let (mut faults, mut open) = (Vec::new(), OPEN.to_vec());
    for source in sources().iter().filter(|source| source.is_product()) {
        for Fault { told, door } in self::faults(source) {
            match door.filter(|door| OPEN.contains(door)) {
                Some(door) => open.retain(|it| *it != door),
                None => faults.push(told),
            }
        }
    }
    faults.extend(open.iter().map(|door| format!("{door:?}: listed, and closed")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

pub struct Fault {
    told: String,
    /// The room, and the one that it names.
    door: Option<(&'static str, &'static str)>,
}

/// Every line of a file that names what its room may not.
pub fn faults(source: &Source) -> Vec<Fault> {
    let path = source.path.as_str();
    let of_crate = |told| Fault { told, door: None };
    if path.starts_with("journal-format/src/") {
        let never = ["rusqlite", "serde", "bincode", "uuid", "SystemTime", "annals::"];
        return named(source, &never).into_iter().map(of_crate).collect();
    }
    let folder = path.strip_prefix("src/").and_then(|path| path.split_once('/'));
    let Some(at) = folder.and_then(|(room, _)| ROOMS.iter().position(|it| it.name == room)) else {
        let is_root = ["src/internal.rs", "src/lib.rs", "src/main.rs"].contains(&path);
        return if is_root { vec![] } else { vec![of_crate(format!("{path}: in no room"))] };
    };
    let room = &ROOMS[at];
    let is_allowed = |above: usize, other: &str| {
        above <= at
            && room
                .names
                .is_none_or(|it| above == at || it.contains(&other) || BELOW.contains(&other))
    };
    let mut found: Vec<_> = named(source, room.never).into_iter().map(of_crate).collect();
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
                let told = format!("{path}:{number}: may not name `{other}`");
                found.push(Fault { told, door: Some((room.name, other)) });
            }
        }
        group &= !line.contains(';');
        if room.name != "event"
            && EVENT_ONLY.iter().any(|name| line.trim_start().starts_with(&format!("use {name}")))
        {
            found.push(of_crate(format!("{path}:{number}: only events know their encoding")));
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
