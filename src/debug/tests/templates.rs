//! What helped in one session is offered to another, and what comes of it is counted.

use super::*;
use crate::debug::query::{DebugView, FixTemplate, is_taken_back};
use crate::event::{DebugBeside, TemplateTrial};

fn learnt(project: &Project, session: DebugSessionId) -> Vec<FixTemplate> {
    work(project, |it| {
        let index = it.index().unwrap();
        DebugView::of(&index).patterns(session).unwrap()
    })
}

/// A session in which something failed, was fixed and passed.
pub(super) fn solved(project: &Project) -> DebugSessionId {
    let session =
        attempt(project, "src/a.rs", failing("a1", &[failure("t", "src/a.rs")])).done.session;
    work(project, |it| {
        it.analyse(session, None, analysis()).unwrap();
        it.fix(session, None, fix("Return early where the input is null")).unwrap();
    });
    assert_eq!(attempt(project, "src/a.rs", passing("a2")).status, DebugStatus::Passed);
    session
}

#[test]
fn a_template_is_learnt_offered_tried_and_let_go_of() {
    let (_dir, project) = project("[debug]\nattempts_max = 99\n");
    let first = solved(&project);
    let patterns = learnt(&project, first);
    assert_eq!(patterns.len(), 1);
    let pattern = patterns[0].pattern.clone();
    assert_eq!(pattern, "typeerror_cannot_read_property_length_of_null");
    assert_eq!(patterns[0].category.as_deref(), Some("null_undefined_access"));
    assert_eq!(patterns[0].tally, Some((1, 1)));
    let template = "Return early where the input is null (+3/-0 lines)";
    assert_eq!(patterns[0].fix_template.as_deref(), Some(template));

    // Another file, the same error.
    let met = attempt(&project, "src/b.rs", failing("b1", &[failure("u", "src/b.rs")]));
    let second = met.done.session;
    assert_eq!(met.similar.len(), 1);
    assert_eq!(met.similar[0].session.id, first);
    let (proposed, from) = met.proposed.unwrap();
    assert_eq!((proposed.description.as_str(), from.session), (template, first));
    let document = document(&project, second);
    let thought = document.executions[0].analysis.as_ref().unwrap();
    assert_eq!(thought.root_cause, analysis().root_cause);
    assert_eq!(thought.root_cause_category, Some(RootCause::NullUndefinedAccess));
    // The type and the message, of twelve.
    assert_eq!(thought.confidence, Some(0.58));
    let issues = thought.similar_past_issues.as_ref().unwrap();
    assert_eq!(issues[0].session_id, Some(first.to_string()));
    assert_eq!(issues[0].file.as_deref(), Some("src/a.rs"));
    assert!(issues[0].resolution.as_ref().unwrap().starts_with("Return early"));
    let fix = document.executions[0].fix_applied.as_ref().unwrap();
    assert_eq!(fix.verification, Some(Verification::Pending));

    // Nobody touched the code: nothing was tried.
    let again = attempt(&project, "src/b.rs", failing("b1", &[failure("u", "src/b.rs")]));
    assert_eq!((again.verified, again.proposed.is_some()), (None, true));
    assert_eq!(learnt(&project, first)[0].tally, Some((1, 1)));
    // Then somebody did.
    let passed = attempt(&project, "src/b.rs", passing("b2"));
    assert_eq!(passed.verified, Some((2, Verification::Passed)));
    assert_eq!(learnt(&project, first)[0].tally, Some((2, 2)));
    // It came from a template: what was learnt has none of its own.
    let own = learnt(&project, second);
    assert_eq!((own[0].pattern.as_str(), &own[0].fix_template), (pattern.as_str(), &None));
    assert_eq!(own[0].frequency, 2);

    // A third: there it does not help, and it is not offered again.
    let third = attempt(&project, "src/c.rs", failing("c1", &[failure("v", "src/c.rs")]));
    assert!(third.proposed.is_some());
    let failed = attempt(&project, "src/c.rs", failing("c2", &[failure("v", "src/c.rs")]));
    assert_eq!(failed.verified, Some((1, Verification::Failed)));
    assert_eq!(failed.proposed, None);
    let tallied = &learnt(&project, first)[0];
    assert_eq!(tallied.tally, Some((2, 3)));
    assert!((tallied.effectiveness.unwrap() - 2.0 / 3.0).abs() < 1e-5);
    // Two of three is not more than seven of ten.
    let fourth = attempt(&project, "src/d.rs", failing("d1", &[failure("w", "src/d.rs")]));
    assert_eq!((fourth.similar.len(), fourth.proposed), (3, None));
}

