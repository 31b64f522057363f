//! One place opens files below `.annals` and the stores beside it: whoever opens otherwise is on a list,
//! with what it opens.

use super::source::sources;

/// The place.
const ENCLOSURE: &str = "journal-format/src/storage/enclosure/";

const OPENINGS: &[&str] = &[
    "File::open",
    "File::create",
    "OpenOptions",
    "File::options",
    "DirBuilder",
    "fs::read(",
    "fs::read_to_string(",
    "fs::write(",
    "fs::copy(",
    "fs::rename(",
    "hard_link(",
    "fs::create_dir",
    "fs::read_dir(",
    ".read_dir()",
    "fs::remove_",
    "fs::set_permissions(",
    "Connection::open(",
    "Connection::open_with_flags(",
    "linkat(",
    "openat(",
    "openat2(",
];

/// Files, or folders of them, that open what is not annals' own, and what that is.
const ELSEWHERE: &[(&str, &str)] = &[
    ("journal-format/src/bundle/", "a bundle, which a person names"),
    ("journal-format/src/storage/fs.rs", "the kernel's boot id"),
    ("src/command/boot_clock/mod.rs", "the kernel's boot id, and since when"),
    ("src/command/evidence/", "the user's cache, which own.rs holds to be the user's alone"),
    ("src/command/gate/remedy.rs", "the project's manifests, where they are plain files"),
    (
        "src/command/look/listing.rs",
        "the names in a journal's folder, also of evidence; nothing is opened",
    ),
    ("src/command/owner/ancestor.rs", "what the kernel tells of processes"),
    ("src/command/owner/identity.rs", "the kernel's boot id"),
    ("src/command/phases/node/run.rs", "a node's workspace, which a person names"),
    ("src/command/phases/prompt/", "the folder of prompts, which a person names"),
    ("src/command/project/machine.rs", "the machine's name"),
    ("src/command/repo/identify/file.rs", "git's settings"),
    (
        "src/command/salvage/mod.rs",
        "the folder that a person names for what is saved, where it stays empty",
    ),
    ("src/command/scan/", "whatever a person has looked through; links and pipes are not opened"),
    ("src/command/source/mod.rs", "the names in a folder that a person names"),
    ("src/command/tool_layer/workspace/", "the project's files, by descriptor"),
    ("src/command/tree_map/read.rs", "the project's files, by descriptor"),
    ("src/store/connection.rs", "what the place was asked for first, by SQLite"),
    ("src/store/dir.rs", "what lies in a folder that is held, by descriptor"),
    ("src/store/folder/state.rs", "the kernel's boot id"),
    ("src/store/memory/foreign/write.rs", "a file that a person names"),
    ("src/store/sql/open.rs", "a temporary database; what is attached was asked for first"),
    ("src/surface/cli/debug/", "a log or code that a person names"),
    ("src/surface/cli/disable.rs", "agents' settings"),
    ("src/surface/cli/enable/", "agents' settings and their folders"),
    ("src/surface/cli/export/destination.rs", "a file that a person names"),
    ("src/surface/cli/gate/plan.rs", "a plan that a person names"),
    ("src/surface/cli/man.rs", "a folder that a person names"),
    ("src/surface/cli/phases/run.rs", "a script that a person names"),
    ("src/surface/cli/salvage/mod.rs", "a transcript that a person names"),
    ("src/surface/cli/scan/journal.rs", "the names in a folder that a person names"),
    ("src/surface/cli/tour/", "a project of its own making"),
    ("src/surface/hook/env_file.rs", "the file that the agent's shells read"),
    ("src/surface/hook/tail.rs", "the agent's transcript"),
    ("src/surface/import/", "transcripts"),
    ("src/surface/settings/file.rs", "agents' settings"),
];

#[test]
fn one_place_opens_what_is_annals_own() {
    let mut faults = Vec::new();
    let mut idle: Vec<&str> = ELSEWHERE.iter().map(|(path, _)| *path).collect();
    for source in sources().iter().filter(|source| source.is_product()) {
        if source.path.starts_with(ENCLOSURE) {
            continue;
        }
        let listed = ELSEWHERE.iter().find(|(path, _)| source.path.starts_with(path));
        for (number, line) in source.code_lines() {
            let Some(word) = OPENINGS.iter().find(|word| names(&line, word)) else { continue };
            match listed {
                Some((path, _)) => idle.retain(|it| it != path),
                None => faults.push(format!(
                    "{}:{number}: `{word}`: opened by crate::enclosure, or listed here",
                    source.path
                )),
            }
        }
    }
    faults.extend(idle.iter().map(|path| format!("{path}: listed, and opens nothing")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Whether a line names it: `SessionFile::open` is no `File::open`.
fn names(line: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(is_word))
}
