//! Logs of other agents through the program: against an independent count, twice, and touched in between.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;

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
}

#[test]
fn the_help_names_every_source() {
    let help = Project::new().annals(["import", "--help"]).out();
    for name in annals::internal::agents::SOURCES.iter().map(|it| it.name) {
        assert!(help.contains(name), "{name}\n{help}");
    }
}
