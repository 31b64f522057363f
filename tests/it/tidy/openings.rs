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
    ("journal-format/src/storage/boot.rs", "the kernel's boot id"),
    ("src/journal/boot_clock/mod.rs", "since when the machine is up"),
    ("src/store/evidence/", "the user's cache, which entry.rs holds to be the user's alone"),
    ("src/store/feed/budget.rs", "the sizes of what lies in that cache; nothing is opened"),
    ("src/grounding/gate/remedy.rs", "the project's manifests, where they are plain files"),
    (
        "src/store/look/listing.rs",
        "the names in a journal's folder, also of evidence; nothing is opened",
    ),
    (
        "src/cli/checkpoint/mod.rs",
        "a new file, where a person has a checkpoint, a proof or a report written",
    ),
    ("src/cli/checks/matcher.rs", "an editor's file, which a person names"),
    ("src/cli/export/atif.rs", "the folder of trajectories that a person names"),
    ("src/journal/owner/ancestor.rs", "what the kernel tells of processes"),
    ("src/phases/node/run.rs", "a node's workspace, which a person names"),
    ("src/phases/prompt/", "the folder of prompts, which a person names"),
    ("src/journal/project/home.rs", "the machine's name"),
    ("src/output/time/zone.rs", "the system's time zone"),
    ("src/repo/identify/git_files.rs", "git's settings"),
    ("src/stores/exported/", "the folder of Parquet files that a person names"),
    ("src/journal/archive/target.rs", "the folder that a person has something sent to"),
    ("src/journal/archive/copy.rs", "who may read the folder that a person has something sent to"),
    ("src/cli/fleet/look.rs", "whether the folder that a person names is empty"),
    (
        "src/store/salvage.rs",
        "the folder that a person names for what is saved, where it stays empty",
    ),
    ("src/journal/scan/", "whatever a person has looked through; links and pipes are not opened"),
    ("src/journal/source/mod.rs", "the names in a folder that a person names"),
    ("src/grounding/tools/workspace/", "the project's files, by descriptor"),
    ("src/repo/tree/walk.rs", "the project's files, by descriptor"),
    ("src/store/connection.rs", "what the place was asked for first, by SQLite"),
    ("src/store/dir.rs", "what lies in a folder that is held, by descriptor"),
    ("src/memory/store/foreign/write.rs", "a file that a person names"),
    ("src/store/sql/beside.rs", "a new database in a folder of its own, in the cache"),
    ("src/store/sql/open.rs", "a temporary database; what is attached was asked for first"),
    ("src/cli/blame.rs", "a file that a person names"),
    ("src/cli/debug/", "a log or code that a person names"),
    ("src/cli/disable.rs", "agents' settings"),
    ("src/cli/enable/", "agents' settings and their folders"),
    ("src/cli/export/destination.rs", "a file that a person names"),
    ("src/cli/gate.rs", "a plan that a person names"),
    ("src/cli/man.rs", "a folder that a person names"),
    ("src/cli/phases/run.rs", "a script that a person names"),
    ("src/cli/salvage/mod.rs", "a transcript that a person names"),
    ("src/cli/scan/journal.rs", "the names in a folder that a person names"),
    ("src/cli/tour/", "a project of its own making"),
    ("src/agents/codex/hooks.rs", "Codex's own settings"),
    ("src/agents/hook/known_fix.rs", "the line of code that a check pointed at"),
    ("src/agents/hook/session.rs", "the file that the agent's shells read"),
    ("src/agents/hook/tool_call.rs", "the agent's transcript"),
    ("src/agents/import/", "transcripts"),
    ("src/agents/settings/file.rs", "agents' settings"),
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
