//! What a repair replaces in a graph is kept first, where it says something that the journal does not.

use std::fs;
use std::path::PathBuf;

use crate::project::Project;
use crate::salvaged::{lines, of, salvage};

use super::wounds::{lose_the_end, remove, sql};
use super::{Wound, all_foretold, scene};

const GRAPH: &str = "codegraph.db";
const FORGE: &str = "UPDATE graph_entities SET data = '{\"forged\":1}' WHERE id = \
                     (SELECT min(id) FROM graph_entities WHERE kind = 'execution')";

fn kept(project: &Project) -> Vec<PathBuf> {
    let listed = fs::read_dir(project.path(".annals/quarantine")).into_iter().flatten();
    let mut paths: Vec<_> = listed.map(|entry| entry.expect("listed").path()).collect();
    paths.retain(|path| path.to_string_lossy().contains("/codegraph.db."));
    paths.sort();
    paths
}

fn count(path: &PathBuf, which: &str) -> u64 {
    let graph = rusqlite::Connection::open(path).expect("opened");
    let sql = format!("SELECT count(*) FROM graph_entities WHERE {which}");
    graph.query_row(&sql, [], |row| row.get(0)).expect("counted")
}

#[test]
fn rows_that_were_rewritten_are_kept_once_and_salvaged_from_where_they_lie() {
    let project = scene();
    project.annals(["repair"]).code(0);
    sql(&project, GRAPH, FORGE);
    let forged = |to: &str| {
        let rows = lines(&project.path(to));
        let rows = of(&rows, GRAPH, "graph_entities");
        rows.iter().filter(|row| row.to_string().contains("forged")).count()
    };
    salvage(&project, GRAPH, "before.jsonl").code(1);
    assert_eq!(forged("before.jsonl"), 1);
    project
        .annals(["repair"])
        .code(0)
        .says("rebuilt: codegraph.db")
        .says("codegraph.db.1.evidence");
    let [evidence] = &kept(&project)[..] else { panic!("{:?}", kept(&project)) };
    assert_eq!(count(evidence, "data LIKE '%forged%'"), 1);
    assert_eq!(count(&project.path(GRAPH), "data LIKE '%forged%'"), 0);
    project.annals(["repair"]).code(0).says("Nothing to repair");
    assert_eq!(kept(&project).len(), 1);
    salvage(&project, ".", "after.jsonl").code(1);
    assert_eq!(forged("after.jsonl"), 1);
}

#[test]
fn what_the_journal_lost_is_kept_of_the_graph_as_well() {
    let project = scene();
    project.annals(["run", "--", "echo", "last"]).code(0);
    project.annals(["log"]).code(0);
    let had = count(&project.path(GRAPH), "kind = 'execution'");
    lose_the_end(&project);
    project.annals(["repair"]).says("/codegraph.db.");
    let [evidence] = &kept(&project)[..] else { panic!("{:?}", kept(&project)) };
    assert_eq!(count(evidence, "kind = 'execution'"), had);
}

#[test]
fn of_one_that_only_lags_nothing_is_kept() {
    let project = scene();
    let graph = project.path(GRAPH);
    fs::copy(&graph, project.path("older")).expect("copied");
    project.annals(["run", "--", "echo", "later"]).code(0);
    fs::remove_file(&graph).expect("removed");
    fs::rename(project.path("older"), &graph).expect("put back");
    project.annals(["repair"]).code(0);
    assert_eq!(kept(&project), Vec::<PathBuf>::new());
}

const EMPTY: &[Wound] = &[(
    "a graph of no bytes",
    |it| {
        remove(it, "codegraph.db");
        it.write("codegraph.db", "");
    },
    &["rebuilt: codegraph.db: it was empty"],
)];

#[test]
fn that_one_is_made_in_an_empty_file_is_foretold() {
    all_foretold(EMPTY);
}
