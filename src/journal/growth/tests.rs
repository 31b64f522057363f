//! A journal that grows while it is looked at.

use tempfile::TempDir;

use super::{Growth, LOOKS_UNTIL_STILL};
use crate::event::{Body, Envelope, Event, Source, StepBegun};
use crate::journal::{InitOptions, Project};

#[test]
fn every_growth_is_seen_once_however_long_nothing_happened() {
    let dir = TempDir::new().unwrap();
    let (project, _) = Project::init(dir.path(), &InitOptions::default()).unwrap();
    let mut growth = Growth::of(&project.journal_dir()).unwrap();
    for still in [0, 1, LOOKS_UNTIL_STILL, 3 * LOOKS_UNTIL_STILL] {
        for _ in 0..still {
            assert!(!growth.look().unwrap());
        }
        for _ in 0..2 {
            let envelope = Envelope::new(None, Source::Live, 1);
            let body = Body::StepBegun(StepBegun { title: None });
            project.journal().unwrap().append(&[Event { envelope, body }], 1).unwrap();
            assert!(growth.look().unwrap(), "after {still} looks");
        }
        assert!(!growth.look().unwrap());
    }
}
