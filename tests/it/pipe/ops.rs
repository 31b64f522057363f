//! Every operation once, with what it takes and with what it does not.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Piped;
use super::good::good;
use super::repo::linked;
use crate::project::Project;

#[test]
fn every_operation_does_what_it_is_told() {
    let project = Project::new();
    project.write("src/a.rs", "fn main() {}\n");
    let mut pipe = Piped::with(&project, &["--session", "s1"]);
    let mut done = BTreeSet::new();
    for (op, args, member) in good() {
        let result = pipe.result(op, args);
        let found = match member.parse::<usize>() {
            Ok(at) => !result[at].is_null(),
            Err(_) => member.is_empty() || result.get(member).is_some(),
        };
        assert!(found, "{op}: no {member:?} in {result}");
        done.insert(op);
    }
    linked(&project, &mut pipe);
    done.insert("link_repos");
    let ops = pipe.greeting["ops"].as_array().expect("names").clone();
    let all: BTreeSet<&str> = ops.iter().filter_map(Value::as_str).collect();
    assert_eq!(done, all, "an operation that no line of the table does, or one that is gone");
    pipe.close();
    project.annals(["verify"]).code(0);
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn every_operation_refuses_what_it_does_not_take() {
    let project = Project::new();
    let mut pipe = Piped::with(&project, &["--session", "s1"]);
    pipe.result("mem_node_fork", json!({ "child_node_id": "b" }));
    let before = super::journal(&project).len();
    let told = pipe.result("help", json!({}));
    for op in told.as_array().expect("operations") {
        let name = op["op"].as_str().expect("a name");
        let args = op["args"].as_array().expect("arguments");
        let refused = |answer: Value| {
            let kind = answer["error"]["kind"].as_str().unwrap_or_default().to_owned();
            let argued = ["arguments", "invalid", "malformed_memory_update"];
            assert!(argued.contains(&kind.as_str()), "{name}: {answer}");
        };
        refused(pipe.answer(name, json!({ "no_such_argument": 1 })));
        if args.iter().any(|arg| arg["required"] == json!(true)) {
            refused(pipe.answer(name, json!({})));
        }
        for arg in args {
            let wrong = match arg["kind"].as_str().expect("a kind") {
                "object" => json!(7),
                "text or number" | "any JSON but null" => continue,
                _ => json!({ "not": ["what", "it", "takes"] }),
            };
            // What else is required is there, of the right sort.
            let mut given = serde_json::Map::new();
            for other in args.iter().filter(|other| other["required"] == json!(true)) {
                let value = match other["kind"].as_str().expect("a kind") {
                    "number" | "number or text" => json!(1),
                    "object" => json!({}),
                    kind if kind.starts_with("list") => json!([]),
                    _ => json!("b"),
                };
                given.insert(other["name"].as_str().expect("a name").to_owned(), value);
            }
            given.insert(arg["name"].as_str().expect("a name").to_owned(), wrong);
            let answer = pipe.answer(name, Value::Object(given));
            assert_eq!(answer["ok"], json!(false), "{name} {}: {answer}", arg["name"]);
        }
    }
    pipe.close();
    let recorded = super::journal(&project);
    let after = recorded.iter().skip(before).map(|event| event["kind"].clone());
    assert_eq!(after.collect::<Vec<_>>(), Vec::<Value>::new(), "nothing of it was recorded");
}

/// What the command line refuses, a pipe refuses.
#[test]
fn a_value_lasts_for_seconds_and_is_worth_one_to_five() {
    let project = Project::new();
    let mut pipe = Piped::new(&project);
    pipe.result("mem_node_fork", json!({ "child_node_id": "c" }));
    let set = |more: (&str, Value)| {
        let mut args = json!({ "branch": "c", "key": "k", "value": "v" });
        args[more.0] = more.1;
        args
    };
    for op in ["mem_core_set", "set_core"] {
        for good in [json!(90), json!("90"), json!(0.5), json!("0.5"), json!(1e3), Value::Null] {
            pipe.result(op, set(("ttl", good)));
        }
        for bad in [json!(-5), json!(0), json!("soon"), json!("10m"), json!([1]), json!(true)] {
            let answer = pipe.answer(op, set(("ttl", bad.clone())));
            assert_eq!(answer["error"]["kind"], json!("arguments"), "{bad}: {answer}");
            assert!(answer["error"]["message"].as_str().is_some_and(|it| it.contains("ttl")));
        }
        pipe.result(op, set(("importance", json!(5))));
        for bad in [json!(0), json!(6), json!(99), json!(-1), json!("high")] {
            let answer = pipe.answer(op, set(("importance", bad.clone())));
            assert_eq!(answer["error"]["kind"], json!("arguments"), "{bad}: {answer}");
        }
    }
    let updates =
        json!({ "core": { "k": { "value": "v", "ttl": "10m", "importance": 99 } }, "x": 1 });
    let done =
        pipe.result("apply_llm_memory_updates", json!({ "branch": "c", "updates": updates }));
    assert_eq!(done["refused"][0]["at"], json!("x"), "{done}");
    assert_eq!(done["refused"][1]["at"], json!("core.k.ttl"), "{done}");
    pipe.close();
}