#[test]
fn who_applies_the_proposed_fix_tries_its_template_and_who_does_otherwise_does_not() {
    for (path, applies, tally) in [("src/b.rs", false, (1, 1)), ("src/c.rs", true, (2, 2))] {
        let (_dir, project) = project("");
        let first = solved(&project);
        let met = attempt(&project, path, failing("1", &[failure("u", path)]));
        let (mut proposed, from) = met.proposed.unwrap();
        if !applies {
            proposed.description = "Something else altogether".to_owned();
        }
        proposed.diff_summary = Some("+1/-1 lines".to_owned());
        let applied = FixGiven { fix: proposed, template: None };
        work(&project, |it| it.fix(met.done.session, None, applied)).unwrap();
        attempt(&project, path, passing("2"));
        assert_eq!(from.session, first);
        assert_eq!(learnt(&project, first)[0].tally, Some(tally), "{path}");
        // Told otherwise, it is corrected, and not counted again.
        let told = |it: Verification| work(&project, |w| w.verify(met.done.session, None, it));
        told(Verification::Failed).unwrap();
        let corrected = if applies { (1, 2) } else { tally };
        assert_eq!(learnt(&project, first)[0].tally, Some(corrected), "{path}");
        // What was learnt of a fix of one's own too.
        let own = if applies { None } else { Some((0, 1)) };
        assert_eq!(learnt(&project, met.done.session)[0].tally, own, "{path}");
        told(Verification::Passed).unwrap();
        assert_eq!(learnt(&project, first)[0].tally, Some(tally), "{path}");
    }
}

#[test]
fn what_is_only_a_little_alike_is_told_and_not_taken_up() {
    let (_dir, project) = project("");
    solved(&project);
    let mut other = failure("u", "src/a.rs");
    other.error_message = "something else altogether went wrong".to_owned();
    other.source_location.as_mut().unwrap().function = Some("other".to_owned());
    let met = attempt(&project, "src/z.rs", failing("1", &[other]));
    assert_eq!(met.similar.len(), 1);
    assert_eq!(met.similar[0].likeness.reasons(), ["same error type", "same file"]);
    assert_eq!(met.proposed, None);
    assert_eq!(met.done.document.executions[0].analysis, None);
}

fn saying(test: &str, source: &str, message: &str) -> TestFailure {
    let error_type = ErrorType::RuntimeError;
    TestFailure { error_type, error_message: message.to_owned(), ..failure(test, source) }
}

const BOUNDS: &str = "index out of bounds: the len is 3 but the index is 3";
const OVERFLOW: &str = "attempt to subtract with overflow";

/// A session in which `t` and `u` were mended first and `v` then, of another error.
fn solved_in_two_steps(project: &Project) -> DebugSessionId {
    let path = "src/a.rs";
    let (t, u, v) =
        (saying("t", path, BOUNDS), saying("u", path, BOUNDS), saying("v", path, OVERFLOW));
    let session = attempt(project, path, failing("1", &[t, u, v.clone()])).done.session;
    work(project, |it| it.fix(session, None, fix("Stop before the length"))).unwrap();
    // Not all of them are gone: the fix is none of the whole.
    let second = attempt(project, path, failing("2", &[v]));
    assert_eq!(second.verified, Some((1, Verification::Failed)));
    work(project, |it| it.fix(session, None, fix("Saturate at zero"))).unwrap();
    attempt(project, path, passing("3"));
    session
}

#[test]
fn a_pattern_has_the_fix_after_which_its_own_failure_was_gone() {
    let (_dir, project) = project("");
    let session = solved_in_two_steps(&project);
    let mut patterns = learnt(&project, session);
    patterns.sort_by(|one, other| one.pattern.cmp(&other.pattern));
    let told: Vec<_> = patterns
        .iter()
        .map(|it| (it.pattern.as_str(), it.fix_template.as_deref().unwrap(), it.tally))
        .collect();
    let bounds = "runtimeerror_index_out_of_bounds_the_len_is_but_the_index_is";
    let overflow = "runtimeerror_attempt_to_subtract_with_overflow";
    assert_eq!(
        told,
        [
            (overflow, "Saturate at zero (+3/-0 lines)", Some((1, 1))),
            (bounds, "Stop before the length (+3/-0 lines)", Some((1, 1))),
        ]
    );
    // Its own verdict counts for each.
    let told = |attempt, it| work(&project, |w| w.verify(session, Some(attempt), it)).unwrap();
    told(2, Verification::Failed);
    let tallies: Vec<_> = learnt(&project, session).iter().map(|it| it.tally).collect();
    assert_eq!(tallies, [Some((0, 1)), Some((1, 1))]);
    told(2, Verification::Passed);
    assert_eq!(learnt(&project, session)[0].tally, Some((1, 1)));
    document(&project, session);
}

