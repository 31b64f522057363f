//! Logs of other agents through the program: against an independent count, twice, and touched in between.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::leash::start;
use crate::project::Project;
use crate::skipped::skipped;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder that holds one a source, and of what lies beside the project.
fn logs() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for (folder, names) in [
        (root().join("tests/fixtures/sources"), None),
        (root().join("../shared/data"), Some(["swe-agent", "openhands"])),
    ] {
        let Ok(folders) = std::fs::read_dir(&folder) else {
            skipped("no real logs in ../shared/data");
            continue;
        };
        for source in folders.map(|it| it.unwrap().path()) {
            let name = source.file_name().unwrap().to_string_lossy().into_owned();
            if !source.is_dir() || names.is_some_and(|names| !names.contains(&name.as_str())) {
                continue;
            }
            for file in std::fs::read_dir(&source).unwrap().map(|it| it.unwrap().path()) {
                if file.is_file() && !file.ends_with("LICENSE") {
                    found.push((name.clone(), file));
                }
            }
        }
    }
    found.sort();
    found
}

fn counted(source: &str, file: &Path) -> Option<Value> {
    let script = root().join("tests/count_logs.py");
    match Command::new("python3").arg(script).arg(source).arg(file).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(serde_json::from_slice(&output.stdout).unwrap())
        }
        Err(_) => {
            skipped("no python3");
            None
        }
    }
}

#[test]
fn every_log_gives_the_counts_of_an_independent_script_and_nothing_the_second_time() {
    for (source, file) in logs() {
        let Some(expect) = counted(&source, &file) else { return };
        let project = Project::new();
        let copy = project.root().join(file.file_name().unwrap());
        std::fs::copy(&file, &copy).unwrap();
        let ran = project.annals(["--json".as_ref(), "import".as_ref(), copy.as_os_str()]);
        let got = ran.json();
        for (count, expect) in expect.as_object().unwrap() {
            assert_eq!(&got[count], expect, "{count} of {source} {}\n{got:#}", file.display());
        }
        assert_eq!((&got["unreadable_lines"], &got["not_recorded"]), (&0.into(), &0.into()));
        let events = project.annals(["--json", "verify"]).json()[0]["events"].clone();
        // What a file without times is told by is when it was written: that changes no event.
        let later = SystemTime::now() + Duration::from_secs(5);
        std::fs::File::options().append(true).open(&copy).unwrap().set_modified(later).unwrap();
        let again = project.annals(["--json", "import", &source, copy.to_str().unwrap()]).json();
        assert_eq!(again["recorded"], 0, "{source}\n{again:#}");
        assert_eq!(project.annals(["--json", "verify"]).json()[0]["events"], events, "{source}");
    }
}

#[test]
fn calls_without_times_stand_in_the_order_of_the_file() {
    let project = Project::new();
    let file = root().join("tests/fixtures/sources/swe-agent/function-calling-simple.traj");
    let told = project.annals(["import".as_ref(), file.as_os_str()]).out();
    assert!(told.contains("function-calling-simple.traj: no times of its own"), "{told}");
    let log = project.annals(["--json", "log"]).json();
    let at: Vec<_> = log.as_array().unwrap_or_else(|| panic!("{log:#}")).iter().collect();
    let times: Vec<_> = at.iter().map(|it| it["at"].as_str().unwrap().to_owned()).collect();
    let mut sorted = times.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!((times.len(), times), (5, sorted), "{log:#}");
    // Nobody measured how long they took.
    let took = log.as_array().unwrap().iter().map(|it| &it["duration_ms_max"]);
    assert!(took.clone().all(Value::is_null) && took.count() == 5, "{log:#}");
    let asked = "SELECT count(*) AS n, sum(untimed) AS untimed, max(duration_ms_max) AS took FROM executions";
    let rows = project.annals(["--json", "sql", "--exported", asked]).json();
    assert_eq!(rows[0], serde_json::json!({"n": 5, "untimed": 5, "took": null}), "{rows:#}");
}

#[test]
fn the_help_names_every_source() {
    let help = Project::new().annals(["import", "--help"]).out();
    for name in annals::internal::agents::SOURCES.iter().map(|it| it.name) {
        assert!(help.contains(name), "{name}\n{help}");
    }
}

