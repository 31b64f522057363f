//! What README and docs/ show exists, and what they show of the gate and of hooks is what the program prints.

use std::path::{Path, PathBuf};

use crate::debug::crates::with_toolchain;
use crate::project::{Project, Ran};
use crate::skipped::skipped;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const README_LINES_MAX: usize = 200;

/// README, and the pages that it leads to.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = std::fs::read_dir(Path::new(ROOT).join("docs")).expect("docs");
    let mut pages: Vec<PathBuf> = folder.map(|it| it.expect("a page").path()).collect();
    pages.push(Path::new(ROOT).join("README.md"));
    let read = |page: PathBuf| (page.clone(), std::fs::read_to_string(page).expect("a page"));
    pages.into_iter().map(read).collect()
}

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join("docs").join(name)).expect("a page")
}

/// The example of a page that begins with this command: each command with the lines that it printed.
fn example(page: &str, first: &str) -> Vec<(String, String)> {
    let lines = page.lines().map(|line| line.strip_prefix("    "));
    let block = lines.skip_while(|line| *line != Some(&*format!("$ {first}")));
    let mut found: Vec<(String, String)> = Vec::new();
    for line in block.map_while(|line| line) {
        match line.strip_prefix("$ ") {
            Some(command) => found.push((command.to_owned(), String::new())),
            None => {
                let (_, printed) = found.last_mut().expect("a command");
                printed.push_str(&format!("{line}\n"));
            }
        }
    }
    found
}

/// The words of the program's folder before those of PATH.
fn path_with_the_program() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_annals")).parent().expect("a folder");
    let path = std::env::var_os("PATH").expect("a PATH");
    let folders = std::iter::once(program.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).expect("folders")
}

/// The page folds what a hook answers, and leaves its end out.
#[test]
fn the_examples_of_hooks_answer_what_is_shown() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"foo\"\nedition = \"2021\"\n");
    let told = |name: &str, hook: &str, more: serde_json::Value| {
        let mut told = serde_json::json!({"session_id": "s", "cwd": project.root(),
            "hook_event_name": hook, "tool_name": "Edit", "tool_use_id": name,
            "tool_input": {"file_path": project.path("src/a.rs"), "old_string": "a", "new_string": "b"}});
        more.as_object().expect("fields").iter().for_each(|(key, it)| told[key] = it.clone());
        project.write(&format!("{name}.json"), &told.to_string());
    };
    told("prompt", "UserPromptSubmit", serde_json::json!({"prompt": "change it"}));
    told("edit", "PreToolUse", serde_json::json!({}));
    told("again", "PreToolUse", serde_json::json!({}));
    let ended = serde_json::json!({"tool_use_id": "again", "tool_response": {}});
    told("ended", "PostToolUse", ended);
    let words = serde_json::json!({"last_assistant_message": "Fixed, all tests pass."});
    told("stop", "Stop", words);
    let answer = |command: &str| {
        let mut shell = project.shell(command);
        shell.env("PATH", path_with_the_program()).env_remove("CLAUDE_PROJECT_DIR");
        Ran::of(&mut shell).code(0).out()
    };
    for (name, is_shown) in
        [("prompt", false), ("edit", true), ("again", false), ("ended", false), ("stop", true)]
    {
        let command = format!("annals hook claude-code --enforce < {name}.json");
        let answered = answer(&command);
        if !is_shown {
            continue;
        }
        let page = page("agents.md");
        let first = page.lines().filter_map(|line| line.strip_prefix("    $ "));
        let first = first.into_iter().find(|it| it.starts_with(&command)).expect("an example");
        let (_, printed) = example(&page, first).remove(0);
        let (shown, _) = printed.split_once('\u{2026}').expect("its end is left out");
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        assert!(shown.len() > 200, "{shown}");
        assert!(plain(&answered).starts_with(&plain(shown)), "{answered}\nshown: {shown}");
    }
}

