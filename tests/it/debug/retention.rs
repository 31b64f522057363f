//! How long documents are kept, to the day (ruling 15).

use annals::internal::debug::{AttemptGiven, DebugWriter, LearnGiven, OpenGiven};
use annals::internal::event::{DebugStatus, ErrorPattern, Learnings, TestResults};
use annals::internal::execution::live_recorder;
use annals::internal::journal::{Project as Opened, clock};
use serde_json::{Value, json};

use super::{attempt, document, project, settle, told};
use crate::project::Project;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// What makes a document be kept longer.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Plain,
    Learnt,
    Escalated,
}

/// A session that changed last so many milliseconds ago.
fn session(project: &Project, kept: Kept, file: &str, ago_ms: u64) -> String {
    let opened = Opened::open(project.root()).expect("a project");
    let mut recorder = live_recorder(&opened);
    let mut writer = DebugWriter::new(&opened, &mut recorder, None).without_hooks();
    writer.set_at_ms(clock::now_ms() - ago_ms);
    let given = OpenGiven { file_path: file.to_owned(), ..OpenGiven::default() };
    let session = writer.open(given).expect("opened").session;
    let results = TestResults { total: 1, failed: 1, ..TestResults::default() };
    let given = AttemptGiven { code_hash: "x".to_owned(), results, ..AttemptGiven::default() };
    writer.attempt(session, given).expect("an attempt");
    match kept {
        Kept::Plain => {}
        Kept::Escalated => {
            writer.close(session, DebugStatus::Escalated, None).expect("escalated");
        }
        Kept::Learnt => {
            let pattern = "p".to_owned();
            let pattern = ErrorPattern {
                pattern,
                category: None,
                frequency: 1,
                fix_template: None,
                effectiveness: None,
            };
            let learnings =
                Learnings { patterns_identified: Some(vec![pattern]), ..Learnings::default() };
            writer.learn(session, LearnGiven { learnings, tallies: Vec::new() }).expect("learnt");
        }
    }
    opened.journal().expect("a journal").sync().expect("synced");
    session.to_string()
}

#[test]
fn documents_are_kept_thirty_sixty_or_ninety_days_and_not_one_longer() {
    let project = project();
    settle(&project, "[debug]\narchive = \"old\"\n");
    // The clock goes on between the making and the asking: a minute on either side.
    let minute = 60_000;
    let mut due = Vec::new();
    for (kept, days) in [(Kept::Plain, 30), (Kept::Learnt, 60), (Kept::Escalated, 90)] {
        let (over, under) = (days * DAY_MS + minute, days * DAY_MS - minute);
        due.push((session(&project, kept, "over", over), days));
        session(&project, kept, "under", under);
    }
    let dry = told(&project, &["expire", "--dry-run"]);
    let ids = |told: &Value| -> Vec<(String, u64)> {
        let rows = told.as_array().expect("a list").iter();
        let mut ids: Vec<_> = rows
            .map(|it| {
                (
                    it["session_id"].as_str().expect("an id").to_owned(),
                    it["days"].as_u64().expect("days"),
                )
            })
            .collect();
        ids.sort();
        ids
    };
    due.sort();
    assert_eq!(ids(&dry), due);
    assert_eq!(told(&project, &["list"]).as_array().map(Vec::len), Some(6));
    let text = document(&project, &due[0].0);
    let expired = told(&project, &["expire"]);
    assert_eq!(ids(&expired), due);
    for it in expired.as_array().expect("a list") {
        assert_eq!(it["expired"], json!(true));
        let archived = project.path(it["archived"].as_str().expect("archived"));
        let kept: Value =
            serde_json::from_slice(&std::fs::read(archived).expect("read")).expect("JSON");
        assert_eq!(kept["session_id"], it["session_id"]);
        if kept["session_id"] == text["session_id"] {
            assert_eq!(kept, text);
        }
    }
    let left = told(&project, &["list"]);
    assert!(left.as_array().expect("a list").iter().all(|it| it["file_path"] == "under"), "{left}");
    assert_eq!(told(&project, &["expire"]), json!([]));
    // The journal has it all, and what is gone stays gone.
    project.annals(["debug", "show", &due[0].0]).code(2);
    let fix = ["debug", "fix", &due[0].0, "--description", "x"];
    project.annals(fix).code(2);
    let replayed = project.annals(["replay", "--format", "jsonl"]).code(0).out();
    assert!(replayed.contains(&due[0].0));
    project.annals(["rebuild", "--check"]).code(0);
}

/// Ten days, and a change begins them anew.
#[test]
fn settings_say_how_long_and_a_change_begins_anew() {
    let project = project();
    settle(&project, "[debug]\nretention_days = 10\n");
    let old = session(&project, Kept::Plain, "a", 11 * DAY_MS);
    let changed = session(&project, Kept::Plain, "b", 11 * DAY_MS);
    project.annals(["debug", "fix", &changed, "--description", "mended"]).code(0);
    attempt(&project, None);
    let expired = told(&project, &["expire"]);
    assert_eq!(expired.as_array().map(Vec::len), Some(1));
    assert_eq!((&expired[0]["session_id"], &expired[0]["archived"]), (&json!(old), &Value::Null));
}
