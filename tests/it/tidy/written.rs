//! A command that takes a path says here what it does there: whoever has a file written that holds what a journal
//! says remembers it, so that `redact` looks there.

use super::source::sources;

/// What becomes of a path that a person gives to a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is read, or is the project itself.
    Reads,
    /// Something of a journal is written there: the file says so by `written::remember`.
    Remembers,
    /// What is written there holds nothing of what events held, or events tell of it.
    Holds(&'static str),
}

use Use::{Holds, Reads, Remembers};

/// Every path that a command takes, by its file and field.
const PATHS: &[(&str, &str, Use)] = &[
    ("archive.rs", "to", Holds("events say where, and a redaction removes it there")),
    ("bundle.rs", "out", Remembers),
    ("check_proof.rs", "file", Reads),
    ("checkpoint/mod.rs", "out", Holds("a root, a size and a signature")),
    ("checkpoint/mod.rs", "cosigned", Reads),
    ("checkpoint/signer.rs", "passphrase_file", Reads),
    ("checks/matcher.rs", "file", Reads),
    ("context.rs", "dir", Reads),
    ("debug/attempt.rs", "log", Reads),
    ("debug/documents.rs", "files", Reads),
    ("debug/run.rs", "file", Reads),
    ("debug/sessions.rs", "file", Reads),
    ("export/atif.rs", "target", Remembers),
    ("export/mod.rs", "output", Remembers),
    ("export/otlp.rs", "target", Remembers),
    ("export/parquet.rs", "to", Remembers),
    ("sql.rs", "parquet", Reads),
    ("export/transcript.rs", "output", Remembers),
    ("fetch.rs", "from", Holds("events say where, and a redaction removes it there")),
    ("gate.rs", "file", Reads),
    ("inspect.rs", "path", Reads),
    ("key.rs", "ssh", Reads),
    ("man.rs", "out", Holds("pages about the program")),
    ("memory/moves.rs", "file", Remembers),
    ("merge.rs", "sources", Reads),
    ("merge.rs", "into", Remembers),
    ("pack.rs", "paths", Reads),
    ("phases/prompts.rs", "export", Holds("built-in texts")),
    ("phases/run.rs", "artifacts", Reads),
    ("phases/run.rs", "script", Reads),
    ("phases/run.rs", "workspace", Holds("a model's own work, which the records of the run name")),
    ("phases/run.rs", "idea", Reads),
    ("import/mod.rs", "mapping", Reads),
    ("phases/run.rs", "plan", Reads),
    ("prove.rs", "out", Holds("digests")),
    ("query/resolving.rs", "repo", Reads),
    ("fleet/status.rs", "from", Reads),
    ("fleet/look.rs", "from", Reads),
    ("fleet/look.rs", "into", Remembers),
    ("ship.rs", "to", Remembers),
    ("repo/sync.rs", "to", Remembers),
    ("forget.rs", "bundle", Reads),
    ("redact/mod.rs", "bundle", Reads),
    ("redact/mod.rs", "transcript", Reads),
    ("redact/mod.rs", "write_order", Holds("leaves, and a reason that holds no secret")),
    ("redact/mod.rs", "order", Reads),
    ("redact/mod.rs", "receipts", Holds("leaves")),
    ("report/mod.rs", "output", Remembers),
    ("salvage/mod.rs", "source", Reads),
    ("salvage/mod.rs", "destination", Remembers),
    ("scan/mod.rs", "paths", Reads),
    ("seen.rs", "path", Reads),
    ("tour/mod.rs", "keep", Holds("a project of its own making")),
    ("verify/mod.rs", "paths", Reads),
    ("verify/mod.rs", "seen", Reads),
    ("verify/mod.rs", "checkpoint", Reads),
];

#[test]
fn what_is_written_from_a_journal_is_remembered() {
    let mut faults = Vec::new();
    let mut idle: Vec<_> = PATHS.iter().map(|(file, field, _)| (*file, *field)).collect();
    let all = sources();
    for source in all.iter().filter(|it| it.is_product() && it.path.starts_with("src/cli/")) {
        let file = source.path.trim_start_matches("src/cli/");
        for field in paths(&source.text) {
            let listed = PATHS.iter().find(|it| (it.0, it.1) == (file, field.as_str()));
            idle.retain(|it| *it != (file, field.as_str()));
            match listed.map(|it| it.2) {
                None => faults.push(format!("{file}: what becomes of `{field}`? List it here")),
                Some(Remembers)
                    if !source.text.contains("written::remember(")
                        && !source.text.contains("written::note(") =>
                {
                    faults.push(format!("{file}: `{field}` is written, and not remembered"));
                }
                Some(Holds("")) => {
                    faults.push(format!("{file}: `{field}`: say why"));
                }
                Some(_) => {}
            }
        }
    }
    faults.extend(idle.iter().map(|(file, field)| format!("{file}: no command takes `{field}`")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The fields of a file's arguments that are paths.
fn paths(text: &str) -> Vec<String> {
    let (mut is_args, mut found) = (false, Vec::new());
    for line in text.lines() {
        if line.starts_with("#[derive(") {
            is_args = line.contains("clap::Args");
        }
        let code = line.trim().trim_start_matches("pub ");
        let field = code.split_once(": ").filter(|(name, kind)| {
            let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_name && ["PathBuf,", "Option<PathBuf>,", "Vec<PathBuf>,"].contains(kind)
        });
        if let (true, Some((name, _))) = (is_args, field) {
            found.push(name.to_owned());
        }
        if line == "}" {
            is_args = false;
        }
    }
    found
}
