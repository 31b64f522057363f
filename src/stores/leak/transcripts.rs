//! What is not annals' own and still holds a value: agents' transcripts, the files that records name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::held::Held;
use crate::agents::import::{ImportRequest, SourceFile, imported, past_files};
use crate::event::{Body, ExecutionInterrupted, ExecutionStarted, Recorded, Sequence};
use crate::journal::scan::{cover_values, open, scan_values};
use crate::journal::withheld::execution;
use crate::journal::{JournalReader, Project, ReplayItem};
use crate::redact::value::Values;

/// A file that holds a value, or could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldFile {
    pub path: PathBuf,
    /// The first of them, from 1.
    pub lines: Vec<u64>,
    pub count: u64,
    /// It is an agent's transcript.
    pub is_transcript: bool,
    /// The values were put out of sight in it.
    pub rewritten: bool,
    /// Why it could not be looked at, or not rewritten.
    pub why: Option<String>,
}

/// So many lines of a file are told.
const LINES_MAX: usize = 100;

/// The transcripts that this user's agents keep of a project, and those that imports told of.
pub fn transcripts(request: &ImportRequest, told: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let files = past_files(request).unwrap_or_default(); // what cannot be listed is not there to be read
    let mut paths: BTreeSet<PathBuf> = files.into_iter().map(|it: SourceFile| it.path).collect();
    paths.extend(told.iter().cloned());
    paths.into_iter().collect()
}

/// The files of the project that these records were about, and transcripts that a journal names.
#[derive(Debug, Default)]
pub struct Named {
    pub files: BTreeSet<PathBuf>,
    pub transcripts: BTreeSet<PathBuf>,
}

impl Named {
    /// What was imported by its path alone.
    pub fn imported(project: &Project) -> Self {
        let mut transcripts = BTreeSet::from_iter(imported(project));
        transcripts.retain(|path| path.is_file());
        Self { transcripts, ..Self::default() }
    }

    /// What these records, the beginnings of their calls, and what was imported by its path, name. Read before they
    /// are gone.
    pub fn of(reader: &JournalReader, project: &Project, records: &BTreeSet<Sequence>) -> Self {
        let mut named = Self::default();
        let mut calls = BTreeSet::new();
        for at in records {
            // One that cannot be read names nothing.
            let Ok(Some(recorded)) = reader.get(*at) else { continue };
            calls.extend(execution(&recorded.event.body));
            let closing = match &recorded.event.body {
                Body::ExecutionFinished(b) => &b.closing,
                Body::ExecutionCorrected(b) => &b.closing,
                Body::TranscriptFlawed(b) => {
                    named.transcripts.insert(PathBuf::from(&b.file));
                    continue;
                }
                _ => continue,
            };
            let changed = closing.changed.iter().map(|it| &it.path);
            let paths = closing.paths.iter().chain(changed);
            named.files.extend(paths.map(|path| project.root().join(path)));
        }
        // Of a call whose end went before, that says which it was.
        for recorded in events(reader) {
            if let Body::ExecutionInterrupted(ended) = &recorded.event.body
                && ExecutionInterrupted::is_redacted(&ended.reason)
            {
                calls.insert(ended.execution);
            }
        }
        for recorded in events(reader) {
            if let Body::ExecutionStarted(started) = &recorded.event.body
                && calls.contains(&started.execution)
            {
                named.begun(started, project.root());
            }
        }
        named.transcripts.extend(imported(project));
        named.files.retain(|path| path.is_file());
        named.transcripts.retain(|path| path.is_file());
        named
    }

    /// What the beginning of a call names: its paths, and the words of a command that are files.
    fn begun(&mut self, started: &ExecutionStarted, root: &Path) {
        let folder = started.cwd.as_ref().map_or(root.to_owned(), |cwd| root.join(cwd));
        self.files.extend(started.paths.iter().map(|path| root.join(path)));
        // A JSON object, whoever wrote it.
        let Ok(arguments) = serde_json::from_str::<Value>(&started.arguments.0) else { return };
        let argv = arguments["argv"].as_array().into_iter().flatten();
        let texts = argv.chain([&arguments["command"]]).filter_map(Value::as_str);
        let words = texts.flat_map(|text| text.split([' ', '\t', '\n']));
        let bare = |word: &str| word.trim_matches(QUOTES).to_owned();
        let words = words.map(bare).filter(|word| !word.is_empty() && !word.starts_with('-'));
        self.files.extend(words.take(WORDS_MAX).map(|word| folder.join(word)));
    }
}

/// What can be read of a journal.
fn events(reader: &JournalReader) -> impl Iterator<Item = Recorded> {
    reader.replay(Sequence(1), None).filter_map(|item| match item {
        Ok(ReplayItem::Event(recorded)) => Some(recorded),
        _ => None,
    })
}

/// What stands around a file's name in a command.
const QUOTES: &[char] = &['\'', '"', '(', ')', ';', '|', '&', '<', '>', '`', '$'];
/// As many words of a command are looked at.
const WORDS_MAX: usize = 1_000;

/// Looks over files; with `rewrite` puts the values of transcripts out of sight.
pub fn look(
    values: &Values,
    paths: &[PathBuf],
    is_transcript: bool,
    rewrite: bool,
) -> Vec<HeldFile> {
    paths.iter().filter_map(|path| one(values, path, is_transcript, rewrite)).collect()
}

fn one(values: &Values, path: &Path, is_transcript: bool, rewrite: bool) -> Option<HeldFile> {
    let mut held = HeldFile {
        path: path.to_owned(),
        lines: Vec::new(),
        count: 0,
        is_transcript,
        rewritten: false,
        why: None,
    };
    let packed = path.extension().is_some_and(|it| it == "zst");
    let read = match packed {
        true => crate::agents::import::lines::Opened::open(path)
            .and_then(|mut file| lines(values, &mut file, &mut held)),
        false => open(path).and_then(|mut file| lines(values, &mut file, &mut held)),
    };
    match read {
        Ok(()) if held.count == 0 => return None,
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => held.why = Some(error.to_string()),
    }
    if rewrite && is_transcript && held.why.is_none() {
        match packed {
            true => held.why = Some("it is compressed, and is not rewritten: remove it".to_owned()),
            false => match cover_values(values, path) {
                Ok(_) => held.rewritten = true,
                Err(error) => held.why = Some(error.to_string()),
            },
        }
    }
    Some(held)
}

fn lines(
    values: &Values,
    input: &mut dyn std::io::Read,
    held: &mut HeldFile,
) -> std::io::Result<()> {
    let mut all = BTreeSet::new();
    let read = scan_values(values, input, &mut |hit| {
        held.count += 1;
        if all.len() < LINES_MAX {
            all.insert(hit.line);
        }
    });
    held.lines = all.into_iter().collect();
    read.map(drop)
}

impl From<&HeldFile> for Held {
    fn from(file: &HeldFile) -> Self {
        let line = file.lines.first().copied();
        Self {
            path: file.path.clone(),
            record: None,
            line,
            count: file.count,
            unread: file.why.clone(),
        }
    }
}
