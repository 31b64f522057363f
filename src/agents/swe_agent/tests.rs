//! What a trajectory says.

use crate::agents::import::item::{Item, Part};
use crate::agents::import::source_file::source_files;

/// The parts of a trajectory, in a few words each.
fn told(text: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.traj");
    std::fs::write(&path, text).unwrap();
    let mut file = source_files(&[path]).unwrap().remove(0);
    file.check(None).unwrap();
    let log = crate::agents::import::log::Log::open(&file).unwrap();
    let mut told = Vec::new();
    for item in log {
        let Item::Record(record) = item.unwrap() else { panic!("not read") };
        told.extend(record.parts.iter().map(|part| match part {
            Part::Prompt(it) => format!("asked {}", it.text),
            Part::Said(it) => format!("said {}", it.text),
            Part::Call(it) => {
                let changes: Vec<_> = it.changes.iter().map(|it| it.path.as_str()).collect();
                format!("{} {} {:?} {:?} {changes:?}", it.id, it.tool, it.paths, it.cwd)
            }
            Part::Result(it) => format!("{} {:?} {:?}", it.id, it.outcome, it.duration_ms),
            other => format!("{other:?}"),
        }));
    }
    told
}

#[test]
fn steps_tell_and_the_history_asks() {
    let text = r#"{"environment":"e","trajectory":[
        {"action":"create a.py\n","observation":"[File: a.py]","thought":"begin","execution_time":0.25,
         "state":"{\"open_file\":\"/w/a.py\",\"working_dir\":\"/w\"}"},
        {"action":"edit 1:1\nx","observation":"oops. Your changes have NOT been applied.","response":"edit it",
         "state":{"open_file":"/w/a.py","working_dir":"/w"}},
        {"action":"","observation":"no command","response":"hm"},
        {"action":"python 'a.py'","observation":"ok"}],
        "history":[{"role":"system","content":"s","agent":"main"},
        {"role":"user","content":"see this","agent":"main","is_demo":true},
        {"role":"user","content":[{"type":"text","text":"mend it"}],"agent":"main"},
        {"role":"assistant","content":"begin","action":"create a.py","agent":"main"},
        {"role":"user","content":"[File: a.py]","agent":"main"}]}"#;
    assert_eq!(
        told(text),
        [
            "asked mend it",
            "said begin",
            "step 1 file_create [\"a.py\"] None [\"a.py\"]",
            "step 1 Ok Some(250)",
            "said edit it",
            "step 2 file_edit [\"/w/a.py\"] Some(\"/w\") [\"/w/a.py\"]",
            "step 2 Failed None",
            "said hm",
            "step 4 bash_exec [] Some(\"/w\") []",
            "step 4 Ok None",
        ]
    );
}

#[test]
fn a_history_alone_tells_the_steps_and_an_id_is_used_again() {
    let call = |id: &str, command: &str| {
        format!(
            r#"{{"role":"assistant","content":"","agent":"main","action":"{command}","tool_calls":[{{"id":"{id}","function":{{"name":"bash","arguments":"{{}}"}}}}]}}"#
        )
    };
    let result = |id: &str| {
        format!(r#"{{"role":"tool","content":"x","agent":"main","tool_call_ids":["{id}"]}}"#)
    };
    let text = format!(
        r#"{{"history":[{{"role":"user","content":"go","agent":"main"}},{},{},{},{},{}]}}"#,
        call("c", "ls"),
        result("c"),
        call("c", "pwd"),
        result("d"),
        result("c"),
    );
    assert_eq!(
        told(&text),
        [
            "asked go",
            "step 1 bash_exec [] None []",
            "step 1 Ok None",
            "step 2 bash_exec [] None []",
            "Unread(\"a result of no call\")",
            "step 2 Ok None",
        ]
    );
}
