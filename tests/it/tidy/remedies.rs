//! No text below the surfaces tells a user which command to type: an error says what to do as a value, and
//! `output/remedy.rs` has the words.

use super::source::sources;

/// Where commands have their words.
const SURFACES: [&str; 4] = ["src/cli/", "src/tui/", "src/pipe/", "src/output/remedy.rs"];

/// Who else names one, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("src/agents/hook/words.rs", "what a hook says to an agent: a surface's text"),
    ("src/agents/hook/respond.rs", "what a hook says to the agent's user"),
    ("src/grounding/gate/plan.rs", "what the gate says to an agent"),
    ("src/grounding/gate/remedy.rs", "as that"),
    ("src/grounding/tools/error.rs", "a tool's answer to an agent, recorded as it is"),
    ("src/journal/project/init.rs", "who declared the first tools, as it is recorded"),
    ("src/journal/id/mod.rs", "what ids are derived from"),
    ("src/debug/infer/chain.rs", "as that"),
    ("src/repo/identify/mod.rs", "what hashes are derived with"),
    ("src/store/catch_up/pass.rs", "a row of index.db, which no later build may tell otherwise"),
];

const VERBS: &[&str] = &[
    "bundle", "checks", "claim", "context", "debug", "disable", "enable", "export", "failures",
    "gate", "hook", "import", "init", "inspect", "log", "memory", "phases", "pipe", "query",
    "rebuild", "record", "repair", "replay", "repo", "run", "salvage", "scan", "session",
    "sessions", "show", "sql", "status", "step", "timeline", "tool", "tour", "trace", "trust",
    "tui", "verify",
];

#[test]
fn no_text_below_the_surfaces_names_a_command() {
    let (mut faults, mut listed) = (Vec::new(), Vec::new());
    for source in
        sources().iter().filter(|it| it.is_product() && !it.path.starts_with("journal-format/"))
    {
        if SURFACES.iter().any(|surface| source.path.starts_with(surface)) {
            continue;
        }
        let lines = source.text.lines().enumerate();
        for (at, line) in lines.filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let verb = |rest: &str| {
                let word = rest.split(|c: char| !c.is_ascii_lowercase()).next();
                word.is_some_and(|word| VERBS.contains(&word))
            };
            if !line.split("annals ").skip(1).any(verb) {
                continue;
            }
            match ELSEWHERE.iter().find(|(path, _)| source.path == *path) {
                Some((path, _)) => listed.push(*path),
                None => faults.push(format!("{}:{}: {}", source.path, at + 1, line.trim())),
            }
        }
    }
    let unused = ELSEWHERE.iter().filter(|(path, _)| !listed.contains(path));
    faults.extend(unused.map(|(path, _)| format!("{path}: listed, and names none")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
