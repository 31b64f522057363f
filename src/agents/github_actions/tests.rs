//! What a job's log says of its steps.

use super::*;

fn told(text: &str) -> Vec<String> {
    let mut job = Job { session: "s".to_owned(), ..Job::default() };
    let mut out = Vec::new();
    for (at, line) in text.lines().enumerate() {
        job.line(at as u64 + 1, line, &mut out).unwrap();
    }
    job.end(&mut out).unwrap();
    let told = out.iter().flat_map(|it| &it.parts).map(|part| match part {
        Part::Call(it) => format!("{} {} {}", it.id, it.tool, it.arguments),
        Part::Result(it) => {
            let text =
                |bytes: &Option<Vec<u8>>| String::from_utf8(bytes.clone().unwrap_or_default());
            let printed = [text(&it.stdout).unwrap(), text(&it.stderr).unwrap()].concat();
            format!("{:?} {:?} {:?} {printed:?}", it.outcome, it.exit_code, it.duration_ms)
        }
        other => format!("{other:?}"),
    });
    told.collect()
}

#[test]
fn steps_are_executions() {
    let log = "\u{feff}2024-05-01T10:00:00.0000000Z ##[group]Runner Image\n\
        2024-05-01T10:00:00.1000000Z ##[endgroup]\n\
        2024-05-01T10:00:01.0000000Z ##[group]Run actions/checkout@v4\n\
        2024-05-01T10:00:01.0000000Z with:\n\
        2024-05-01T10:00:01.0000000Z ##[endgroup]\n\
        2024-05-01T10:00:02.0000000Z Syncing\n\
        2024-05-01T10:00:03.0000000Z ##[group]Run cargo test\n\
        2024-05-01T10:00:03.0000000Z \u{1b}[36;1mcargo test\u{1b}[0m\n\
        2024-05-01T10:00:03.0000000Z \u{1b}[36;1mcargo doc\u{1b}[0m\n\
        2024-05-01T10:00:03.0000000Z shell: /usr/bin/bash -e {0}\n\
        2024-05-01T10:00:03.0000000Z ##[endgroup]\n\
        2024-05-01T10:00:04.0000000Z test a ... FAILED\n\
        2024-05-01T10:00:05.0000000Z ##[error]Process completed with exit code 101.\n";
    let steps = [
        "step 1 action {\"uses\":\"actions/checkout@v4\"}",
        "Ok None Some(2000) \"Syncing\\n\"",
        "step 2 bash_exec {\"command\":\"cargo test\\ncargo doc\"}",
        "Failed Some(101) None \"test a ... FAILED\\n\"",
    ];
    assert_eq!(told(log), steps);
    let over = format!("{log}2024-05-01T10:00:06.0000000Z Post job cleanup.\n");
    assert_eq!(told(&over)[3], "Failed Some(101) Some(3000) \"test a ... FAILED\\n\"");
    let of_gh: String = over.lines().map(|line| format!("build\tstep\t{line}\n")).collect();
    assert_eq!(told(&of_gh), told(&over));
    // Nothing tells how it ended.
    let cut: String = log.lines().take(12).map(|line| format!("{line}\n")).collect();
    assert_eq!(told(&cut), &steps[..3]);
}
