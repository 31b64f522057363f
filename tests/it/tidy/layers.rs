//! The layer table: what each folder may name of the others, and of other people's crates.

use super::source::{Source, sources};

struct Layer {
    /// Where its files are.
    folder: &'static str,
    /// Rooms of `crate::` it may name, its own besides.
    rooms: &'static [&'static str],
    /// Crates it must not name.
    never: &'static [&'static str],
}

const ROOMS: &[&str] = &[
    "branch_memory",
    "command",
    "config",
    "debug_memory",
    "event",
    "execution_engine",
    "execution_tools",
    "journal",
    "projector",
    "query",
    "repo_memory",
    "store",
    "surface",
];

const LAYERS: &[Layer] = &[
    Layer {
        folder: "src/event/",
        rooms: &[],
        never: &["rusqlite", "annals_journal_format", "std::fs", "fs2"],
    },
    Layer { folder: "src/journal/", rooms: &["event"], never: &["rusqlite"] },
    Layer { folder: "src/store/", rooms: &[], never: &["annals_journal_format", "bincode"] },
    Layer {
        folder: "src/projector/",
        rooms: &["event", "store"],
        never: &["rusqlite", "annals_journal_format", "HashMap", "std::env"],
    },
    Layer { folder: "src/query/", rooms: &["store", "event"], never: &["annals_journal_format"] },
    Layer {
        folder: "src/command/",
        rooms: &["event", "journal", "projector", "query", "store", "config"],
        never: &["rusqlite", "annals_journal_format", "std::env", "io::stdout", "io::stderr"],
    },
    Layer {
        folder: "src/surface/",
        rooms: &["command", "query", "event", "config"],
        never: &["rusqlite", "annals_journal_format"],
    },
    // Spec 000's own names, for a program that is not ours (ruling 16): beside the surface, since it
    // asks the same of the layers below and nothing in here may depend on it.
    Layer {
        folder: "src/execution_tools/",
        rooms: &["command", "query", "event"],
        never: &["rusqlite", "annals_journal_format", "std::env", "io::stdout", "io::stderr"],
    },
    // Spec 001's own names: the same, and it stands on spec 000's.
    Layer {
        folder: "src/execution_engine/",
        rooms: &["command", "query", "event", "execution_tools"],
        never: &["rusqlite", "annals_journal_format", "std::env", "io::stdout", "io::stderr"],
    },
    // Spec 003's own names: the same.
    Layer {
        folder: "src/branch_memory/",
        rooms: &["command", "query", "event"],
        never: &["rusqlite", "annals_journal_format", "std::env", "io::stdout", "io::stderr"],
    },
    // Spec 002's own names: the same.
    Layer {
        folder: "src/debug_memory/",
        rooms: &["command", "query", "event"],
        never: &["rusqlite", "annals_journal_format", "std::env", "io::stdout", "io::stderr"],
    },
    // Spec 004's own names: the same.
    Layer {
        folder: "src/repo_memory/",
        rooms: &["command", "query", "event"],
        never: &["rusqlite", "annals_journal_format", "std::env", "io::stdout", "io::stderr"],
    },
    Layer {
        folder: "src/config/",
        rooms: &["event"],
        never: &["rusqlite", "annals_journal_format"],
    },
    // Which files are opened, and how: below every layer that opens one.
    Layer { folder: "src/enclosure.rs", rooms: &[], never: &["rusqlite", "serde"] },
    Layer {
        folder: "src/main.rs",
        rooms: &["surface"],
        never: &["rusqlite", "annals_journal_format"],
    },
    Layer {
        folder: "journal-format/src/",
        rooms: &[],
        never: &["rusqlite", "serde", "bincode", "uuid", "SystemTime", "annals::"],
    },
];

/// The crates that only some layers may name (DESIGN §7); the rest may be used by all above.
const EVENT_ONLY: &[&str] = &["bincode"];

#[test]
fn every_layer_names_only_what_stands_to_its_left() {
    let faults: Vec<String> =
        sources().iter().filter(|source| source.is_product()).flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every line of a file that names what its layer may not.
pub fn faults(source: &Source) -> Vec<String> {
    let Some(layer) = LAYERS.iter().find(|layer| source.path.starts_with(layer.folder)) else {
        let known = source.path == "src/lib.rs";
        return if known { vec![] } else { vec![format!("{}: in no layer", source.path)] };
    };
    let mut found = Vec::new();
    let own = own_room(layer.folder);
    let mut group = false;
    for (number, line) in source.code_lines() {
        // `use crate::{event::X, store::Y};` over several lines counts as one statement.
        group |= line.contains("crate::{");
        for room in ROOMS.iter().filter(|room| **room != own && !layer.rooms.contains(room)) {
            let direct =
                ["crate::", "annals::"].iter().any(|root| line.contains(&format!("{root}{room}")));
            let grouped = group && words(&line).any(|word| word == *room);
            if direct || grouped {
                found.push(format!("{}:{number}: may not name `{room}`", source.path));
            }
        }
        group &= !line.contains(';');
        for name in layer.never {
            if line.contains(name) {
                found.push(format!("{}:{number}: may not name `{name}`", source.path));
            }
        }
        if layer.folder != "src/event/"
            && EVENT_ONLY.iter().any(|name| line.trim_start().starts_with(&format!("use {name}")))
        {
            found.push(format!("{}:{number}: only events know their encoding", source.path));
        }
    }
    found
}

fn own_room(folder: &str) -> &str {
    folder.strip_prefix("src/").unwrap_or_default().trim_end_matches('/').trim_end_matches(".rs")
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
}
