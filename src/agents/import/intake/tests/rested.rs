//! Folds that rest while an import goes on.

use super::{fixture, import_all, project, recorded};
use crate::agents::import::intake::rested::Rested;
use crate::event::SessionId;
use crate::grounding::fold::Grounding;
use crate::grounding::gate::SessionFile;

#[test]
fn a_fold_that_rested_is_as_it_was_and_given_once() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    import_all(&project, &[fixture("")]);
    let mut ids: Vec<SessionId> =
        recorded(&project).iter().filter_map(|it| it.event.envelope.session).collect();
    ids.sort();
    ids.dedup();
    let fold = |id: &SessionId| SessionFile::unkept(&project, *id).unwrap().grounding().clone();
    let all: Vec<_> = ids.iter().map(fold).collect();
    assert!(all.iter().any(|it| !it.recent.is_empty() && !it.pending.is_empty()), "{}", all.len());
    let mut rested = Rested::default();
    all.iter().for_each(|it| rested.keep(it));
    for grounding in &all {
        assert_eq!(rested.take(grounding.session()).as_ref(), Some(grounding));
        assert!(rested.take(grounding.session()).is_none());
    }
}

#[test]
fn of_more_than_there_is_room_for_the_newest_rest() {
    let mut rested = Rested::default();
    let session = |number: u32| SessionId(std::array::from_fn(|at| number.to_be_bytes()[at % 4]));
    (0..20_000).for_each(|number| rested.keep(&Grounding::new(session(number))));
    assert!(rested.take(session(0)).is_none());
    for number in (19_900..20_000).rev() {
        assert_eq!(rested.take(session(number)), Some(Grounding::new(session(number))));
    }
}
