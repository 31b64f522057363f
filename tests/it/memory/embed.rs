//! `memory.embed`: records that mean what is asked, by a real program's vectors.

use serde_json::Value;

use crate::project::{Project, Ran};

/// Vectors by what the words are about: three things, by lists.
const COMMAND: &str = r#"
import json, sys
ABOUT = [["car", "automobile", "vehicle"], ["bread", "loaf", "bakery"], ["rain", "storm", "weather"]]
for line in sys.stdin:
    words = json.loads(line)["text"].lower().split()
    counts = [float(sum(word in about for word in words)) for about in ABOUT]
    print(json.dumps({"vector": counts + [0.1], "model": "lists"}))
"#;

fn found(ran: &Ran) -> Vec<u64> {
    let rows: Value = ran.json();
    let id = |row: &Value| row["id"].as_u64().expect("a number");
    rows.as_array().expect("a list").iter().map(id).collect()
}

fn set(project: &Project, command: &str) {
    let path = project.path(".annals/config.toml");
    let text = std::fs::read_to_string(&path).expect("settings");
    let kept = text.lines().filter(|line| !line.trim_start_matches("# ").starts_with("embed = "));
    let kept: Vec<&str> = kept.collect();
    let setting = format!("[memory]\nembed = \"{command}\"");
    std::fs::write(&path, kept.join("\n").replacen("[memory]", &setting, 1)).expect("written");
}

#[test]
fn what_means_the_same_is_found_and_a_rebuild_needs_no_command() {
    let project = Project::new();
    project.write("embed.py", COMMAND);
    project.annals(["memory", "fork", "b"]).code(0);
    for text in ["the automobile is red", "a loaf a day", "storm at noon", "nothing of these"] {
        project.annals(["memory", "write", "b", text]).code(0);
    }
    let search =
        |words: &[&str]| project.annals(["memory", "search", "b", "--json"].iter().chain(words));
    assert_eq!(found(&search(&["car"]).code(0)), [0; 0]);
    project.annals(["memory", "embed"]).code(2).says("the settings name no command");
    set(&project, "python3 embed.py");
    // Nobody allowed this text yet.
    assert_eq!(found(&search(&["car"]).code(0)), [0; 0]);
    project.annals(["trust", "--yes"]).code(0).says("memory.embed");
    project.annals(["memory", "embed"]).code(0).says("Made vectors of 4 records (4 numbers each");
    project.annals(["memory", "embed"]).code(0).says("Made vectors of 0 records");
    assert_eq!(found(&search(&["car"]).code(0))[0], 1);
    assert_eq!(found(&search(&["bakery"]).code(0))[0], 2);
    // Who says it and means it comes first.
    project.annals(["memory", "write", "b", "the car is a vehicle"]).code(0);
    project.annals(["memory", "embed"]).code(0).says("Made vectors of 1 record ");
    assert_eq!(found(&search(&["car"]).code(0))[..2], [5, 1]);
    assert_eq!(found(&search(&["--match", "all", "car"]).code(0)), [5]);
    let asked = r#"{"op":"mem_archival_search","args":{"branch":"b","query":"weather"}}"#;
    let piped = Ran::of(project.command().arg("pipe").write_stdin(format!("{asked}\n"))).code(0);
    assert!(piped.out().contains("storm at noon"), "{}", piped.out());
    // What is changed has another meaning.
    project.annals(["memory", "update", "2", "--text", "a car of bread"]).code(0);
    assert_eq!(found(&search(&["bakery"]).code(0)).first(), Some(&4), "all mean a little");
    let digest = |project: &Project| {
        let status = project.annals(["status", "--digest", "--json"]).code(0).json();
        let stores = status["stores"].as_array().expect("stores").clone();
        let index = stores.into_iter().find(|it| it["store"] == "index.db").expect("an index");
        index["digest"].clone()
    };
    let before = digest(&project);
    assert!(before.is_string(), "{before}");
    std::fs::remove_file(project.path("embed.py")).expect("it goes");
    project.annals(["rebuild"]).code(0);
    assert_eq!(digest(&project), before);
    // Without the command words alone count, and that is said.
    let told = search(&["car"]).code(0);
    assert_eq!(found(&told), [2, 5]);
    assert!(told.err().contains("Only the words were compared"), "{}", told.err());
    project.annals(["memory", "embed"]).code(2).says("embed.py");
}

#[test]
fn a_command_that_does_not_answer_is_waited_for_no_longer_than_is_said() {
    let project = Project::new();
    project.annals(["memory", "fork", "b"]).code(0);
    project.annals(["memory", "write", "b", "the car"]).code(0);
    set(&project, "sleep 60");
    let path = project.path(".annals/config.toml");
    let text = std::fs::read_to_string(&path).expect("settings");
    std::fs::write(&path, text.replace("embed_timeout_s = 5", "embed_timeout_s = 0"))
        .expect("written");
    project.annals(["trust", "--yes"]).code(0);
    let told = project.annals(["memory", "search", "b", "car", "--json"]).code(0);
    assert_eq!(found(&told), [1]);
    assert!(told.err().contains("took more than 0 s"), "{}", told.err());
}