#[test]
fn the_template_that_is_proposed_is_that_of_the_very_failure() {
    let (_dir, project) = project("[debug]\nattempts_max = 99\n");
    let session = solved_in_two_steps(&project);
    for (path, message, helps) in
        [("src/b.rs", BOUNDS, "Stop before"), ("src/c.rs", OVERFLOW, "Saturate")]
    {
        let met = attempt(&project, path, failing("1", &[saying("x", path, message)]));
        let (proposed, from) = met.proposed.unwrap();
        assert!(proposed.description.starts_with(helps), "{message}: {proposed:?}");
        assert_eq!(from.session, session);
        assert!(
            met.similar[0]
                .resolution
                .as_ref()
                .unwrap()
                .fix
                .as_ref()
                .unwrap()
                .description
                .starts_with(helps),
            "{message}"
        );
        // Where that did not help, the other helps even less.
        let again = attempt(&project, path, failing("2", &[saying("x", path, message)]));
        assert_eq!(again.verified, Some((1, Verification::Failed)));
        let proposed = again.proposed.map(|(fix, _)| fix.description);
        assert_eq!(proposed, None, "{message}");
    }
}

#[test]
fn what_annals_had_learnt_stays_beside_what_a_caller_tells_later() {
    let (_dir, project) = project("");
    let session = solved_in_two_steps(&project);
    let told = serde_json::json!({"patterns_identified": [{"pattern": "mine", "frequency": 4}]});
    let learnings = serde_json::from_value(told).unwrap();
    let given = super::super::LearnGiven { learnings, tallies: Vec::new() };
    work(&project, |it| it.learn(session, given)).unwrap();
    let patterns = learnt(&project, session);
    assert_eq!(patterns.len(), 3);
    assert_eq!(patterns.iter().filter(|it| it.tally == Some((1, 1))).count(), 2);
}

#[test]
fn a_fix_that_did_not_help_is_no_template_and_one_that_failed_first_has_a_trial_that_failed() {
    let path = "src/a.rs";
    let (_dir, project) = project("[debug]\nattempts_max = 99\n");
    let steps = [
        // The same test still fails, of something else: whether the first was mended nobody knows.
        ("1", Some(saying("t", path, BOUNDS)), "Guessed wrong"),
        ("2", Some(saying("t", path, OVERFLOW)), "Stop before the length"),
        ("3", Some(saying("t", path, OVERFLOW)), "Stop before the length"),
    ];
    let mut session = None;
    for (code, met, told) in steps {
        let done = attempt(&project, path, failing(code, &met.into_iter().collect::<Vec<_>>()));
        session = Some(done.done.session);
        work(&project, |it| it.fix(done.done.session, None, fix(told))).unwrap();
    }
    let session = session.unwrap();
    attempt(&project, path, passing("4"));
    let mut patterns = learnt(&project, session);
    patterns.sort_by(|one, other| one.pattern.cmp(&other.pattern));
    let told: Vec<_> = patterns
        .iter()
        .map(|it| (it.fix_template.as_deref(), it.tally, it.effectiveness))
        .collect();
    let template = Some("Stop before the length (+3/-0 lines)");
    assert_eq!(told, [(template, Some((1, 2)), Some(0.5)), (None, None, None)]);
    let met = attempt(&project, "src/b.rs", failing("1", &[saying("x", "src/b.rs", OVERFLOW)]));
    assert_eq!((met.similar.len(), met.proposed), (1, None));
    document(&project, session);
}

#[test]
fn a_caller_who_says_that_a_fix_failed_is_believed_and_may_take_it_back() {
    let path = "src/a.rs";
    let (_dir, project) = project("");
    let session = attempt(&project, path, failing("1", &[failure("t", path)])).done.session;
    work(&project, |it| it.fix(session, None, fix("Return early"))).unwrap();
    work(&project, |it| it.verify(session, None, Verification::Failed)).unwrap();
    attempt(&project, path, passing("2"));
    assert_eq!(learnt(&project, session)[0].tally, Some((0, 1)));
    let met = attempt(&project, "src/b.rs", failing("1", &[failure("u", "src/b.rs")]));
    assert_eq!((met.proposed, &met.similar[0].resolution), (None, &None));
    work(&project, |it| it.verify(session, None, Verification::Passed)).unwrap();
    assert_eq!(learnt(&project, session)[0].tally, Some((1, 1)));
    let met = attempt(&project, "src/c.rs", failing("1", &[failure("v", "src/c.rs")]));
    assert!(met.proposed.is_some());
}

#[test]
fn a_fix_is_taken_back_by_its_own_trial_where_all_of_it_failed() {
    let (_dir, project) = project("");
    let session = solved(&project);
    let known = document(&project, session);
    let other = DebugSessionId::parse("0193a5b2-7c1e-4f00-8a00-000000000001").unwrap();
    let trial = |session, attempt, worked| {
        let pattern = format!("{session}{attempt}{worked}");
        TemplateTrial { pattern, session, attempt, worked }
    };
    for (trials, is_back) in [
        (vec![], false),
        (vec![trial(session, 1, false)], true),
        (vec![trial(session, 1, false), trial(session, 1, true)], false),
        (vec![trial(session, 2, false), trial(other, 1, false)], false),
    ] {
        let beside = DebugBeside { trials, ..DebugBeside::default() };
        assert_eq!(is_taken_back(&known, &beside, 1), is_back, "{beside:?}");
    }
}
