//! What a call works on, read from its arguments where nobody told it.

use std::path::Path;

use serde::Deserialize;

/// Names of one kind that are taken from one call's arguments.
const TARGETS_LEN_MAX: usize = 256;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
}

/// The arguments of the contract's tools that name a target.
#[derive(Default, Deserialize)]
struct Named {
    #[serde(default)]
    path: Option<Told>,
    #[serde(default)]
    file: Option<Told>,
    #[serde(default)]
    file_path: Option<Told>,
    #[serde(default)]
    symbol: Option<Told>,
    #[serde(default)]
    symbol_name: Option<Told>,
    #[serde(default)]
    name: Option<Told>,
}

/// A name, several, or something that is none.
#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    One(String),
    Several(Vec<String>),
    Other(serde::de::IgnoredAny),
}

/// Tools whose `name` is a symbol's.
const BY_NAME: [&str; 2] = ["references_to_symbol_name", "references_from_file_to_symbol_name"];

/// The targets that a call's arguments name. Relative paths are relative to `root`; a folder is no
/// target: it links to the files that are found in it (ruling 8).
pub fn targets(tool: &str, arguments: &str, root: &Path) -> Targets {
    // Arguments of any other shape name nothing.
    let named: Named = serde_json::from_str(arguments).unwrap_or_default();
    let mut paths = Vec::new();
    for told in [named.path, named.file, named.file_path] {
        add(told, &mut paths);
    }
    paths.retain(|path| !root.join(path).is_dir());
    let mut symbols = Vec::new();
    for told in [named.symbol, named.symbol_name, named.name.filter(|_| BY_NAME.contains(&tool))] {
        add(told, &mut symbols);
    }
    Targets { paths, symbols }
}

fn add(told: Option<Told>, names: &mut Vec<String>) {
    let told = match told {
        Some(Told::One(name)) => vec![name],
        Some(Told::Several(several)) => several,
        Some(Told::Other(_)) | None => return,
    };
    for name in told.into_iter().take(TARGETS_LEN_MAX) {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
}
