//! How sessions stand, by rule.

use super::*;
use crate::fault::{Fault, Remedy};

#[test]
fn three_failed_attempts_escalate_and_one_that_passes_ends_it() {
    let (_dir, project) = project("");
    let first = attempt(&project, "./src/a.rs", failing("1", &[failure("t", "src/a.rs")]));
    let session = first.done.session;
    assert!(first.opened && first.attempt == 1 && first.attempts_max == 3);
    assert_eq!(first.done.document.file_path, "src/a.rs");
    assert_eq!(first.status, DebugStatus::InProgress);
    let absolute = project.root().join("src/a.rs").to_string_lossy().into_owned();
    let second = attempt(&project, &absolute, failing("2", &[failure("t", "src/a.rs")]));
    assert_eq!((second.done.session, second.opened, second.attempt), (session, false, 2));
    // Nothing ran: it neither counts nor ends anything.
    let nothing = AttemptGiven { code_hash: "3".to_owned(), ..AttemptGiven::default() };
    assert_eq!(attempt(&project, "src/a.rs", nothing).status, DebugStatus::InProgress);
    let fourth = attempt(&project, "src/a.rs", failing("4", &[failure("t", "src/a.rs")]));
    assert_eq!((fourth.status, fourth.attempt), (DebugStatus::Escalated, 4));
    assert_eq!(fourth.failed, 3);
    // Escalated takes further attempts, and escalates no second time.
    let before = bodies(&project).len();
    let fifth = attempt(&project, "src/a.rs", failing("5", &[failure("t", "src/a.rs")]));
    assert_eq!((fifth.status, fifth.done.session), (DebugStatus::Escalated, session));
    assert_eq!(names(&project, before), ["AttemptRecorded", "HookRan", "HookRan"]);
    let last = attempt(&project, "src/a.rs", passing("6"));
    assert_eq!((last.status, last.done.session), (DebugStatus::Passed, session));
    // What is over is over.
    let refused = work(&project, |it| it.attempt(session, passing("7"))).unwrap_err();
    assert!(matches!(refused, DebugError::Final { .. }) && refused.is_refusal());
    assert_eq!(refused.sorted().1, Some(Remedy::OpenDebug("src/a.rs".into())), "{refused}");
    let next = attempt(&project, "src/a.rs", passing("7"));
    assert!(next.opened && next.done.session != session && next.status == DebugStatus::Passed);
    document(&project, session);
}

#[test]
fn errors_fail_and_the_number_of_attempts_is_the_sessions() {
    let (_dir, project) = project("[debug]\nattempts_max = 1\n");
    let errors = AttemptGiven {
        code_hash: "1".to_owned(),
        results: TestResults { errors: Some(1), ..TestResults::default() },
        ..AttemptGiven::default()
    };
    assert_eq!(attempt(&project, "a", errors.clone()).status, DebugStatus::Escalated);
    let two = OpenGiven { attempts_max: Some(2), ..file("b") };
    let opened = work(&project, |it| it.open(two)).unwrap();
    assert_eq!(opened.document.status, Some(DebugStatus::InProgress));
    assert_eq!(attempt(&project, "b", errors.clone()).status, DebugStatus::InProgress);
    assert_eq!(attempt(&project, "b", errors).status, DebugStatus::Escalated);
}

#[test]
fn closing_is_final_but_for_an_escalation() {
    let (_dir, project) = project("");
    let open = |path: &str| work(&project, |it| it.open(file(path))).unwrap().session;
    let close = |session, status| work(&project, |it| it.close(session, status, None));
    let session = open("a");
    let escalated = close(session, DebugStatus::Escalated).unwrap();
    assert_eq!(escalated.hooks.len(), 2);
    let again = close(session, DebugStatus::Escalated).unwrap();
    assert_eq!((again.done.sequence, again.hooks.len()), (None, 0));
    let reason = Some("not worth it".to_owned());
    let failed = work(&project, |it| it.close(session, DebugStatus::Failed, reason)).unwrap();
    assert_eq!(failed.done.document.status, Some(DebugStatus::Failed));
    assert!(matches!(close(session, DebugStatus::Passed), Err(DebugError::Final { .. })));
    let refused = work(&project, |it| it.attempt(session, passing("1")));
    assert!(matches!(refused, Err(DebugError::Final { .. })));
    // What is told of it later is kept.
    let learnt = super::super::LearnGiven {
        learnings: crate::event::Learnings {
            recommendations: Some(vec!["write it anew".to_owned()]),
            ..Default::default()
        },
        tallies: Vec::new(),
    };
    work(&project, |it| it.learn(session, learnt)).unwrap();
    assert_eq!(value(&project, session)["learnings"]["recommendations"][0], "write it anew");
    let untold = close(open("b"), DebugStatus::InProgress);
    assert!(matches!(untold, Err(DebugError::Field { field, .. }) if field == "status"));
}

