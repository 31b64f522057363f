//! Packs of real projects: what they tell, and when a kept one is told again.

mod again;
mod tells;

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::{ContextAsked, context};
use crate::execution::live_recorder;
use crate::journal::{InitOptions, Project};
use crate::repo::entry::{ConventionGiven, DecisionGiven, Expected, NoteGiven};
use crate::repo::pack::{PackTold, SectionName};
use crate::repo::{RepoError, RepoWriter};

const BUILD: &str = "a build";

/// A project in a folder of its own, flushed by nobody.
struct Ground {
    folder: TempDir,
}

impl Ground {
    fn new(files: &[(&str, &str)]) -> Self {
        let ground = Self { folder: tempfile::tempdir().unwrap() };
        Project::init(ground.folder.path(), &InitOptions::default()).unwrap();
        ground.write(".annals/config.toml", "[journal]\ndurability = \"buffered\"\n");
        for (path, text) in files {
            ground.write(path, text);
        }
        ground
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn project(&self) -> Project {
        Project::open(self.folder.path()).unwrap()
    }

    fn work<T>(&self, work: impl FnOnce(&mut RepoWriter<'_, '_>) -> Result<T, RepoError>) -> T {
        let project = self.project();
        let mut recorder = live_recorder(&project);
        let done = work(&mut RepoWriter::new(&project, &mut recorder, None)).unwrap();
        recorder.finish().unwrap();
        done
    }

    fn convention(&self, title: &str, content: &str) {
        let given = ConventionGiven {
            id: None,
            title: Some(title.to_owned()),
            content: Some(content.to_owned()),
            tags: None,
        };
        self.work(|writer| writer.upsert(None, given, Expected::New));
    }

    fn decision(&self, summary: &str, paths: &[&str]) {
        let given = DecisionGiven {
            id: None,
            summary: Some(summary.to_owned()),
            rationale: Some("for a reason".to_owned()),
            impacted_paths: Some(paths.iter().map(|path| (*path).to_owned()).collect()),
        };
        self.work(|writer| writer.upsert(None, given, Expected::New));
    }

    fn note(&self, content: &str) {
        let given = NoteGiven { id: None, content: Some(content.to_owned()), source: None };
        self.work(|writer| writer.upsert(None, given, Expected::New));
    }

    fn summary(&self, step: &str, text: &str) {
        self.work(|writer| writer.append_summary(None, "run", step, text));
    }

    fn ask(&self, asked: &ContextAsked) -> PackTold {
        context(&self.project(), asked, BUILD).unwrap()
    }

    fn text(&self) -> String {
        self.ask(&ContextAsked::default()).pack.text
    }
}

fn items(told: &PackTold, name: SectionName) -> (Vec<String>, u64) {
    let found = told.pack.sections.iter().find(|section| section.name == name);
    found.map_or((Vec::new(), 0), |section| (section.items.clone(), section.left_out))
}
