//! A search where its index cannot be caught up where it lies: somebody has it open, or another question just found the
//! index behind it wrong.

use std::process::{Command, Stdio};

use rusqlite::Connection;

use crate::project::Project;

fn filled() -> Project {
    let project = Project::new();
    for word in ["zebra", "giraffe"] {
        project.annals(["run", "--", "echo", word]).code(0);
    }
    project.annals(["search", "zebra"]).code(0).says("zebra");
    project
}

#[test]
fn what_another_program_has_open_is_answered_from_beside_it() {
    let project = filled();
    let path = project.path(".annals/search.db");
    let idle = Connection::open(&path).expect("opened");
    idle.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(())).expect("read");
    // By another process: to close the file here would take the connection's locks.
    assert!(Command::new("touch").arg(&path).status().expect("touch").success());
    project.annals(["search", "zebra"]).code(0).says("zebra");
    drop(idle);
    project.annals(["search", "zebra"]).code(0).says("zebra");
}

#[test]
fn questions_at_once_over_an_index_that_was_changed_all_answer() {
    let project = filled();
    for round in 0..3 {
        let other = Connection::open(project.path(".annals/index.db")).expect("opened");
        other
            .execute_batch("CREATE TABLE IF NOT EXISTS zz (a); INSERT INTO zz VALUES (1)")
            .expect("changed");
        drop(other);
        let asked = (0..8).map(|at| {
            let plain = project.command();
            let mut command = Command::new(plain.get_program());
            for (name, value) in plain.get_envs() {
                match value {
                    Some(value) => command.env(name, value),
                    None => command.env_remove(name),
                };
            }
            command.args(plain.get_args()).current_dir(project.root());
            command.args(if at % 2 == 0 { ["search", "zebra"] } else { ["log", "-n1"] });
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("begun")
        });
        for (at, asked) in asked.collect::<Vec<_>>().into_iter().enumerate() {
            let out = asked.wait_with_output().expect("ended");
            let told = String::from_utf8_lossy(&out.stdout).into_owned();
            let word = if at % 2 == 0 { "zebra" } else { "giraffe" };
            let why = String::from_utf8_lossy(&out.stderr).into_owned();
            assert!(told.contains(word), "round {round}, question {at}: {told:?}, {why}");
        }
    }
}