#[test]
fn the_attempt_after_a_fix_says_whether_it_helped() {
    let (_dir, project) = project("[debug]\nattempts_max = 99\n");
    let (a, b) = (failure("a", "src/x.rs"), failure("b", "src/x.rs"));
    let first = attempt(&project, "src/x.rs", failing("1", &[a.clone(), b.clone()]));
    let session = first.done.session;
    let fixed = || work(&project, |it| it.fix(session, None, fix("changed something"))).unwrap();
    let verification = |done: &DebugDone, at: usize| {
        done.document.executions[at].fix_applied.as_ref().unwrap().verification.unwrap()
    };
    assert_eq!(verification(&fixed(), 0), Verification::Pending);
    // One of them fails still.
    let second = attempt(&project, "src/x.rs", failing("2", std::slice::from_ref(&a)));
    assert_eq!(second.verified, Some((1, Verification::Failed)));
    assert_eq!(verification(&second.done, 0), Verification::Failed);
    // Another fails, none that did.
    fixed();
    let third = attempt(&project, "src/x.rs", failing("3", &[b]));
    assert_eq!(third.verified, Some((2, Verification::Passed)));
    // Nothing passes any more: that is no help.
    fixed();
    let mut broken = failing("4", &[failure("build", "src/x.rs")]);
    broken.results = TestResults { total: 1, failed: 1, ..TestResults::default() };
    let fourth = attempt(&project, "src/x.rs", broken);
    assert_eq!(fourth.verified, Some((3, Verification::Failed)));
    // Nothing ran: nothing is known.
    fixed();
    let nothing = AttemptGiven { code_hash: "5".to_owned(), ..AttemptGiven::default() };
    assert_eq!(attempt(&project, "src/x.rs", nothing).verified, None);
    let sixth = attempt(&project, "src/x.rs", passing("6"));
    assert_eq!(sixth.verified, Some((4, Verification::Passed)));
    // By hand, also when it is over.
    let by_hand = |attempt| work(&project, |it| it.verify(session, attempt, Verification::Failed));
    assert_eq!(verification(&by_hand(None).unwrap(), 3), Verification::Failed);
    assert_eq!(by_hand(None).unwrap().sequence, None);
    assert!(matches!(by_hand(Some(5)), Err(DebugError::NoFix { attempt: 5, .. })));
    assert!(matches!(by_hand(Some(9)), Err(DebugError::NoAttempt { attempt: 9, .. })));
    document(&project, session);
}

#[test]
fn attempts_of_several_at_once_have_numbers_of_their_own() {
    let (_dir, project) = project("[debug]\nattempts_max = 99\n");
    std::thread::scope(|scope| {
        for worker in 0..3 {
            let project = &project;
            scope.spawn(move || {
                for number in 0..3 {
                    let hash = format!("{worker} {number}");
                    attempt(project, "src/a.rs", failing(&hash, &[failure("t", "src/a.rs")]));
                }
            });
        }
    });
    let opened = names(&project, 0).iter().filter(|name| **name == "DebugSessionOpened").count();
    assert_eq!(opened, 1);
    let session = work(&project, |it| {
        let index = it.index().unwrap();
        crate::debug::query::DebugView::of(&index).resolve("last").unwrap()
    });
    let attempts: Vec<u32> =
        document(&project, session).executions.iter().map(|it| it.attempt).collect();
    assert_eq!(attempts, (1..=9).collect::<Vec<_>>());
}
