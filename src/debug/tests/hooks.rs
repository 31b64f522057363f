//! Every hook of the schema runs when it is due, tells what it did, and changes nothing when it fails.

use super::*;

const NAMES: [&str; 6] = [
    "check_similar_past_issues",
    "apply_known_fix_template",
    "update_fix_effectiveness",
    "extract_learnings",
    "notify_human",
    "preserve_full_context",
];

fn settings(command: impl Fn(&str) -> String) -> String {
    let lines = NAMES.map(|name| format!("{name} = {:?}\n", command(name)));
    format!("[debug]\nattempts_max = 2\n[debug.hooks]\ntimeout_s = 1\n{}", lines.concat())
}

fn outcomes(done: &AttemptDone) -> Vec<(&str, &str)> {
    done.hooks.iter().map(|it| (it.hook.as_str(), it.outcome.as_str())).collect()
}

#[test]
fn each_runs_when_it_is_due_and_leaves_that_it_ran() {
    let (_dir, project) = project("[debug]\nattempts_max = 2\n");
    let fails = |hash: &str| failing(hash, &[failure("t", "src/a.rs")]);
    let first = attempt(&project, "src/a.rs", fails("1"));
    let on_failure = [
        ("on_failure.check_similar_past_issues", "nothing like it is known"),
        ("on_failure.apply_known_fix_template", "no template is known for it"),
    ];
    assert_eq!(outcomes(&first), on_failure);
    let second = attempt(&project, "src/a.rs", fails("2"));
    let session = second.done.session;
    let kept = format!("kept in .annals/debug-exports/{session}.json");
    let escalated =
        ["a person is to look; the settings name no command that tells them", kept.as_str()];
    let mut both = on_failure.to_vec();
    both.push(("on_escalation.notify_human", escalated[0]));
    both.push(("on_escalation.preserve_full_context", escalated[1]));
    assert_eq!(outcomes(&second), both);
    let passed = attempt(&project, "src/a.rs", passing("3"));
    let on_success = [
        ("on_success.update_fix_effectiveness", "no template was tried"),
        ("on_success.extract_learnings", "1 pattern learnt, 1 test failed more than once"),
    ];
    assert_eq!(outcomes(&passed), on_success);
    let again = attempt(&project, "src/a.rs", passing("4"));
    assert_eq!(outcomes(&again)[1].1, "nothing had failed: nothing to learn");
    let recorded: Vec<(String, String)> = [first, second, passed, again]
        .iter()
        .flat_map(|done| done.hooks.iter().map(|it| (it.hook.clone(), it.outcome.clone())))
        .collect();
    assert_eq!(hooks(&project), recorded);
    let learnt = value(&project, session)["learnings"]["recurring_failures"].clone();
    let told = serde_json::json!([{"test": "t", "occurrences": 2, "resolution": "resolved"}]);
    assert_eq!(learnt, told);
}

