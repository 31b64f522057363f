//! What README shows of the gate is what the program prints.

use std::path::Path;

use crate::debug::crates::with_toolchain;
use crate::project::{Project, Ran};

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// The example that begins with this command: each command with the lines that it printed.
fn example(first: &str) -> Vec<(String, String)> {
    let readme = std::fs::read_to_string(README).expect("README.md");
    let lines = readme.lines().map(|line| line.strip_prefix("    "));
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

#[test]
fn the_example_of_the_gate_prints_what_readme_shows() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"foo\"\nedition = \"2021\"\n");
    project.write("src/lib.rs", "pub fn foo() {}\n");
    project.write("src/foo.rs", "");
    let edit = |read: &str| format!(r#"{{"tool":"{read}","arguments":{{"path":"src/foo.rs"}}}}"#);
    project.write("plan.json", &format!("[{},{}]", edit("file_read"), edit("file_edit")));
    let program = Path::new(env!("CARGO_BIN_EXE_annals")).parent().expect("a folder");
    let path = std::env::var_os("PATH").expect("a PATH");
    let folders = std::iter::once(program.to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).expect("folders");
    let commands = example("annals gate check --tool Edit --path src/foo.rs; echo \"-> $?\"");
    assert!(commands.len() > 6, "{commands:?}");
    for (command, printed) in commands {
        let mut shell = project.shell(&command);
        with_toolchain(&mut shell);
        let ran = Ran::of(shell.env("ANNALS_SESSION", "s").env("PATH", &path));
        assert_eq!(ran.out(), printed, "README's `{command}`\n{}", ran.err());
    }
}
