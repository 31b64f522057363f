//! Rollouts that nobody wrote.

use super::*;
use crate::agents::codex::session;
use crate::agents::import::Item;
use crate::agents::settings::Home;

/// Reads bytes to their end, calls and all, and gives the number of unreadable lines.
pub fn survives(bytes: &[u8]) -> usize {
    let (mut ledger, mut events) = (Ledger::new("codex"), Vec::new());
    let mut unreadable = 0;
    for item in Transcript::new(bytes, Box::<Rollout>::default()) {
        let item = item.unwrap();
        unreadable += usize::from(matches!(item, Item::Unreadable { .. }));
        ledger.take(item, &mut events);
    }
    ledger.close(&mut events);
    let started = events.iter().filter(|e| matches!(e.body, Body::ExecutionStarted(_))).count();
    let open = ledger.report.calls - ledger.report.interrupted;
    assert!(ledger.report.results <= open + ledger.report.interrupted, "{:?}", ledger.report);
    assert_eq!(started as u64, ledger.report.calls);
    unreadable
}

#[test]
fn a_rollout_cut_anywhere_loses_one_line_at_most() {
    for (name, step) in [("bare.jsonl", 1), ("compacted.jsonl", 1), ("shapes.jsonl", 41)] {
        let whole = std::fs::read(fixture(name)).unwrap();
        for end in (0..whole.len()).step_by(step) {
            let between = end == 0 || whole[end] == b'\n' || whole[end - 1] == b'\n';
            assert_eq!(survives(&whole[..end]), usize::from(!between), "{name} cut at {end}");
        }
    }
}

#[test]
fn a_flipped_bit_costs_at_most_its_own_lines() {
    let whole = std::fs::read(fixture("events.jsonl")).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        assert!(survives(&flipped) <= 2, "bit {} of byte {at}", at % 8);
    }
}

#[test]
fn deep_and_odd_json_is_read_over() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let string = serde_json::to_string(&deep).unwrap();
    let line = |kind: &str, payload: &str| {
        format!("{{\"timestamp\":\"x\",\"type\":\"{kind}\",\"payload\":{payload}}}")
    };
    for payload in [
        format!(
            "{{\"type\":\"function_call\",\"name\":\"shell\",\"call_id\":\"c\",\"arguments\":{string}}}"
        ),
        format!(
            "{{\"type\":\"function_call\",\"name\":\"shell\",\"call_id\":\"c\",\"arguments\":{deep}}}"
        ),
        format!("{{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":{deep}}}"),
        format!("{{\"type\":\"web_search_call\",\"action\":{deep}}}"),
        format!("{{\"type\":\"message\",\"role\":\"user\",\"content\":{deep}}}"),
        "{\"type\":\"function_call\",\"name\":{},\"call_id\":[],\"arguments\":null}".to_owned(),
        "{\"type\":[],\"call_id\":1e999}".to_owned(),
        "{\"type\":\"reasoning\",\"summary\":null}".to_owned(),
    ] {
        let read = survives(line("response_item", &payload).as_bytes());
        assert!(read <= 1, "{}", &payload[..60.min(payload.len())]);
    }
    for payload in [
        format!("{{\"type\":\"item_completed\",\"item\":{deep}}}"),
        format!(
            "{{\"type\":\"exec_command_end\",\"call_id\":\"c\",\"command\":{deep},\"exit_code\":1e300}}"
        ),
        format!(
            "{{\"type\":\"patch_apply_end\",\"call_id\":\"c\",\"changes\":{deep},\"success\":{deep}}}"
        ),
        format!(
            "{{\"type\":\"mcp_tool_call_end\",\"call_id\":\"c\",\"invocation\":{{\"server\":\"s\",\"tool\":\"t\"}},\"result\":{deep}}}"
        ),
    ] {
        assert!(survives(line("event_msg", &payload).as_bytes()) <= 1);
    }
    assert_eq!(survives(line("session_meta", &deep).as_bytes()), 0);
}