#[test]
fn the_example_of_the_gate_prints_what_is_shown() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"foo\"\nedition = \"2021\"\n");
    project.write("src/lib.rs", "pub fn foo() {}\n");
    project.write("src/foo.rs", "");
    let edit = |read: &str| format!(r#"{{"tool":"{read}","arguments":{{"path":"src/foo.rs"}}}}"#);
    project.write("plan.json", &format!("[{},{}]", edit("file_read"), edit("file_edit")));
    let path = path_with_the_program();
    let first = "annals gate check --tool Edit --path src/foo.rs; echo \"-> $?\"";
    let commands = example(&page("agents.md"), first);
    assert!(commands.len() > 6, "{commands:?}");
    for (command, printed) in commands {
        let mut shell = project.shell(&command);
        with_toolchain(&mut shell);
        let ran = Ran::of(shell.env("ANNALS_SESSION", "s").env("PATH", &path));
        assert_eq!(ran.out(), printed, "`{command}`\n{}", ran.err());
    }
}

/// But for times, how long it took, and the folder.
#[test]
fn the_example_of_phases_prints_what_is_shown() {
    let project = Project::new();
    if Ran::of(&mut project.shell("cc --version")).output.status.code() != Some(0) {
        skipped("cc is not installed");
        return;
    }
    let page = page("phases.md");
    let (_, reply) = page.split_once("`reply.txt`:\n\n").expect("the reply");
    let (reply, _) = reply.split_once("\n\n").expect("its end");
    project.write("reply.txt", reply);
    let commands = example(&page, "annals phases run draft-1 --run search --artifacts reply.txt");
    assert_eq!(commands.len(), 5, "{commands:?}");
    let root = project.root().canonicalize().expect("a folder");
    let alike = |text: &str| {
        let text = text.replace(&*root.to_string_lossy(), "/tmp/demo");
        let text: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        ["0000 ms", "000 ms", "00 ms"].iter().fold(text, |text, it| text.replace(it, "0 ms"))
    };
    for (command, printed) in commands {
        let mut shell = project.shell(&command);
        let ran = Ran::of(shell.env("PATH", path_with_the_program()));
        assert_eq!(alike(&ran.out()), alike(&printed), "`{command}`\n{}", ran.err());
    }
}

#[test]
fn the_front_door_is_short_and_every_page_is_led_to() {
    let pages = pages();
    let (_, readme) = pages.last().expect("README");
    assert!(readme.lines().count() <= README_LINES_MAX);
    for (page, _) in &pages {
        let name = page.strip_prefix(ROOT).expect("below the root").to_string_lossy();
        assert!(name == "README.md" || readme.contains(&format!("({name})")), "{name}");
    }
}

#[test]
fn every_link_leads_to_a_file() {
    for (page, text) in pages() {
        for link in text.split("](").skip(1) {
            let (to, _) = link.split_once(')').expect("the end of a link");
            let folder = page.parent().expect("a folder");
            assert!(folder.join(to).is_file(), "{}: {to}", page.display());
        }
    }
}

/// The verb, and of one with verbs of its own those as well.
#[test]
fn every_command_shown_is_one_that_exists() {
    let project = Project::new();
    let mut asked = std::collections::BTreeSet::new();
    for (page, text) in pages() {
        let shown = text.lines().filter_map(|line| line.strip_prefix("    $ "));
        let calls = shown.flat_map(|line| line.split("annals ").skip(1));
        for call in calls {
            let verbs = call.split(' ').take_while(|word| {
                !word.is_empty() && word.chars().all(|it| it.is_ascii_lowercase() || it == '-')
            });
            let verbs: Vec<&str> =
                verbs.take(2).take_while(|word| !word.starts_with('-')).collect();
            if verbs.is_empty() || !asked.insert(verbs.join(" ")) {
                continue;
            }
            println!("{}: annals {call}", page.display());
            project.annals(verbs.iter().copied().chain(["--help"])).code(0);
        }
    }
    assert!(asked.len() > 30, "{asked:?}");
}
