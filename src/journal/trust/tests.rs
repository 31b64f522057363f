//! What was looked at is what is allowed, and what is used.

use std::fs;

use super::*;
use crate::config::{Config, ConfigError};
use crate::journal::{InitOptions, Project};

fn project() -> (tempfile::TempDir, Project) {
    let dir = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(dir.path(), &InitOptions::default()).unwrap();
    (dir, project)
}

#[test]
fn what_is_exchanged_between_the_look_and_the_consent_is_not_allowed() {
    let (dir, project) = project();
    fs::write(project.config_path(), "[repo]\nsummary_model = 'shown'\n").unwrap();
    let shown = Settings::of(dir.path());
    assert_eq!(shown.withheld()[0].value, "shown");
    fs::write(project.config_path(), "[repo]\nsummary_model = 'other'\n").unwrap();
    shown.allow(None).unwrap();
    let other = Settings::of(dir.path());
    assert!(!other.is_allowed);
    assert_eq!(other.config.repo.summary_model, None);
    // And what was read is used, whatever lies there since.
    fs::write(project.config_path(), "[repo]\nsummary_model = 'shown'\n").unwrap();
    let used = Project::open(dir.path()).unwrap();
    fs::write(project.config_path(), "[repo]\nsummary_model = 'other'\n").unwrap();
    assert_eq!(used.config().repo.summary_model.as_deref(), Some("shown"));
}

#[test]
fn a_journal_begun_here_is_one_s_own_also_where_it_was_moved() {
    let (dir, project) = project();
    assert_eq!(origin(dir.path()), Origin::Own);
    let moved = tempfile::tempdir().unwrap();
    fs::rename(project.annals_dir(), moved.path().join(".annals")).unwrap();
    assert_eq!(origin(moved.path()), Origin::Own);
    // Nothing there is foreign, and so is what cannot be read.
    assert!(!origin(dir.path()).is_believed());
}

#[test]
fn a_folder_is_the_same_whatever_number_its_device_has_by_now() {
    let (dir, _project) = project();
    let here = crate::journal::trust::Place::of(dir.path()).unwrap();
    let other = |changes: &[(&str, serde_json::Value)]| {
        let mut told = serde_json::to_value(&here).unwrap();
        for (key, value) in changes {
            told[*key] = value.clone();
        }
        serde_json::from_value::<crate::journal::trust::Place>(told).unwrap()
    };
    assert!(other(&[("device", 1.into())]).is(&here));
    assert!(other(&[("root", "/moved".into())]).is(&here));
    assert!(!other(&[("device", 1.into()), ("root", "/moved".into())]).is(&here));
    assert!(!other(&[("inode", 1.into())]).is(&here));
    assert!(other(&[("born_ns", serde_json::Value::Null)]).is(&here), "not every file system says");
    if here != other(&[("born_ns", serde_json::Value::Null)]) {
        assert!(!other(&[("born_ns", 1.into())]).is(&here), "the number of a folder that is gone");
    }
}

#[test]
fn a_missing_file_means_the_defaults_and_a_folder_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let none = config_at(&folder.path().join("none"));
    assert!(none.faults.is_empty() && none.config == Config::default());
    let read = config_at(folder.path());
    assert!(matches!(read.faults[..], [ConfigError::Read { .. }]));
}