#[test]
fn an_old_execution_log_becomes_a_journal_and_its_rows_come_back_as_they_were() {
    let project = Project::new();
    let old = root().join("tests/fixtures/sources/execution-log/toy.db");
    let got = project.annals(["--json".as_ref(), "import".as_ref(), old.as_os_str()]).json();
    assert_eq!((&got["calls"], &got["interrupted"]), (&6.into(), &1.into()), "{got:#}");
    project.annals(["status"]);
    let rows = |path: &Path| {
        let base = rusqlite::Connection::open(path).unwrap();
        let sql = "SELECT json_array(id, tool_name, arguments_json, timestamp, success, exit_code, duration_ms, \
                   error_message, (SELECT json_group_array(json_array(artifact_type, content_json)) FROM \
                   (SELECT artifact_type, content_json FROM execution_artifacts a WHERE \
                   a.execution_id = e.id ORDER BY artifact_type))) FROM executions e ORDER BY timestamp, id";
        let mut rows = base.prepare(sql).unwrap();
        let rows = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(Result::unwrap).collect::<Vec<_>>()
    };
    assert_eq!(rows(&project.path("execution_log.db")), rows(&old));
    let again = project.annals(["--json".as_ref(), "import".as_ref(), old.as_os_str()]).json();
    assert_eq!(again["recorded"], 0, "{again:#}");
    // This project's own is made of its journal.
    let own = project.annals(["import", "execution_log.db"]).code(1).out();
    assert!(own.contains("skipped: this project's own"), "{own}");
}

#[test]
fn a_toy_agent_is_added_by_a_mapping() {
    let project = Project::new();
    let write = |name: &str, text: &str| std::fs::write(project.path(name), text).unwrap();
    let mapping = "agent = \"toy\"\nsession = \"/run\"\ntime = \"/at\"\n\n[tools]\nsh = \"bash_exec\"\n\n\
                   [call]\nid = \"/id\"\ntool = \"/tool\"\narguments = \"/line\"\n\n\
                   [result]\noutput = \"/out\"\nexit_code = \"/code\"\n";
    write("toy.toml", mapping);
    let line = |id: u32, code: i32| {
        format!(
            "{{\"run\":\"r\",\"at\":\"2026-02-03T10:00:0{id}Z\",\"id\":{id},\"tool\":\"sh\",\
             \"line\":\"cargo test\",\"out\":\"test result: ok. 1 passed\",\"code\":{code}}}\n"
        )
    };
    write("toy.jsonl", &[line(1, 101), line(2, 0)].concat());
    let import =
        || project.annals(["--json", "import", "--mapping", "toy.toml", "toy.jsonl"]).json();
    let got = import();
    assert_eq!(
        (&got["calls"], &got["failed"], &got["sessions"]),
        (&2.into(), &1.into(), &1.into())
    );
    assert_eq!(import()["recorded"], 0);
    write("toy.jsonl", &[line(1, 101), line(2, 0), line(3, 0), "{\"run\"".to_owned()].concat());
    let grown = import();
    assert_eq!((&grown["calls"], &grown["unreadable_lines"]), (&3.into(), &1.into()), "{grown:#}");
    assert_eq!(grown["findings"][0]["line"], 4, "{grown:#}");
    let log = project.annals(["--json", "log", "-n", "9"]).json();
    let told: Vec<_> =
        log.as_array().unwrap().iter().map(|it| (&it["agent"], &it["tool"])).collect();
    assert_eq!(told, [(&"toy".into(), &"bash_exec".into()); 3], "{log:#}");
    write("toy.toml", &mapping.replace("\"/tool\"", "\"tool\""));
    let wrong = project.annals(["import", "--mapping", "toy.toml", "toy.jsonl"]).code(2).err();
    assert!(wrong.contains("toy.toml:10: tool: "), "{wrong}");
    // One that is mistyped is not waited for.
    let absent = project.annals(["import", "--watch", "no-such-folder"]).code(5).err();
    assert!(absent.contains("no-such-folder"), "{absent}");
    let nothing = project.annals(["import", "--watch", "codex"]).code(2).err();
    assert!(nothing.contains("want the files or folders to be named"), "{nothing}");
}