#[test]
fn a_command_behind_each_is_given_json_about_it() {
    let (_dir, project) = project(&settings(|name| format!("cat > hook-{name}.json")));
    let told = |name: &str| -> Value {
        let path = project.root().join(format!("hook-{name}.json"));
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let first = attempt(&project, "src/a.rs", failing("1", &[failure("t", "src/a.rs")]));
    let checked = told("check_similar_past_issues");
    assert_eq!(checked["hook"], "on_failure.check_similar_past_issues");
    assert_eq!(checked["document"]["executions"][0]["failures"][0]["test_name"], "t");
    // No template is known: there is nothing to apply.
    assert!(!project.root().join("hook-apply_known_fix_template.json").exists());
    let ended = "nothing like it is known; its command succeeded";
    assert_eq!(first.hooks[0].outcome, ended);
    work(&project, |it| it.fix(first.done.session, None, fix("looked for null"))).unwrap();
    attempt(&project, "src/a.rs", passing("2"));
    assert_eq!(told("update_fix_effectiveness")["tried"], serde_json::json!([]));
    let learnings = &told("extract_learnings")["learnings"]["patterns_identified"][0];
    assert_eq!(learnings["fix_template"], "looked for null (+3/-0 lines)");

    attempt(&project, "src/b.rs", failing("1", &[failure("t", "src/b.rs")]));
    assert_eq!(told("check_similar_past_issues")["similar"][0]["file_path"], "src/a.rs");
    let applied = told("apply_known_fix_template");
    assert_eq!(applied["fix"]["description"], "looked for null (+3/-0 lines)");
    assert_eq!(applied["template"]["file_path"], "src/a.rs");
    assert_eq!(applied["project"], project.root().to_string_lossy().as_ref());
    let second = attempt(&project, "src/b.rs", failing("2", &[failure("t", "src/b.rs")]));
    assert_eq!(second.status, DebugStatus::Escalated);
    let told_of = told("notify_human");
    assert_eq!(told_of["document"]["status"], "escalated");
    assert!(told_of["context"].is_string(), "{told_of:#}");
    let export = told("preserve_full_context");
    assert_eq!(export["format"], "annals/debug-export/v1");
    assert_eq!(export["document"]["session_id"], second.done.session.to_string());
    // As the journal has it.
    let recorded = hooks(&project);
    assert!(recorded.iter().any(|(hook, _)| hook == "on_escalation.notify_human"));
}

#[test]
fn a_command_that_fails_hangs_or_floods_changes_nothing() {
    let (_dir, project) = project(&settings(|name| {
        match name {
            "check_similar_past_issues" => {
                "echo ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E >&2; exit 3"
            }
            "notify_human" => "sleep 30",
            "preserve_full_context" => "head -c 100000000 /dev/zero; exit 1",
            _ => "/no/such/program",
        }
        .to_owned()
    }));
    attempt(&project, "a", failing("1", &[failure("t", "a")]));
    let done = attempt(&project, "a", failing("2", &[failure("t", "a")]));
    assert_eq!((done.status, done.attempt), (DebugStatus::Escalated, 2));
    let failed: Vec<(&str, &str)> = done
        .hooks
        .iter()
        .filter_map(|it| Some((it.hook.rsplit('.').next()?, it.failed.as_deref()?)))
        .collect();
    assert_eq!(failed.len(), 3, "{failed:?}");
    assert!(failed[0].1.contains("exit status: 3"), "{failed:?}");
    assert!(failed[0].1.contains("REDACTED") && !failed[0].1.contains("ghp_"), "{failed:?}");
    assert!(failed[1].1.contains("more than 1 s"), "{failed:?}");
    assert!(failed[2].1.contains("exit status: 1"), "{failed:?}");
    let recorded = hooks(&project);
    assert!(recorded.iter().any(|(_, outcome)| outcome.contains("more than 1 s")));
    let passed = attempt(&project, "a", passing("3"));
    assert_eq!(passed.status, DebugStatus::Passed);
    assert!(passed.hooks.iter().all(|it| it.failed.is_some()));
}

#[test]
fn an_export_says_which_journal_it_comes_from_and_only_its_owner_reads_it() {
    use std::os::unix::fs::PermissionsExt;
    let (_dir, project) = project("[debug]\nattempts_max = 1\n");
    let done = attempt(&project, "a", failing("1", &[failure("t", "a")]));
    let session = done.done.session;
    let path = project.root().join(format!(".annals/debug-exports/{session}.json"));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let export: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let sequence = Sequence(export["journal"]["sequence"].as_u64().unwrap());
    let reader = project.reader().unwrap();
    assert_eq!(export["journal"]["id"], uuid::Uuid::from_bytes(reader.id()).to_string());
    assert!(reader.get(sequence).unwrap().is_some());
    for end in ["first", "last"] {
        let at = Sequence(export["journal"][end].as_u64().unwrap());
        assert!(reader.get(at).unwrap().unwrap().event.body.name().len() > 5);
    }
    assert_eq!(export["document"]["status"], "escalated");
    let again = work(&project, |it| it.export(session)).unwrap();
    assert_eq!(serde_json::to_value(&again.document).unwrap(), value(&project, session));
}

#[test]
fn a_caller_that_tells_patterns_is_not_talked_over() {
    let (_dir, project) = project("");
    let session = attempt(&project, "a", failing("1", &[failure("t", "a")])).done.session;
    let told = serde_json::json!({"patterns_identified": [{"pattern": "mine", "frequency": 4}]});
    let learnings = serde_json::from_value(told).unwrap();
    let given = super::super::LearnGiven { learnings, tallies: Vec::new() };
    work(&project, |it| it.learn(session, given)).unwrap();
    let passed = attempt(&project, "a", passing("2"));
    assert!(passed.hooks[1].outcome.contains("a caller has told"), "{:?}", passed.hooks);
    let patterns = value(&project, session)["learnings"]["patterns_identified"].clone();
    assert_eq!(patterns, serde_json::json!([{"pattern": "mine", "frequency": 4}]));
}
