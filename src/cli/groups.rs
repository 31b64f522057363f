//! The commands in groups, as `annals --help` shows them.

use std::ffi::OsString;

/// What each group has, in the order in which people meet it.
const GROUPS: &[(&str, &[&str])] = &[
    ("Start", &["enable", "disable", "init", "tour"]),
    ("Record", &["run", "record", "import", "session"]),
    (
        "Ask",
        &[
            "sessions", "log", "show", "timeline", "failures", "checks", "trace", "diff", "blame",
            "query", "replay", "tui",
        ],
    ),
    ("Agents", &["memory", "repo", "debug", "context", "stats", "gate", "step", "claim", "pipe"]),
    ("Care", &["status", "verify", "repair", "salvage", "rebuild", "trust"]),
    (
        "Evidence",
        &[
            "report",
            "bundle",
            "scan",
            "redact",
            "forget",
            "seen",
            "seal",
            "key",
            "checkpoint",
            "prove",
            "check-proof",
            "archive",
            "fetch",
            "merge",
        ],
    ),
    ("Out", &["export", "sql", "ship", "fleet"]),
];
const EVERYWHERE: &str =
    "Options for every command, see `annals --help`: --dir, --evidence, --at, --json, --format";
/// Of a line.
const WIDTH_CHARS_MAX: usize = 96;
/// Where a command stands that is in no group.
const REST: &str = "More";
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n\
     {options}{after-help}";

/// Whether these words may ask for help: else nobody sees the groups.
pub fn asks_help(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "-h" || word == "--help")
}

/// The parser with its commands in groups, for words that ask for help.
pub fn grouped(command: clap::Command, words: &[OsString]) -> clap::Command {
    let is_of_a_command = words.iter().skip(1).any(|word| command.find_subcommand(word).is_some());
    if is_of_a_command {
        return command
            .mut_args(|arg| {
                let is_everywhere = arg.is_global_set();
                arg.hide(is_everywhere)
            })
            .mut_subcommands(pointing);
    }
    let text = listing(&command);
    command.before_help(text.clone()).before_long_help(text).help_template(TEMPLATE)
}

/// A command whose help names the options that every command has: `annals --help` tells them.
fn pointing(command: clap::Command) -> clap::Command {
    let command = command.mut_subcommands(pointing);
    match command.get_after_help() {
        Some(_) => command,
        None => command.after_help(EVERYWHERE),
    }
}

/// `annals help log` as `annals log --help`; `annals help help` as `annals --help`.
pub fn helped(mut words: Vec<OsString>) -> Vec<OsString> {
    let asked = words.iter().skip(1).take_while(|word| *word == "help").count();
    if asked > 0 {
        words.drain(1..=asked);
        words.push("--help".into());
    }
    words
}

/// A text in lines of whole words, each of at most so many characters where a word is no longer.
fn wrapped(text: &str, chars_max: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { continue };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= chars_max {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A heading a group, a line a command.
fn listing(command: &clap::Command) -> String {
    let shown: Vec<&clap::Command> =
        command.get_subcommands().filter(|it| !it.is_hide_set()).collect();
    let columns = shown.iter().map(|it| it.get_name().len()).max().unwrap_or_default();
    let named = |name: &str| shown.iter().copied().find(|it| it.get_name() == name);
    let is_grouped =
        |it: &&clap::Command| GROUPS.iter().any(|(_, names)| names.contains(&it.get_name()));
    let rest: Vec<_> = shown.iter().copied().filter(|it| !is_grouped(it)).collect();
    let groups = GROUPS.iter().map(|(group, names)| {
        (*group, names.iter().filter_map(|name| named(name)).collect::<Vec<_>>())
    });
    let mut text = String::new();
    for (group, commands) in groups.chain([(REST, rest)]).filter(|(_, them)| !them.is_empty()) {
        text.push_str(&format!("{group}:\n"));
        for command in commands {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let indent = columns + 4;
            for (number, line) in wrapped(&about, WIDTH_CHARS_MAX - indent).iter().enumerate() {
                let name = if number == 0 { command.get_name() } else { "" };
                text.push_str(&format!("  {name:columns$}  {line}\n"));
            }
        }
        text.push('\n');
    }
    text
}
