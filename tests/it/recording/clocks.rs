//! A clock that is wrong stops nothing: whatever it reads, every live door records, in order.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::events;
use crate::project::{Project, Ran};

/// Moves the wall clock of a process by `ANNALS_TEST_CLOCK` seconds.
const MOVER: &str = r#"
#define _GNU_SOURCE
#include <time.h>
#include <stdlib.h>
#include <dlfcn.h>
int clock_gettime(clockid_t c, struct timespec *t) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int r = real(c, t);
    if (c == CLOCK_REALTIME) { char *e = getenv("ANNALS_TEST_CLOCK"); if (e) t->tv_sec += atoll(e); }
    return r;
}
"#;

fn mover(project: &Project) -> Option<PathBuf> {
    if !Path::new("/proc/uptime").exists() {
        eprintln!("skipped: no Linux");
        return None;
    }
    let (source, made) = (project.write("mover.c", MOVER), project.path("mover.so"));
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-o"]).arg(&made).arg(source).arg("-ldl");
    match command.output() {
        Ok(output) if output.status.success() => Some(made),
        _ => {
            eprintln!("skipped: no C compiler");
            None
        }
    }
}

/// Records once by each door, the clock moved by so many seconds.
fn record_by_all(project: &Project, mover: &Path, seconds: i64, round: usize) {
    let by = |arguments: &[&str], input: String| {
        let mut command = project.command();
        command.env("LD_PRELOAD", mover).env("ANNALS_TEST_CLOCK", seconds.to_string());
        let ran = Ran::of(command.args(arguments).write_stdin(input)).code(0);
        let says = ran.out();
        assert!(!says.contains("\"ok\":false") && !says.contains("annals:"), "{seconds}: {says}");
    };
    by(&["run", "--", "true"], String::new());
    by(&["record"], "{\"tool\":\"file_read\"}\n".to_owned());
    let args = json!({"tool": "file_read", "arguments": {"round": round}});
    by(&["pipe"], json!({"id": 1, "op": "record_execution", "args": args}).to_string() + "\n");
    for hook in ["PreToolUse", "PostToolUse"] {
        let told = json!({"session_id": "clocks", "cwd": project.root(), "hook_event_name": hook,
            "tool_name": "Bash", "tool_use_id": format!("toolu_{round}"),
            "tool_input": {"command": "true"},
            "tool_response": {"stdout": "", "stderr": "", "interrupted": false}});
        by(&["hook", "claude-code", "--observe"], told.to_string());
    }
}

/// The time of an event's own clock, and the one that it was recorded at, seconds.
fn times(event: &Value) -> (i64, Option<i64>) {
    let seconds = |text: &Value| {
        let at: jiff::Timestamp = text.as_str()?.parse().ok()?; // null
        Some(at.as_second())
    };
    (seconds(&event["at"]).expect("a time"), seconds(&event["raw_at"]))
}

#[test]
fn whatever_the_clock_reads_every_live_door_records_in_order() {
    const DAY: i64 = 86_400;
    let project = Project::new();
    let Some(mover) = mover(&project) else { return };
    let now = jiff::Timestamp::now().as_second();
    let shifts = [0, -3_600, 3_600, 0, DAY - 60, 400 * DAY, 0, -now, -9 * DAY, 100_000 * DAY, 0];
    for (round, seconds) in shifts.into_iter().enumerate() {
        record_by_all(&project, &mover, seconds, round);
    }
    let all = events(&project, &["ExecutionStarted", "ExecutionFinished"]);
    assert_eq!(all.len(), shifts.len() * 8);
    let mut last: HashMap<String, i64> = HashMap::new();
    for event in &all {
        let (at, raw) = times(event);
        let session = event["session"].to_string();
        let before = last.insert(session, at).unwrap_or(0);
        assert!(before <= at, "{event}");
        // Only the day that a clock may be ahead moved anything.
        assert!((now - 60..now + DAY + 600).contains(&at), "{event}");
        assert!(raw.is_none_or(|raw| raw != at), "{event}");
    }
    let raw = all.iter().filter(|event| times(event).1.is_some()).count();
    assert!(raw >= 4 * 8, "what the clock read is kept: {raw}");
    project.annals(["rebuild", "--check"]).code(0);

    // A time that a caller gives is refused as ever.
    for at in ["1000", "\"2019-12-31T23:59:59Z\"", &((now + 3 * DAY) * 1000).to_string()] {
        let line = format!("{{\"tool\":\"file_read\",\"at\":{at}}}\n");
        let mut command = project.command();
        Ran::of(command.arg("record").write_stdin(line)).code(2).says("\"field\":\"at\"");
    }
}

#[test]
fn after_a_reboot_a_clock_that_is_far_ahead_is_taken() {
    let project = Project::new();
    let Some(mover) = mover(&project) else { return };
    // What another boot left.
    project.write(".annals/clock", "0 1 1700000000000\n");
    record_by_all(&project, &mover, 400 * 86_400, 0);
    let all = events(&project, &["ExecutionStarted"]);
    assert!(all.iter().all(|event| times(event).1.is_none()), "{all:?}");
}

#[test]
fn a_clock_that_was_set_back_is_told_and_no_fault_and_a_reading_that_was_not_believed_is_shown() {
    let project = Project::new();
    let Some(mover) = mover(&project) else { return };
    let by = |seconds: i64, session: &str| {
        let mut command = project.command();
        command.env("LD_PRELOAD", &mover).env("ANNALS_TEST_CLOCK", seconds.to_string());
        command.env("ANNALS_SESSION", session);
        Ran::of(command.args(["run", "--", "true"])).code(0);
    };
    by(0, "a");
    by(3_600, "b");
    by(0, "c");
    let said =
        project.annals(["verify"]).code(0).says("the clock was set back").says("everything holds");
    assert!(!said.out().contains("no event is lost"), "{}", said.out());
    let found = project.annals(["verify", "--json"]).code(0).json();
    assert_eq!(
        (&found[0]["findings"][0]["kind"], &found[0]["clean"]),
        (&json!("note"), &json!(true))
    );

    let plain = project.annals(["show", "last"]).code(0).out();
    assert!(!plain.contains("the clock read"), "{plain}");
    by(10 * 86_400, "d");
    project.annals(["show", "last"]).code(0).says("the clock read");
    let shown = project.annals(["show", "last", "--json"]).code(0).json();
    let (raw, at) = (shown["raw_at"].as_str(), shown["at"].as_str().expect("a time"));
    assert!(raw.is_some_and(|raw| raw > at), "{shown}");
    assert!(shown["raw_started"].is_string(), "{shown}");
}
