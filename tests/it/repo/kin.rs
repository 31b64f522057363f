//! A linked working tree and a new branch begin with what the repository's others know.

use std::path::Path;

use serde_json::{Value, json};

use super::{hash, in_git, on_branch};
use crate::hook::session::Session;
use crate::project::{Project, Ran};

const CHECK: &str = "go build ./...";

/// Runs the program in a folder that may lie elsewhere.
fn at(project: &Project, folder: &Path, arguments: &[&str]) -> Ran {
    Ran::of(project.command().current_dir(folder).args(arguments))
}

fn git(project: &Project, script: &str) {
    let script =
        format!("export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null\n{script}");
    Ran::of(&mut project.shell(&script)).code(0);
}

/// A project in a real repository, in which one session met a failure and ended it.
fn met() -> Project {
    let project = Project::empty();
    project.write("src/a.go", "package a\n");
    git(
        &project,
        "git init -q -b main . && git add src && \
         git -c user.name=n -c user.email=e@x commit -qm one",
    );
    project.annals(["init"]).code(0);
    let add = ["repo", "convention", "add", "Format", "run gofmt first", "--id", "fmt"];
    project.annals(add).code(0);
    let here = Session::new(&project, 1);
    here.check(CHECK, Some("# m\n./src/a.go:3:2: undefined: total"));
    here.edit("src/a.go", "total", "totals");
    here.check(CHECK, None);
    here.stop();
    project
}

#[test]
fn a_linked_working_tree_is_of_its_repositorys_project_and_inherits_what_it_learnt() {
    let project = met();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let sibling = elsewhere.path().canonicalize().expect("a folder").join("sibling");
    let nested = project.path(".claude/worktrees/nested");
    for (number, (tree, branch)) in [(&sibling, "side"), (&nested, "inner")].into_iter().enumerate()
    {
        git(&project, &format!("git worktree add -q -b {branch} '{}'", tree.display()));
        at(&project, tree, &["log"]).code(0).says("go build");
        let shown = at(&project, tree, &["repo", "show"]).code(0).out();
        assert!(shown.contains("Conventions, inherited from branch main, tree "), "{shown}");
        assert!(shown.contains(&format!("branch  {branch}")), "{shown}");
        let list = at(&project, tree, &["repo", "convention", "list"]).code(0);
        list.says("No convention yet").says("annals repo show");
        let named =
            project.annals(["--dir", &tree.to_string_lossy(), "repo", "hash"]).code(0).out();
        assert!(named.contains(&format!("branch  {branch}")), "{named}");

        let there = Session::of(&project, "claude-code", 2 + number as u32, tree);
        let pack = there.begin();
        assert!(pack.contains("run gofmt first (inherited from branch main, tree "), "{pack}");
        assert!(pack.contains("src/a.go"), "{pack}");
        let answer = there.check(CHECK, Some("# m\n./src/a.go:9:9: undefined: prices"));
        let mended = if number == 0 { "+totals" } else { "+price" };
        assert!(answer.contains("met before") && answer.contains(mended), "{answer}");
        there.edit("src/a.go", "prices", "price");
        there.check(CHECK, None);
        there.stop();
        let replayed = at(&project, tree, &["replay", "--json"]).code(0).out();
        let told = "run gofmt first (inherited from branch main";
        assert!(replayed.contains("ContextInjected") && replayed.contains(told));
    }
    // A journal of its own is one's own decision.
    let apart = elsewhere.path().canonicalize().expect("a folder").join("apart");
    git(&project, &format!("git worktree add -q -b apart '{}'", apart.display()));
    let made = at(&project, &apart, &["init"]).code(0);
    assert!(made.err().contains("whose project it shared so far"), "{}", made.err());
    assert!(!at(&project, &apart, &["init"]).code(0).err().contains("shared"));
    // What was deleted is made again, and tells the same.
    let told = |tree: &Path| at(&project, tree, &["repo", "show", "--json"]).code(0).out();
    let before = (told(&sibling), told(&nested));
    project.annals(["rebuild"]).code(0);
    assert_eq!((told(&sibling), told(&nested)), before);
    // Linked, it is its own.
    let main = hash(&project);
    at(&project, &sibling, &["repo", "link", &main]).code(0).says("2 repositories have one memory");
    let shown = told(&sibling);
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    let shown = shown.get(0).unwrap_or(&shown);
    assert_eq!(shown["conventions"][0]["id"], "fmt");
    assert!(shown.get("inherited").is_none(), "{shown}");
}

#[test]
fn who_only_says_that_he_is_a_working_tree_of_a_repository_is_none() {
    let project = met();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let real = elsewhere.path().join("real");
    git(&project, &format!("git worktree add -q -b real '{}'", real.display()));
    let copied = elsewhere.path().join("copied");
    std::fs::create_dir(&copied).expect("a folder");
    std::fs::copy(real.join(".git"), copied.join(".git")).expect("a file");
    // A folder of one's own that says all that git's would.
    let forged = elsewhere.path().canonicalize().expect("a folder").join("forged");
    std::fs::create_dir_all(forged.join("g")).expect("a folder");
    let main = project.root().canonicalize().expect("a folder").join(".git");
    for (file, text) in [
        (".git", format!("gitdir: {}\n", forged.join("g").display())),
        ("g/commondir", format!("{}\n", main.display())),
        ("g/gitdir", format!("{}\n", forged.join(".git").display())),
        ("g/HEAD", "ref: refs/heads/main\n".to_owned()),
    ] {
        std::fs::write(forged.join(file), text).expect("a file");
    }
    at(&project, &real, &["log"]).code(0);
    for tree in [&copied, &forged, &elsewhere.path().to_owned()] {
        let ran = at(&project, tree, &["log"]);
        assert_ne!(ran.output.status.code(), Some(0), "{}", ran.out());
        let told = json!({"session_id": "s", "cwd": tree, "hook_event_name": "SessionStart", "source": "startup"});
        let mut hook = project.command();
        hook.current_dir(tree).env_remove("CLAUDE_PROJECT_DIR").args(["hook", "claude-code"]);
        assert_eq!(Ran::of(hook.write_stdin(told.to_string())).code(0).out().trim(), "{}");
    }
}

#[test]
fn a_new_branch_inherits_and_its_own_word_counts() {
    let project = in_git();
    project.annals(["repo", "convention", "add", "Format", "cargo fmt", "--id", "fmt"]).code(0);
    project.annals(["repo", "decision", "add", "One journal", "Two disagree"]).code(0);
    project.annals(["repo", "note", "add", "the build is slow"]).code(0);
    on_branch(&project, "feature");
    let shown = project.annals(["repo", "show"]).code(0).out();
    for part in ["Conventions", "Decisions", "Notes"] {
        assert!(shown.contains(&format!("{part}, inherited from branch main\n")), "{shown}");
    }
    let pack = project.annals(["context"]).code(0).out();
    for told in ["cargo fmt", "Two disagree", "the build is slow"] {
        assert!(pack.contains(&format!("{told} (inherited from branch main)")), "{pack}");
    }
    project.annals(["repo", "convention", "add", "Format", "dprint", "--id", "fmt"]).code(0);
    let pack = project.annals(["context"]).code(0).out();
    assert!(pack.contains("Format: dprint\n") && !pack.contains("cargo fmt"), "{pack}");
    assert!(pack.contains("Two disagree (inherited from branch main)"), "{pack}");
    let listed = project.annals(["repo", "convention", "list", "--json"]).code(0).out();
    assert!(!listed.contains("cargo fmt"), "what is inherited is no entry of its own: {listed}");
}
