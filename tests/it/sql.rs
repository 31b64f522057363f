//! What a question from outside may cost, and that it can be stopped.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::leash::Leash;
use crate::project::Project;

#[test]
fn a_question_takes_no_more_memory_than_it_may() {
    let project = Project::new();
    project.annals(["sql", "SELECT zeroblob(9000000)"]).code(2).says("too big");
    let cells: Vec<String> =
        (0..70).map(|at| format!("printf('%*s', {}, '')", 8_000_000 + at)).collect();
    let ran = project.annals(["sql", &format!("SELECT {}", cells.join(", "))]).code(1);
    assert!(ran.err().contains("more than 512 MiB of memory"), "{}", ran.err());
    assert!(!ran.err().contains("repair"), "{}", ran.err());
}

/// One instruction of SQLite's that takes for ever: nothing looks at the clock meanwhile.
const ENDLESS: &str =
    "SELECT instr(printf('%.*c', 8000000, 'x'), printf('%.*c', 4000000, 'x') || 'y')";

#[cfg(target_os = "linux")]
#[test]
fn a_second_interrupt_ends_it_also_where_the_first_is_not_seen() {
    let project = Project::new();
    let mut asked = Command::new(env!("CARGO_BIN_EXE_annals"))
        .current_dir(project.root())
        .args(["sql", "--timeout", "0", ENDLESS])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(Leash::of)
        .expect("it runs");
    let status = format!("/proc/{}/status", asked.id());
    let catches = || {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0) & 2 != 0
    };
    let until = |what: &mut dyn FnMut() -> bool| {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            if what() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    };
    let ready = until(&mut || catches());
    std::thread::sleep(Duration::from_millis(500));
    let pid = asked.id().to_string();
    let interrupt = || Command::new("kill").args(["-INT", &pid]).status().expect("it runs");
    interrupt();
    std::thread::sleep(Duration::from_millis(300));
    let kept_on = asked.try_wait().expect("asked").is_none();
    interrupt();
    let ended = until(&mut || asked.try_wait().expect("asked").is_some());
    if !ended {
        asked.kill().expect("killed");
    }
    let code = asked.wait().expect("reaped").code();
    assert!(ready && kept_on && ended, "caught {ready}, kept on {kept_on}, ended {ended}");
    assert_eq!(code, Some(130));
}

#[test]
fn the_names_of_stores_hold_for_several_journals_as_for_one() {
    let projects = [(); 5].map(|()| Project::new());
    for project in &projects {
        project.annals(["run", "--", "true"]).code(0);
        project.annals(["status"]).code(0);
    }
    // One, as many as SQLite attaches, and more.
    for count in [1, 2, 5] {
        let mut words = Vec::new();
        for project in &projects[..count] {
            words.extend(["--dir".to_owned(), project.root().to_string_lossy().into_owned()]);
        }
        words.extend(["sql", "--csv"].map(str::to_owned));
        let ask = |sql: &str| projects[0].annals(words.iter().map(String::as_str).chain([sql]));
        let calls = ask("SELECT count(*) AS calls FROM idx.executions").code(0).out();
        assert_eq!(calls.trim().lines().last(), Some(count.to_string().as_str()), "{count}");
        ask("SELECT count(*) FROM graph.graph_entities, log.executions").code(0);
        for name in [r#""idx"."executions""#, "idx . executions", "[idx].`executions`"] {
            let calls = ask(&format!("SELECT count(*) FROM {name} e")).code(0).out();
            assert_eq!(calls.trim().lines().last(), Some(count.to_string().as_str()), "{name}");
        }
        ask("DELETE FROM idx.executions").code(2).says("only reading is allowed");
        ask("SELECT 'idx.executions' AS text FROM idx.nosuch").code(2).says("idx.nosuch");
    }
}
