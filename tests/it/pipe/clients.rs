//! The clients, run by the real interpreters.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use super::same::{SIZES, assert_same, by_command_line, script, steps};
use crate::project::Project;
use crate::skipped::skipped;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_client_is_one_short_file() {
    for file in ["clients/python/annals.py", "clients/typescript/annals.ts"] {
        let text = std::fs::read_to_string(root().join(file)).expect(file);
        assert!(text.lines().count() <= 200, "{file} has {} lines", text.lines().count());
    }
}

/// A project with the sizes of the session.
fn project() -> Project {
    let project = Project::new();
    project.write(".annals/config.toml", SIZES);
    project
}

#[test]
fn the_clients_do_what_the_command_line_does() {
    let told = project();
    by_command_line(&told);
    let (by_python, other) = (project(), Project::new());
    let path = by_python.write("script.json", &script().to_string());
    let mut python = Command::new("python3");
    python.arg(root().join("tests/fixtures/clients/session.py"));
    python.arg(root().join("clients/python")).arg(path).arg(env!("CARGO_BIN_EXE_annals"));
    check(&run(python.arg(other.root()), &by_python));
    assert_same(&told, &by_python);
    let Some(modules) = typescript() else { return };
    let (by_script, other) = (project(), Project::new());
    let source = by_script.path("ts");
    std::fs::create_dir_all(&source).expect("made");
    for file in ["clients/typescript/annals.ts", "tests/fixtures/clients/session.ts"] {
        let from = root().join(file);
        std::fs::copy(&from, source.join(from.file_name().expect("a name"))).expect(file);
    }
    let mut tsc = Command::new(modules.join(".bin/tsc"));
    tsc.args(["--strict", "--noUnusedLocals", "--target", "es2022", "--module", "commonjs"]);
    tsc.args(["--erasableSyntaxOnly", "--rewriteRelativeImportExtensions"]);
    tsc.args(["--types", "node", "--typeRoots"]).arg(modules.join("@types"));
    tsc.args(["--outDir", "out", "session.ts"]).current_dir(&source);
    let compiled = tsc.output().expect("tsc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));
    let mut node = Command::new("node");
    node.arg(source.join("out/session.js")).arg(env!("CARGO_BIN_EXE_annals"));
    check(&run(node.arg(script().to_string()).arg(other.root()), &by_script));
    assert_same(&told, &by_script);
    let (by_stripping, other) = (project(), Project::new());
    let mut node = stripped(&source, &modules);
    node.arg(env!("CARGO_BIN_EXE_annals")).arg(script().to_string()).arg(other.root());
    check(&run(&mut node, &by_stripping));
    assert_same(&told, &by_stripping);
}

/// Node that takes the types out itself; where it is too old for that, by the same code of its makers.
fn stripped(source: &Path, modules: &Path) -> Command {
    let mut node = Command::new("node");
    let option = "--experimental-strip-types";
    let able = Command::new("node").args([option, "--eval", "0"]).output();
    if able.is_ok_and(|ran| ran.status.success()) {
        node.arg(option).arg(source.join("session.ts"));
        return node;
    }
    let script = "const { transformSync } = require(process.argv[1]), fs = require('fs');
        for (const name of ['annals', 'session']) {
          const text = fs.readFileSync(name + '.ts', 'utf8');
          const { code } = transformSync(text, { mode: 'strip-only' });
          fs.writeFileSync(name + '.mjs', code.replace('./annals.ts', './annals.mjs'));
        }";
    let ran = Command::new("node")
        .args(["--eval", script])
        .arg(modules.join("amaro"))
        .current_dir(source)
        .output()
        .expect("node runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    node.arg(source.join("session.mjs"));
    node
}

#[test]
fn the_python_client_is_for_threads_and_never_hangs() {
    let project = Project::new();
    let mut python = Command::new("python3");
    python.arg(root().join("tests/fixtures/clients/hostile.py")).arg(root().join("clients/python"));
    python.arg(env!("CARGO_BIN_EXE_annals")).current_dir(project.root());
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("no python3");
    }
    let ran = run(&mut python, &project);
    let said = [&ran.stdout, &ran.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
    assert!(ran.status.success() && said[0].ends_with("held\n"), "{said:?}");
}

pub fn run(command: &mut Command, project: &Project) -> Output {
    command
        .current_dir(project.root())
        .env("HOME", project.root())
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME")
        .env("TZ", "UTC");
    for name in ["ANNALS_DIR", "ANNALS_SESSION", "CARGO_TARGET_DIR"] {
        command.env_remove(name);
    }
    command.output().expect("it runs")
}

/// What was answered: as many answers as steps, an error where a step is to be refused.
fn check(output: &Output) {
    let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
    assert!(output.status.success(), "{out}\n{err}");
    let answers: Vec<Value> = serde_json::from_str(&out).expect("answers");
    let steps = steps();
    assert_eq!(answers.len(), steps.len());
    let kinds: Vec<&str> = answers.iter().filter_map(|answer| answer["error"].as_str()).collect();
    assert_eq!(kinds, ["unverified_success", "not_found"]);
    let rendered = answers.iter().find_map(|answer| answer["rendered_chars"].as_u64());
    assert!(rendered.is_some_and(|chars| chars > 100), "{out}");
}

/// The compiler, installed by `.ci/run` or now; `None` where neither npm nor a network is here.
fn typescript() -> Option<PathBuf> {
    let folder = root().join("target/node");
    let modules = folder.join("node_modules");
    if !modules.join(".bin/tsc").exists() || !modules.join("amaro").exists() {
        let installed = Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
            .arg(&folder)
            .args(["typescript@5", "@types/node@20", "amaro@1"])
            .output();
        let missing = match installed {
            Ok(output) if output.status.success() => None,
            Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(why) = missing {
            skipped(&format!("the TypeScript compiler could not be installed: {why}"));
            return None;
        }
    }
    Some(modules)
}