#[test]
fn an_older_opencode_storage_is_read_from_its_session_on() {
    let project = Project::new();
    let export = root().join("tests/fixtures/sources/opencode/export.json");
    let export: Value = serde_json::from_slice(&std::fs::read(export).unwrap()).unwrap();
    let write = |path: String, value: &Value| {
        let path = project.path(&path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, value.to_string()).unwrap();
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let session = text(&export["info"]["id"]);
    write(format!("storage/session/abc/{session}.json"), &export["info"]);
    for message in export["messages"].as_array().unwrap() {
        let id = text(&message["info"]["id"]);
        write(format!("storage/message/{session}/{id}.json"), &message["info"]);
        for part in message["parts"].as_array().unwrap() {
            write(format!("storage/part/{id}/{}.json", text(&part["id"])), part);
        }
    }
    let got = project.annals(["--json", "import", "storage"]).json();
    let counts = ["files", "sessions", "prompts", "messages", "calls", "results", "failed"];
    let counts: Vec<_> = counts.iter().map(|count| got[count].as_u64().unwrap()).collect();
    assert_eq!(counts, [1, 1, 1, 1, 3, 3, 2], "{got:#}");
    assert_eq!(project.annals(["--json", "import", "storage"]).json()["recorded"], 0);
}

#[test]
fn what_is_watched_is_imported_as_it_grows_until_it_is_interrupted() {
    let project = Project::new();
    std::fs::create_dir(project.path("logs")).unwrap();
    let lines =
        std::fs::read_to_string(root().join("tests/fixtures/sources/openhands/events.jsonl"));
    let lines: Vec<_> = lines.unwrap().lines().map(str::to_owned).collect();
    let write = |count: usize| {
        std::fs::write(project.path("logs/events.jsonl"), lines[..count].join("\n") + "\n")
            .unwrap();
    };
    write(4);
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command.args(["import", "--watch", "logs"]).current_dir(project.root());
    command.env("HOME", project.root()).env_remove("XDG_STATE_HOME").env_remove("XDG_CACHE_HOME");
    command.env_remove("ANNALS_DIR").env_remove("ANNALS_SESSION");
    let watching = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let are = |wanted: &[&str]| {
        (0..60).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            let log = project.annals(["--json", "log", "-n", "9"]).json();
            let log = log.as_array().cloned().unwrap_or_default();
            log.iter().map(|it| it["outcome"].as_str().unwrap()).eq(wanted.iter().copied())
        })
    };
    // The call of the fourth line goes on.
    let is_open = are(&["open"]);
    write(10);
    let has_ended = are(&["failed", "failed"]);
    kill_process(Pid::from_child(&watching), Signal::TERM).unwrap();
    let output = watching.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    // The fixture has a result of no call.
    assert!(is_open && has_ended && output.status.code() == Some(1), "{output:?}");
    assert!(told.contains("watched: ") && told.contains(" events recorded in "), "{told}");
}

#[test]
fn a_document_that_grew_adds_what_it_grew_by_and_a_folder_gives_what_is_a_log() {
    let project = Project::new();
    std::fs::create_dir_all(project.path("runs/deep")).unwrap();
    let step = |number: u32| {
        format!(r#"{{"action":"echo {number}","observation":"{number}","response":"go"}}"#)
    };
    let write = |count: u32| {
        let steps: Vec<_> = (0..count).map(step).collect();
        let text = format!(r#"{{"environment":"e","trajectory":[{}]}}"#, steps.join(","));
        std::fs::write(project.path("runs/deep/a.traj"), text).unwrap();
    };
    // What else lies there is nobody's log, and no finding.
    std::fs::write(project.path("runs/package.json"), "{\"name\":\"shop\"}").unwrap();
    std::fs::write(project.path("runs/notes.txt"), "nothing").unwrap();
    let import = || project.annals(["--json", "import", "runs"]).code(0).json();
    write(2);
    let got = import();
    assert_eq!((&got["calls"], &got["files"]), (&2.into(), &1.into()), "{got:#}");
    write(5);
    // Three calls with their ends, and what was said before each.
    let grown = import();
    assert_eq!((&grown["calls"], &grown["recorded"]), (&5.into(), &9.into()), "{grown:#}");
    assert_eq!(import()["recorded"], 0);
}
