//! Files that a person edited, or that another journal left.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::event::Sequence;
use crate::execution::live_recorder;
use crate::journal::{InitOptions, Project};
use crate::repo::entry::{ConventionGiven, EntryKind, Expected, NoteGiven};
use crate::repo::files::Publish;
use crate::repo::identify;

/// A project with one convention, one note and one summary, published below a home of its own.
struct Bench {
    dir: TempDir,
    project: Project,
    files: RepoFiles,
    repo: RepoHash,
}

const TWICE: &str =
    r#""notes": [{"id":"n1","content":"a","source":"manual","createdAt":"2020-01-02T03:04:05Z"},"#;

fn given(id: &str, content: &str) -> NoteGiven {
    NoteGiven { id: Some(id.to_owned()), content: Some(content.to_owned()), source: None }
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let bench = Self::at(dir, "tree");
        bench.work(|it| {
            let fmt = ConventionGiven {
                id: Some("fmt".to_owned()),
                title: Some("Format".to_owned()),
                content: Some("cargo fmt".to_owned()),
                tags: None,
            };
            it.upsert(None, fmt, Expected::New).unwrap();
            it.upsert(None, given("n1", "slow"), Expected::New).unwrap();
            it.append_summary(None, "run", "step-1", "did it").unwrap();
        });
        bench.publish();
        bench
    }

    /// In a folder of its own; the home is common to all in `dir`.
    fn at(dir: TempDir, name: &str) -> Self {
        let root = dir.path().join(name);
        fs::create_dir_all(&root).unwrap();
        Project::init(&root, &InitOptions::default()).unwrap();
        fs::write(root.join(".annals/config.toml"), "[journal]\ndurability = \"buffered\"\n")
            .unwrap();
        let project = Project::open(&root).unwrap();
        let files = RepoFiles::at(&project.index_path(), &dir.path().join("home"));
        let repo = identify(&root).unwrap().hash;
        Self { dir, project, files, repo }
    }

    fn work<T>(&self, work: impl FnOnce(&mut RepoWriter<'_, '_>) -> T) -> T {
        let mut recorder = live_recorder(&self.project);
        work(&mut RepoWriter::new(&self.project, &mut recorder, None))
    }

    fn publish(&self) {
        self.work(|it| it.index().map(drop)).unwrap();
        self.files.publish(Publish::All).unwrap();
    }

    fn file(&self, name: &str) -> PathBuf {
        self.files.folder(self.repo).join(name)
    }

    fn edit(&self, name: &str, edit: impl FnOnce(String) -> String) {
        let path = self.file(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, edit(text)).unwrap();
    }

    fn adopt(&self) -> Adopted {
        self.work(|it| it.adopt(None, &self.files, false)).unwrap()
    }

    fn refused(&self) -> String {
        match self.work(|it| it.adopt(None, &self.files, false)) {
            Err(error) => error.to_string(),
            Ok(done) => panic!("{done:?}"),
        }
    }

    fn events(&self) -> Vec<Body> {
        let reader = self.project.reader().unwrap();
        let events = reader.replay(Sequence(0), None).filter_map(|item| match item.unwrap() {
            crate::journal::ReplayItem::Event(recorded) => Some(recorded.event.body),
            _ => None,
        });
        events.collect()
    }

    fn difference(&self) -> RepoDifference {
        self.work(|it| it.difference(None, &self.files)).unwrap()
    }
}

