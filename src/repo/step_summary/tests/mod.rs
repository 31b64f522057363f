//! What is told of a step, what is left out, and what a model may make of it.

mod model;
mod titled;
mod told;

use crate::journal::trust::Settings;
use crate::journal::{InitOptions, Project};

/// A project with these settings below `[repo]`.
fn project(settings: &str) -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let home = folder.path().join("home");
    let text = format!("[repo]\nhome = {:?}\n{settings}", home.to_str().unwrap());
    std::fs::write(project.config_path(), text).unwrap();
    Settings::of(folder.path()).allow(None).unwrap();
    let project = Project::find(folder.path()).unwrap();
    (folder, project)
}