#[test]
fn what_is_held_is_bounded() {
    let end = |n: usize| {
        format!(
            "{{\"timestamp\":\"x\",\"type\":\"event_msg\",\"payload\":{{\"type\":\"exec_command_end\",\"call_id\":\"call_{n}\",\"command\":[],\"exit_code\":0,\"stdout\":\"{}\",\"stderr\":\"\"}}}}\n",
            "x".repeat(100_000)
        )
    };
    let run = |n: usize| {
        format!(
            "{{\"type\":\"response_item\",\"payload\":{{\"type\":\"function_call_output\",\"call_id\":\"r{n}\",\"output\":\"Process running with session ID {n}\\nOutput:\\n\"}}}}\n"
        )
    };
    let ask = |n: usize| {
        format!(
            "{{\"type\":\"response_item\",\"payload\":{{\"type\":\"message\",\"role\":\"user\",\"content\":\"{n}\"}}}}\n"
        )
    };
    let lines: String =
        (0..300).map(end).chain((0..300).map(run)).chain((0..300).map(ask)).collect();
    let mut records = 0;
    let mut parts = 0;
    for item in Transcript::new(lines.as_bytes(), Box::<Rollout>::default()) {
        let Item::Record(record) = item.unwrap() else { panic!("all of it is whole") };
        records += usize::from(record.line > 0);
        parts += record.parts.len();
    }
    assert_eq!((records, parts), (900, 300 * 2 + 300 + 300), "every line is one record, and told");
}

#[test]
fn only_the_project_s_own_sessions_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(dir.path()).unwrap().join("shop");
    std::fs::create_dir_all(root.join("core")).unwrap();
    let home = dir.path().join("codex");
    let day = home.join("sessions/2026/04/02");
    std::fs::create_dir_all(&day).unwrap();
    std::fs::create_dir_all(home.join("archived_sessions")).unwrap();
    let meta = |cwd: &str| {
        format!(
            "{{\"timestamp\":\"2026-04-02T09:00:00Z\",\"type\":\"session_meta\",\"payload\":{{\"id\":\"s\",\"cwd\":{cwd:?}}}}}\n"
        )
    };
    let write = |path: PathBuf, text: &str| std::fs::write(path, text).unwrap();
    let at = |name: &str| root.join(name).to_string_lossy().into_owned();
    write(day.join("rollout-1.jsonl"), &meta(&at("")));
    write(day.join("rollout-2.jsonl"), &meta(&at("core")));
    write(day.join("rollout-3.jsonl"), &meta(&format!("{}-2", root.display())));
    write(day.join("rollout-4.jsonl"), "garbage");
    write(day.join("rollout-5.jsonl"), &meta("shop"));
    write(home.join("archived_sessions/rollout-6.jsonl"), &meta(&at("gone")));
    let packed = zstd::encode_all(meta(&at("")).as_bytes(), 3).unwrap();
    std::fs::write(day.join("rollout-7.jsonl.zst"), &packed).unwrap();
    // A compressed file beside its plain text is an older state of it.
    std::fs::write(day.join("rollout-1.jsonl.zst"), &packed).unwrap();
    let found = session::past_sessions(&home, &root).unwrap();
    let mut names: Vec<_> = found
        .iter()
        .map(|file| file.path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["rollout-1.jsonl", "rollout-2.jsonl", "rollout-6.jsonl", "rollout-7.jsonl.zst"]
    );
    assert_eq!(session::past_sessions(&dir.path().join("none"), &root).unwrap().len(), 0);
    let own = |codex: Option<&str>, home: Option<&str>| {
        let (codex, home) = (codex.map(PathBuf::from), home.map(PathBuf::from));
        Home { named: codex.map(|it| (Agent::Codex, it)).into_iter().collect(), home }
            .folder(Agent::Codex)
    };
    assert_eq!(own(None, Some("/h")), Some(PathBuf::from("/h/.codex")));
    assert_eq!(own(Some("/c"), None), Some(PathBuf::from("/c")));
    assert_eq!(own(None, None), None);
}
