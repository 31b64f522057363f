//! What was forgotten or named comes back by no older copy: not by a bundle, a merge, a salvage, an import or a repair.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

const SECRET: &str = "plumbus-7731-Grommet";
const SESSION: &str = "0193a5b2-7c1e-4f00-8a00-0000000000ab";

struct Fleet(Project);

impl Fleet {
    /// With a transcript of two prompts, each of which is answered.
    fn new() -> Self {
        let fleet = Self(Project::empty());
        let root = fleet.0.root().to_string_lossy().into_owned();
        let record = |at: usize, kind: &str, content: Value| {
            json!({"type": kind, "uuid": format!("u{at}"), "sessionId": SESSION, "cwd": format!("{root}/p"),
                "timestamp": format!("2026-10-01T10:00:0{at}.000Z"),
                "message": {"id": format!("m{at}"), "role": kind, "content": content}})
            .to_string()
        };
        let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "Bash",
            "input": {"command": format!("cat {SECRET}")}}]);
        let result = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "is_error": false,
            "content": SECRET}]);
        let lines = [
            record(1, "user", json!(format!("look for {SECRET}"))),
            record(2, "assistant", call),
            record(3, "user", result),
            record(4, "assistant", json!([{"type": "text", "text": format!("found {SECRET}")}])),
            record(5, "user", json!(format!("and again {SECRET}"))),
            record(6, "assistant", json!([{"type": "text", "text": format!("again {SECRET}")}])),
        ];
        fleet.0.write("t.jsonl", &(lines.join("\n") + "\n"));
        fleet
    }

    fn run(&self, folder: &str, words: &[&str]) -> Ran {
        let mut command = self.0.command();
        Ran::of(command.current_dir(self.0.path(folder)).args(words).write_stdin(SECRET))
    }

    fn begin(&self, folder: &str) {
        fs::create_dir(self.0.path(folder)).expect("made");
        self.run(folder, &["init"]).code(0);
        self.import(folder);
    }

    fn import(&self, folder: &str) {
        self.run(folder, &["import", "auto", "../t.jsonl"]).code(0);
    }

    fn events(&self, folder: &str) -> String {
        self.run(folder, &["export", "jsonl", "events"]).code(0).out()
    }

    /// How many events of the session's kinds there are, and how many of them are redacted.
    fn kinds(&self, folder: &str) -> BTreeMap<String, (u64, u64)> {
        let mut kinds = BTreeMap::<_, (u64, u64)>::new();
        for line in self.events(folder).lines() {
            let event: Value = serde_json::from_str(line).expect("JSON");
            let kind = event["kind"].as_str().expect("a kind").to_owned();
            let begins = ["Execution", "Prompt", "Assistant", "Session", "Step", "Summary"];
            if begins.iter().any(|it| kind.starts_with(it)) {
                let (all, gone) = kinds.entry(kind).or_default();
                (*all, *gone) = (*all + 1, *gone + u64::from(event["what"] == "redacted"));
            }
        }
        kinds
    }
}

const FORGET: &[&str] = &["forget", "--before", "2026-11-01", "--reason", "old", "--yes"];

#[test]
fn a_bundle_from_before_brings_back_what_stayed_and_nothing_else() {
    for how in [FORGET, &["redact", SESSION, "--reason", "gone", "--yes"]] {
        let fleet = Fleet::new();
        fleet.begin("p");
        assert!(fleet.kinds("p").contains_key("SummaryAppended"), "{:?}", fleet.kinds("p"));
        fleet.run("p", &["bundle", "../old.tar"]).code(0);
        fleet.run("p", how);
        let there = fleet.kinds("p");
        let is_forgotten = how == FORGET;
        assert_eq!(there["SessionStarted"].1 == 0, is_forgotten, "{there:?}");
        for source in ["old.tar", "p"] {
            let into = format!("into-{source}");
            fleet.run(".", &["merge", source, "--into", &into]).code(0);
            assert_eq!(fleet.kinds(&into), there, "{how:?} {source}");
            let verified = fleet.run(&into, &["verify"]).code(0).out();
            assert!(!verified.contains("nothing keeps what"), "{verified}");
            fleet.run(&into, &["rebuild", "--check", "index", "execution_log"]).code(0);
            // And it is no door for the transcript.
            fleet.import(&into);
            assert!(!fleet.events(&into).contains(SECRET), "{how:?} {source}");
            let told = fleet.events(&into).contains("RetentionApplied");
            assert_eq!(told, is_forgotten && source == "p");
            // Nor is what that is merged into.
            let further = format!("further-{source}");
            fleet.run(".", &["merge", &into, "--into", &further]).code(0);
            fleet.import(&further);
            assert!(!fleet.events(&further).contains(SECRET), "{how:?} {source}");
        }
        fs::create_dir_all(fleet.0.path("saved/.annals")).expect("made");
        fleet.run(".", &["salvage", "p", "saved/.annals/journal"]).code(0);
        fleet.run("saved", &["repair"]).code(0);
        fleet.import("saved");
        assert!(!fleet.events("saved").contains(SECRET), "{how:?}");
    }
}

#[test]
fn a_prompt_without_an_id_is_no_other_one() {
    let fleet = Fleet(Project::new());
    let ask = |text: &str| {
        let line = json!({"op": "record_prompt", "args": {"text": text}});
        let mut command = fleet.0.command();
        command.args(["pipe", "--session", "s"]).write_stdin(format!("{line}\n"));
        Ran::of(&mut command).code(0);
    };
    ask("the first");
    let first = fleet.0.annals(["export", "jsonl", "events"]).code(0).out();
    let first: Vec<Value> =
        first.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    let at = first.iter().find(|it| it["kind"] == "PromptSubmitted").expect("one");
    let at = format!("@{}", at["sequence"]);
    fleet.0.annals(["redact", &at, "--reason", "by mistake", "--yes"]).code(0);
    for text in ["the first", "the second"] {
        ask(text);
    }
    let events = fleet.0.annals(["export", "jsonl", "events"]).code(0).out();
    assert!(!events.contains("the first") && events.contains("the second"), "{events}");
}

#[test]
fn a_repair_says_that_what_was_redacted_is_back_and_publishes_none_of_it() {
    let fleet = Fleet(Project::empty());
    fs::create_dir(fleet.0.path("one")).expect("made");
    fleet.run("one", &["init"]).code(0);
    fleet.run("one", &["repo", "note", "add", SECRET, "--id", "i"]).code(0);
    fleet.run("one", &["run", "--", "echo", "k"]).code(0);
    Ran::of(&mut fleet.0.shell("cp -a one old")).code(0);
    fleet.run("one", &["redact", "--value-stdin", "--reason", "leaked", "--yes"]);
    let published = || {
        let held = format!("grep -rl {SECRET} . | grep -vE '^./(old|.cache)/' || true");
        Ran::of(&mut fleet.0.shell(&held)).out()
    };
    let remove = format!("grep -rl {SECRET} . | grep -v '/.annals/' | xargs -r rm");
    Ran::of(&mut fleet.0.shell(&remove)).code(0);
    assert_eq!(published(), "");
    for how in [&["repair", "--dry-run"][..], &["repair"]] {
        let told = fleet.run("old", how).code(1);
        told.says("redacted before").says("redact --from-withheld");
        assert_eq!(published(), "");
    }
    let redact = ["redact", "--from-withheld", "--reason", "again", "--yes"];
    fleet.run("old", &redact).says("1 record redacted");
    assert!(!fleet.run("old", &["repair"]).out().contains("redacted before"));
}
