//! Doors of a repository's memory, and of what is made of it: summaries, packs, the map of a tree whose
//! files are called by secrets.

use serde_json::json;

use super::world::World;

pub fn doors(world: &mut World) {
    let mut add = |door: &str, words: &dyn Fn(&str) -> Vec<String>| {
        let secret = world.secret(&format!("repo {door}"));
        let words = words(&secret);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = world.annals(&[&["repo"], &words[..]].concat());
        assert!(ran.output.status.code().is_some_and(|code| code <= 2), "{door}: {}", ran.err());
    };
    let words = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    add("convention: a title and a tag", &|it| {
        words(&["convention", "add", &format!("Use {it}"), "text", "--tag", it])
    });
    add("convention: its text", &|it| words(&["convention", "add", "T", &format!("use {it}")]));
    add("convention: an id", &|it| words(&["convention", "add", "T", "x", "--id", it]));
    add("decision", &|it| words(&["decision", "add", it, it, "--path", &format!("keys/{it}")]));
    add("note", &|it| words(&["note", "add", &format!("the token is {it}")]));
    add("summary", &|it| {
        words(&["summary", "add", &format!("Used {it}."), "--step", "s", "--run", "r"])
    });
    add("summary: a step's name", &|it| words(&["summary", "add", "x", "--step", it, "--run", it]));

    let secret = world.secret("repo: a branch of git");
    let git = world.path("app/.git");
    std::fs::create_dir_all(&git).expect("a folder");
    std::fs::write(git.join("HEAD"), format!("ref: refs/heads/fix/{secret}\n")).expect("written");
    let remote = world.secret("repo: a remote");
    let config =
        format!("[remote \"origin\"]\n\turl = https://me:{remote}@git.example.org/a.git\n");
    std::fs::write(git.join("config"), config).expect("written");
    world.annals(&["repo", "note", "add", "seen on this branch"]);

    let mut lines = Vec::new();
    for (op, field) in [("upsert_convention", "content"), ("upsert_note", "content")] {
        let secret = world.secret(&format!("pipe: {op}"));
        let args = json!({ "title": "T", field: secret });
        lines.push(json!({ "id": op, "op": op, "args": args }).to_string());
    }
    let secret = world.secret("pipe: append_summary");
    let args = json!({ "run_id": "r", "step_id": "s", "summary_text": secret, "summary": secret });
    lines.push(json!({ "id": "s", "op": "append_summary", "args": args }).to_string());
    world.told(&["pipe"], lines.join("\n") + "\n").code(0);
    world.annals(&["context"]);
}
