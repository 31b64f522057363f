//! Recorders that are overtaken again and again.

use super::*;
use crate::journal::Rounds;

#[test]
fn who_was_overtaken_a_few_times_is_not_overtaken_again() {
    let scene = scene();
    let other = Project::open(scene.project.root()).unwrap().waiting(20);
    let append = |project: &Project| {
        let started = scene.started(Source::Live, now(), "a").1;
        project.journal().unwrap().append(&[started], now()).map(|appended| appended.last)
    };
    append(&other).unwrap();
    let mut rounds = Rounds::of(&scene.project);
    let overtaken = (1..).take_while(|_| {
        rounds.another().unwrap();
        append(&other).is_ok()
    });
    assert!((2..32).contains(&overtaken.count()));
    let last = append(&scene.project).unwrap();
    assert!(append(&other).is_err(), "held for more than one append");
    drop(rounds);
    assert_eq!(append(&other).unwrap(), Sequence(last.0 + 1));
}