#[test]
fn a_hand_edited_memory_json_becomes_events_and_is_written_anew() {
    let bench = Bench::new();
    assert!(!bench.difference().differs);
    let note = r#"{ "id": "n2", "content": "by hand", "source": "manual", "createdAt": "2020-01-02T03:04:05Z" }"#;
    bench.edit("memory.json", |text| {
        let text = text.replace("cargo fmt", "cargo fmt --all");
        let at = text.find("\"notes\": [").unwrap() + "\"notes\": [".len();
        let end = text.rfind(']').unwrap();
        format!("{}{note}{}", &text[..at], &text[end..])
    });
    let before = bench.events().len();
    // Nothing is changed by asking, nor by publishing.
    let dry = bench.work(|it| it.adopt(None, &bench.files, true)).unwrap();
    assert_eq!((dry.items, dry.published, dry.sequence), (3, false, None));
    bench.publish();
    assert!(fs::read_to_string(bench.file("memory.json")).unwrap().contains("by hand"));
    assert_eq!(bench.events().len(), before);

    let done = bench.adopt();
    assert_eq!((done.items, done.published), (3, true));
    let told: Vec<_> = bench.events()[before..].iter().map(Body::name).collect();
    assert_eq!(told, ["MemoryAdopted", "ConventionUpserted", "NoteAdded", "NoteRemoved"]);
    let memory = bench.work(|it| it.memory(None)).unwrap();
    assert_eq!(memory.conventions[0].content, "cargo fmt --all");
    assert!(memory.conventions[0].updated_ms > memory.conventions[0].created_ms, "changed now");
    let notes: Vec<_> = memory.notes.iter().map(|it| (it.id.as_str(), it.created_ms)).collect();
    assert_eq!(notes, [("n2", 1_577_934_245_000)]);
    assert_eq!(fs::read_to_string(bench.file("memory.json")).unwrap(), memory.to_json());
    assert!(!bench.difference().differs);
    // Twice is once.
    assert_eq!(bench.adopt().sequence, None);
}

