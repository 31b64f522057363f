//! Journals sent to a bucket: also one that is busy, and over kills.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::server::{self, busy, stalling};
use super::{ask, filled};
use crate::project::Project;

const TO: &str = "s3://annals/fleet";

fn ship(project: &Project, endpoint: &str) -> crate::project::Ran {
    ask(project, endpoint, &["ship", "--to", TO, "--seal-after", "0s", "--json"])
}

#[test]
fn what_is_sent_to_a_bucket_holds_also_over_kills() {
    let Some(server) = super::server() else { return };
    let project = filled();
    let mut stalls = 0;
    for bytes in [100, 1_000, 3_000, 6_000, 9_000, 15_000, 30_000] {
        project.annals(["run", "--", "echo", &bytes.to_string()]).code(0);
        let stalled = stalling(&server, bytes);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(["ship", "--to", TO, "--seal-after", "0s"]).current_dir(project.root());
        command.env("HOME", project.root()).stdout(Stdio::null()).stderr(Stdio::null());
        server::named(&mut command, &stalled.endpoint);
        let mut child = command.spawn().expect("started");
        let until = Instant::now() + Duration::from_secs(20);
        while !stalled.is_stalled() && child.try_wait().expect("asked").is_none() {
            assert!(Instant::now() < until, "neither stalled nor done");
            std::thread::sleep(Duration::from_millis(5));
        }
        stalls += u32::from(stalled.is_stalled());
        // It may have ended by itself.
        drop(child.kill());
        child.wait().expect("ended");
        // What lies there is none of it, or whole.
        let held = ask(&project, &server.endpoint, &["fleet", "verify", TO, "--json"]);
        // 2: nothing is there yet; 1: more than the state says.
        match held.output.status.code() {
            Some(2) => continue,
            code => assert!(matches!(code, Some(0 | 1)), "{code:?}: {}", held.err()),
        }
        let held = held.json();
        let all = held.as_array().expect("journals");
        assert!(all.iter().all(|it| it["holds"] == true), "{held}");
    }
    assert!(stalls >= 4, "only {stalls} were killed while they sent");
    let sent = ship(&project, &server.endpoint).code(0).json();
    let status = ask(&project, &server.endpoint, &["fleet", "status", TO, "--json"]).code(0).json();
    assert_eq!(status[0]["through"], sent[0]["through"]);
    // By the clock of whoever keeps it.
    assert!(status[0]["clock_ahead_ms"].as_i64().is_some_and(|it| it.abs() < 60_000), "{status}");
    let held = ask(&project, &server.endpoint, &["fleet", "verify", TO, "--json"]).code(0).json();
    assert!(held[0]["segments"].as_u64() > Some(3), "{held}");
    // What is redacted leaves it.
    ask(&project, &server.endpoint, &["redact", "1", "--yes", "--reason", "leaked"]);
    ship(&project, &server.endpoint).code(0);
    let held = ask(&project, &server.endpoint, &["fleet", "verify", TO, "--json"]).code(0).json();
    assert_eq!(held[0]["holds"], true, "{held}");
}

#[test]
fn several_that_send_one_journal_at_once_lose_nothing() {
    let Some(server) = super::server() else { return };
    let project = filled();
    for round in 0..8 {
        project.annals(["run", "--", "echo", &round.to_string()]).code(0);
        let children: Vec<_> = (0..3)
            .map(|_| {
                let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_annals"));
                command.args(["ship", "--to", TO, "--seal-after", "0s"]);
                command.current_dir(project.root()).env("HOME", project.root());
                server::named(&mut command, &server.endpoint);
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started")
            })
            .collect();
        for mut child in children {
            let code = child.wait().expect("ended").code();
            assert!(matches!(code, Some(0 | 4)), "{code:?}");
        }
        ship(&project, &server.endpoint).code(0);
        ask(&project, &server.endpoint, &["fleet", "verify", TO]).code(0);
    }
}

#[test]
fn a_bucket_that_is_busy_for_a_while_is_asked_again() {
    let Some(server) = super::server() else { return };
    let project = filled();
    let seconds = std::env::var("ANNALS_BUSY_S").ok().and_then(|it| it.parse().ok()).unwrap_or(6); // its default
    let busy = busy(&server, Duration::from_secs(seconds));
    let from = Instant::now();
    ship(&project, &busy.endpoint).code(0);
    assert!(from.elapsed() >= Duration::from_secs(seconds), "{:?}", from.elapsed());
    assert!(busy.asked() > 2, "asked {} times", busy.asked());
    ask(&project, &server.endpoint, &["fleet", "verify", TO]).code(0);
    // Who may not wait so long is told, and the next one goes on.
    let busy = server::busy(&server, Duration::from_secs(600));
    project.annals(["run", "--", "echo", "more"]).code(0);
    let late = ask(&project, &busy.endpoint, &["ship", "--to", TO, "--within", "1"]).code(5);
    assert!(late.err().contains("object store"), "{}", late.err());
    ship(&project, &server.endpoint).code(0);
}
