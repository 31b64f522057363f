//! Whatever is told, in whatever order: documents are valid, attempts are numbered, statuses follow.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Told {
    Attempt { failures: u8, hash: u8 },
    Analysis,
    Fix,
    Verify(bool),
    Close(DebugStatus),
}

fn told() -> impl Strategy<Value = Told> {
    prop_oneof![
        4 => (0..3_u8, 0..3_u8).prop_map(|(failures, hash)| Told::Attempt { failures, hash }),
        1 => Just(Told::Analysis),
        2 => Just(Told::Fix),
        1 => any::<bool>().prop_map(Told::Verify),
        1 => prop::sample::select(DebugStatus::ALL).prop_map(Told::Close),
    ]
}

fn tell(it: &mut DebugWriter<'_, '_>, session: DebugSessionId, path: &str, told: &Told) -> bool {
    let done = match told {
        Told::Attempt { failures, hash } => {
            let failures: Vec<_> =
                (0..*failures).map(|number| failure(&format!("t{number}"), path)).collect();
            it.attempt(session, failing(&hash.to_string(), &failures)).map(drop)
        }
        Told::Analysis => it.analyse(session, None, analysis()).map(drop),
        Told::Fix => it.fix(session, None, fix("some change")).map(drop),
        Told::Verify(true) => it.verify(session, None, Verification::Passed).map(drop),
        Told::Verify(false) => it.verify(session, None, Verification::Failed).map(drop),
        Told::Close(status) => it.close(session, *status, None).map(drop),
    };
    match done {
        Ok(()) => true,
        Err(error) if error.is_refusal() => false,
        Err(error) => panic!("{told:?}: {error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..Default::default() })]

    #[test]
    fn documents_are_valid_and_statuses_follow(
        story in prop::collection::vec((0..2_usize, told()), 1..14)
    ) {
        let (_dir, project) = project("");
        let paths = ["src/a.rs", "src/b.rs"];
        work(&project, |it| {
            let sessions = paths.map(|path| it.open(file(path)).unwrap().session);
            for (which, told) in &story {
                let before = it.record(sessions[*which]).unwrap().document;
                let is_done = tell(it, sessions[*which], paths[*which], told);
                let after = it.record(sessions[*which]).unwrap().document;
                let over = [Some(DebugStatus::Passed), Some(DebugStatus::Failed)];
                if over.contains(&before.status) {
                    assert_eq!(after.status, before.status);
                    assert_eq!(after.executions.len(), before.executions.len());
                }
                match told {
                    Told::Attempt { failures: 0, .. } if is_done => {
                        assert_eq!(after.status, Some(DebugStatus::Passed));
                    }
                    Told::Attempt { .. } if is_done => {
                        let failed = after.executions.len();
                        let is_many = failed >= 3 || before.status == Some(DebugStatus::Escalated);
                        assert_eq!(after.status == Some(DebugStatus::Escalated), is_many);
                    }
                    _ => {}
                }
                if !is_done {
                    assert_eq!(after, before);
                }
                let numbers = after.executions.iter().map(|it| it.attempt as usize);
                assert!(numbers.eq(1..=after.executions.len()));
            }
            let schema = DebugSchema::new(true).unwrap();
            for session in sessions {
                let document = it.record(session).unwrap().document;
                let value = serde_json::to_value(&document).unwrap();
                assert_eq!(schema.faults(&value), []);
            }
        });
    }
}