#[test]
fn edited_summaries_are_taken_over_as_far_as_a_summary_can_be() {
    let bench = Bench::new();
    let line = r#"{"runId":"run","stepId":"step-0","createdAt":"2020-01-02T03:04:05Z","summary":"before"}"#;
    bench.edit("summaries.jsonl", |_| format!("{line}\n"));
    let done = bench.adopt();
    assert_eq!((done.items, done.kept_summaries), (1, 1));
    assert!(done.published);
    let text = fs::read_to_string(bench.file("summaries.jsonl")).unwrap();
    assert!(text.contains("did it") && text.contains("before"), "{text}");
    let steps = bench.work(|it| it.summaries(None, 9)).unwrap();
    assert_eq!(steps.len(), 2);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_field_and_nothing_is_recorded() {
    let bench = Bench::new();
    let before = bench.events().len();
    let (memory, summaries) = ("memory.json", "summaries.jsonl");
    for (name, from, to, says) in [
        (memory, "{", "[", "memory.json: line"),
        (memory, "\"title\"", "\"titel\"", "memory.json: conventions[0]"),
        (memory, "\"source\": \"manual\"", "\"source\": \"me\"", "memory.json: notes[0].source"),
        (memory, "\"version\": 1", "\"version\": 2", "memory.json: version"),
        (memory, "\"n1\"", "\"a b\"", "memory.json: note a b: id"),
        (memory, "\"notes\": [", TWICE, "memory.json: notes[1].id: `n1` is there twice"),
        (memory, "Format", "two\\nlines", "memory.json: convention fmt: title"),
        (summaries, "{", "", "summaries.jsonl: line 1: column 8: this is no JSON"),
        (summaries, "did it", " ", "summaries.jsonl: step-1 of run: summary"),
    ] {
        let whole = fs::read_to_string(bench.file(name)).unwrap();
        bench.edit(name, |text| text.replacen(from, to, 1));
        let told = bench.refused();
        assert!(told.contains(says), "{from} → {to}: {told}");
        fs::write(bench.file(name), whole).unwrap();
    }
    fs::remove_file(bench.file(memory)).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", bench.file(memory)).unwrap();
    assert!(bench.refused().contains("memory.json is a symbolic link"), "{}", bench.refused());
    assert_eq!(bench.events().len(), before);
}

#[test]
fn a_folder_that_another_journal_kept_is_taken_over_with_its_ids() {
    let bench = Bench::new();
    // The project is cloned anew at the same place: another journal, the same repository.
    let root = bench.project.root().to_owned();
    let repo = bench.repo;
    let Bench { dir, project, .. } = bench;
    drop(project);
    fs::remove_dir_all(&root).unwrap();
    let bench = Bench::at(dir, "tree");
    assert_eq!(bench.repo, repo);
    bench.work(|it| it.upsert(None, given("own", "of this one"), Expected::New)).unwrap();
    bench.publish();
    assert!(bench.difference().other_journal.is_some());
    assert!(!fs::read_to_string(bench.file("memory.json")).unwrap().contains("of this one"));

    let done = bench.adopt();
    assert_eq!((done.items, done.published), (3, true));
    let memory = bench.work(|it| it.memory(None)).unwrap();
    let ids = |memory: &crate::repo::query::RepoMemory| {
        let notes = memory.notes.iter().map(|it| it.id.clone());
        let conventions = memory.conventions.iter().map(|it| it.id.clone());
        conventions.chain(notes).collect::<Vec<_>>()
    };
    assert_eq!(ids(&memory), ["fmt", "n1", "own"]);
    assert_eq!(bench.work(|it| it.summaries(None, 9)).unwrap().len(), 1);
    assert_eq!(fs::read_to_string(bench.file("memory.json")).unwrap(), memory.to_json());
}

#[test]
fn a_folder_is_taken_over_by_a_journal_that_has_nothing_of_its_own() {
    let bench = Bench::new();
    let root = bench.project.root().to_owned();
    let Bench { dir, project, .. } = bench;
    drop(project);
    fs::remove_dir_all(&root).unwrap();
    let bench = Bench::at(dir, "tree");
    assert!(bench.difference().other_journal.is_some());
    let dry = bench.work(|it| it.adopt(None, &bench.files, true)).unwrap();
    assert_eq!((dry.items, dry.sequence), (3, None));
    let done = bench.adopt();
    assert_eq!((done.items, done.published), (3, true));
    let memory = bench.work(|it| it.memory(None)).unwrap();
    assert_eq!((memory.conventions.len(), memory.notes.len()), (1, 1));
    assert_eq!(fs::read_to_string(bench.file("memory.json")).unwrap(), memory.to_json());
}

/// The file's word counts where both were changed; what was removed in the journal does not come back
/// from a file that is only old.
#[test]
fn what_was_changed_in_both_is_the_files_and_what_is_only_old_is_not() {
    let bench = Bench::new();
    bench.edit("memory.json", |text| text.replace("\"slow\"", "\"slow on arm\""));
    bench.work(|it| {
        it.upsert(None, given("n1", "fast"), Expected::Known).unwrap();
        it.remove(None, EntryKind::Convention, "fmt").unwrap();
        it.upsert(None, given("n3", "new"), Expected::New).unwrap();
    });
    let done = bench.adopt();
    assert!(
        matches!(
            &done.difference.entries[..],
            [EntryChange { change: Change::Changed, stale: true, .. }]
        ),
        "{done:?}"
    );
    let memory = bench.work(|it| it.memory(None)).unwrap();
    let notes: Vec<_> = memory.notes.iter().map(|it| it.content.as_str()).collect();
    assert_eq!((notes, memory.conventions.len()), (vec!["slow on arm", "new"], 0));
}

/// A secret that somebody wrote into the file is not kept.
#[test]
fn a_secret_in_an_edited_file_is_taken_out() {
    let bench = Bench::new();
    let token = "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E".to_owned();
    bench.edit("memory.json", |text| text.replace("\"slow\"", &format!("\"token {token}\"")));
    bench.adopt();
    let text = fs::read_to_string(bench.file("memory.json")).unwrap();
    assert!(!text.contains(&token) && text.contains("[REDACTED"), "{text}");
    let holds = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        bytes.windows(token.len()).any(|window| window == token.as_bytes())
    };
    for entry in fs::read_dir(bench.project.journal_dir()).unwrap() {
        let path = entry.unwrap().path();
        assert!(!path.is_file() || !holds(&path), "{}", path.display());
    }
    assert!(!holds(&bench.project.index_path()));
    drop(bench.dir);
}
