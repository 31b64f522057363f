//! The spec's "memory CRUD", on a real journal.

mod crud;
mod refused;
mod together;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::entry::{ConventionGiven, DecisionGiven, Entry, EntryKind, Expected, NoteGiven};
use super::{RepoError, RepoWriter, identify};
use crate::event::{Body, RepoHash, Sequence};
use crate::execution::index::IndexReader;
use crate::execution::live_recorder;
use crate::journal::{InitOptions, Project};
use crate::repo::query::{RepoMemory, RepoView};

/// A project in a working tree that git knows, flushed by nobody.
fn project() -> (TempDir, Project) {
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), "main");
    let project = at(dir.path());
    (dir, project)
}

fn at(root: &Path) -> Project {
    Project::init(root, &InitOptions::default()).unwrap();
    let settings = root.join(".annals/config.toml");
    fs::write(settings, "[journal]\ndurability = \"buffered\"\n").unwrap();
    Project::open(root).unwrap()
}

fn tree(root: &Path, branch: &str) {
    let git = root.join(".git");
    fs::create_dir_all(git.join("info")).unwrap();
    fs::write(git.join("HEAD"), format!("ref: refs/heads/{branch}\n")).unwrap();
    let url = "https://user:S3CRETtoken@example.com/o/r.git";
    fs::write(git.join("config"), format!("[remote \"origin\"]\n\turl = {url}\n")).unwrap();
}

/// Works on the memory of a project.
fn work<T>(project: &Project, work: impl FnOnce(&mut RepoWriter<'_, '_>) -> T) -> T {
    let mut recorder = live_recorder(project);
    work(&mut RepoWriter::new(project, &mut recorder, None))
}

fn memory(project: &Project, repo: RepoHash) -> RepoMemory {
    looked(project, |view| view.memory(repo).unwrap()).unwrap()
}

fn looked<T>(project: &Project, look: impl FnOnce(RepoView<'_>) -> T) -> T {
    work(project, |writer| writer.index().unwrap());
    let index = IndexReader::open(crate::stores::places(project.root()).index()).unwrap();
    look(RepoView::of(&index))
}

/// The names of everything in the journal.
fn names(project: &Project) -> Vec<&'static str> {
    bodies(project).iter().map(Body::name).collect()
}

fn bodies(project: &Project) -> Vec<Body> {
    let reader = project.reader().unwrap();
    let events = reader.replay(Sequence(0), None).filter_map(|item| match item.unwrap() {
        crate::journal::ReplayItem::Event(recorded) => Some(recorded.event.body),
        _ => None,
    });
    events.collect()
}

fn convention(id: &str, title: &str) -> ConventionGiven {
    ConventionGiven {
        id: Some(id.to_owned()),
        title: Some(title.to_owned()),
        content: Some(format!("{title}, always.")),
        tags: Some(vec!["style".to_owned()]),
    }
}

fn decision(id: &str) -> DecisionGiven {
    DecisionGiven {
        id: Some(id.to_owned()),
        summary: Some("one journal".to_owned()),
        rationale: Some("two can disagree".to_owned()),
        impacted_paths: Some(vec!["./src/journal".to_owned(), "src/**/*.rs".to_owned()]),
    }
}

fn note(id: &str, content: &str) -> NoteGiven {
    NoteGiven { id: Some(id.to_owned()), content: Some(content.to_owned()), source: None }
}
