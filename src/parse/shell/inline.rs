//! Code that is given to an interpreter within a command line, and that writes.

use super::program::Program;

/// Interpreters, and the options behind which code follows.
const INTERPRETERS: [(&str, &[&str]); 8] = [
    ("python", &["-c"]),
    ("node", &["-e", "--eval", "-p", "--print"]),
    ("deno", &["eval"]),
    ("bun", &["-e", "--eval"]),
    ("ruby", &["-e"]),
    ("perl", &["-e", "-E"]),
    ("php", &["-r"]),
    ("lua", &["-e"]),
];

/// What code says that writes, moves or removes files, or runs another program, which may.
const WRITES: [&str; 26] = [
    "write",
    "Write",
    ".save(",
    ".dump(",
    "truncate",
    "unlink",
    "remove(",
    "removedirs(",
    "rename(",
    "renames(",
    "replace(",
    "mkdir",
    "makedirs",
    "rmdir",
    "rmtree",
    "rmSync",
    "touch(",
    "symlink",
    "chmod",
    "shutil",
    "copyFile",
    "file_put_contents",
    "subprocess",
    "os.system",
    "child_process",
    "FileUtils",
];

/// Whether an interpreter is given code, as a word or as a here-document, that may write.
pub(super) fn writes(program: &Program<'_>, given: &str) -> bool {
    let is_named = |name: &str| {
        let rest = program.name.strip_prefix(name);
        rest.is_some_and(|it| it.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    let known = INTERPRETERS.iter().find(|(name, _)| is_named(name));
    let Some((_, options)) = known else { return false };
    let mut code = program.arguments.windows(2).filter(|it| options.contains(&it[0].as_str()));
    code.any(|it| may_write(&it[1])) || may_write(given)
}

fn may_write(code: &str) -> bool {
    WRITES.iter().any(|sign| code.contains(sign)) || opens_to_write(code)
}

/// `open(path, 'w')`, `open(path, mode="a")`, `path.open('w')`.
fn opens_to_write(code: &str) -> bool {
    code.match_indices("open(").any(|(at, _)| {
        let call = code[at..].split('\n').next().unwrap_or_default();
        let parts: Vec<&str> = call.split(['\'', '"']).collect();
        let is_mode = |at: usize| {
            let before = parts[at - 1].trim_end();
            before.ends_with([',', '=']) || at == 1
        };
        let from = if code[..at].ends_with('.') { 1 } else { 3 };
        (from..parts.len()).step_by(2).filter(|at| is_mode(*at)).any(|at| {
            let mode = parts[at];
            (1..=4).contains(&mode.len())
                && mode.contains(['w', 'a', 'x', '+'])
                && mode.chars().all(|c| "rwaxbt+".contains(c))
        })
    })
}
