//! The checks that a project's files name: looked for where a person asks, never while anything is recorded.

use std::path::Path;

use super::tools::Workspace;
use crate::event::limits::CHECKS_LEN_MAX;
use crate::event::{CheckList, CheckStanding, DeclaredCheck, Ordered};
use crate::journal::enclosure;
use crate::parse::tasks::{FILE_BYTES_MAX, FILES, FOLDERS, Task, check_of, expanded};

/// Of a folder, files that are looked into.
const FOLDER_FILES_MAX: usize = 64;
/// Checks that are listed.
const FOUND_MAX: usize = CHECKS_LEN_MAX / 2;

/// What the project's files name, each command once. What cannot be read has none.
pub fn found(root: &Path) -> Vec<DeclaredCheck> {
    let mut found: Vec<DeclaredCheck> = Vec::new();
    let Ok(files) = Workspace::open(root) else { return found };
    let read = |path: &str| {
        let place = files.place(path).ok()?; // a name that is no path
        let (bytes, _) = files.read(&place, FILE_BYTES_MAX).ok()?; // none, or no file of the project's own
        String::from_utf8(bytes).ok() // no text
    };
    let manager = manager(root);
    let mut add = |path: &str, tasks: Vec<Task>| {
        for check in expanded(tasks).iter().filter_map(|it| check_of(it, path)) {
            let check = match check.command.strip_prefix("npm run ") {
                Some(name) => DeclaredCheck { command: format!("{manager} run {name}"), ..check },
                None => check,
            };
            if found.len() < FOUND_MAX && found.iter().all(|it| it.command != check.command) {
                found.push(check);
            }
        }
    };
    for (path, reader) in FILES {
        if let Some(text) = read(path) {
            add(path, reader(&text));
        }
    }
    for (folder, ends, reader) in FOLDERS {
        for name in names(&root.join(folder)) {
            let path = format!("{folder}/{name}");
            if ends.iter().any(|it| name.ends_with(it))
                && let Some(text) = read(&path)
            {
                add(&path, reader(&name, &text));
            }
        }
    }
    found
}

/// Which program runs the scripts of a package.json, by what it locked.
fn manager(root: &Path) -> &'static str {
    const LOCKS: [(&str, &str); 4] = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
    ];
    let found = LOCKS.iter().find(|it| root.join(it.0).symlink_metadata().is_ok());
    found.map_or("npm", |it| it.1)
}

/// Whether two lists have the same, in whatever order.
pub fn is_same(one: &CheckList, other: &CheckList) -> bool {
    let sorted = |of: &CheckList| {
        let mut checks = of.checks.clone();
        checks.order_by(|a, b| a.command.cmp(&b.command));
        checks
    };
    one.matchers == other.matchers && sorted(one) == sorted(other)
}

fn names(folder: &Path) -> Vec<String> {
    let listed = enclosure::names(folder).unwrap_or_default(); // no folder, no tasks
    let names = listed.into_iter().filter_map(|(name, _)| name.into_string().ok()); // no text
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names.truncate(FOLDER_FILES_MAX);
    names
}

/// The list with what was found in place of what was found before. What this user allowed stays in force
/// while the same runs behind it; what a person or the settings declared stays as it is.
pub fn renewed(list: &CheckList, found: Vec<DeclaredCheck>) -> CheckList {
    let is_told = |it: &DeclaredCheck| {
        [DeclaredCheck::SETTINGS, DeclaredCheck::USER].contains(&&*it.found_in)
    };
    let mut checks: Vec<DeclaredCheck> =
        list.checks.iter().filter(|it| is_told(it)).cloned().collect();
    for mut check in found {
        let before = list.checks.iter().find(|it| it.command == check.command);
        match before {
            Some(before) if is_told(before) => continue,
            Some(before)
                if before.runs == check.runs && check.standing == CheckStanding::Waiting =>
            {
                check.standing = before.standing;
            }
            _ => {}
        }
        checks.push(check);
    }
    checks.truncate(CHECKS_LEN_MAX);
    let list = CheckList { checks, matchers: list.matchers.clone() };
    match list.excess() {
        None => list,
        // Without the command lines behind them.
        Some(_) => {
            let bare = |it: DeclaredCheck| DeclaredCheck { runs: None, ..it };
            CheckList { checks: list.checks.into_iter().map(bare).collect(), ..list }
        }
    }
}
