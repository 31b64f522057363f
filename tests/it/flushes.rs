//! How often a store is flushed while it is made: it is nobody's before it is whole, and then one flush is enough.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::project::Project;
use crate::skipped::skipped;

const STORES: [&str; 3] = ["codegraph.db", "execution_log.db", "index.db"];

/// Flushes of each file below the folder that stores are built in; `None` where nobody may trace.
fn flushes(project: &Project, arguments: &[&str]) -> Option<BTreeMap<String, usize>> {
    let plain = project.command();
    let trace = project.path("trace");
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-y", "-e", "trace=fsync,fdatasync", "-o"]).arg(&trace);
    traced.arg(plain.get_program()).args(plain.get_args()).args(arguments);
    traced.current_dir(project.root());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => traced.env(name, value),
            None => traced.env_remove(name),
        };
    }
    if !traced.output().is_ok_and(|ran| ran.status.success()) {
        return None;
    }
    let mut found = BTreeMap::new();
    for line in fs::read_to_string(trace).expect("a trace").lines() {
        let path = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
        if let Some(("building", name)) = path.and_then(|(path, _)| parted(Path::new(path))) {
            *found.entry(name.to_owned()).or_default() += 1;
        }
    }
    Some(found)
}

/// The folder that a file is in, and what it is called there.
fn parted(path: &Path) -> Option<(&str, &str)> {
    Some((path.parent()?.file_name()?.to_str()?, path.file_name()?.to_str()?))
}

#[test]
fn a_store_that_is_made_is_flushed_once() {
    let project = Project::new();
    project.write("src/lib.rs", "pub fn one() {}\n");
    let check = "echo 'error[E0425]: x'; echo ' --> src/lib.rs:1:1'; exit 1";
    project.annals(["run", "--", "sh", "-c", check]).code(1);
    project.annals(["log"]).code(0);
    for store in ["codegraph.db", "execution_log.db", ".annals/index.db"] {
        fs::remove_file(project.path(store)).expect("a store that was made");
    }
    let Some(found) = flushes(&project, &["rebuild"]) else {
        return skipped("strace is not there, or may not trace: no flush was counted");
    };
    assert_eq!(found, STORES.map(|store| (store.to_owned(), 1)).into());
    project.annals(["rebuild", "--check"]).code(0);
}
