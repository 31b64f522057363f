//! The small parser against the whole one.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};

use super::Named;
use crate::cli::Cli;

fn names(parser: &clap::Command) -> Vec<&str> {
    parser.get_subcommands().map(clap::Command::get_name).collect()
}

#[test]
fn a_parser_of_what_is_asked_for_says_what_one_of_all_commands_says() {
    let (whole, named) = (<Cli>::command(), Cli::<Named>::command());
    assert_eq!(names(&whole), names(&named));
    let mut lines: Vec<Vec<&str>> = names(&whole).iter().map(|it| vec![*it]).collect();
    lines.extend(names(&whole).iter().map(|it| vec![*it, "--no-such"]));
    for line in [
        "",
        "logg",
        "--dir",
        "--dir log",
        "--version",
        "--format csv log",
        "log --json -n 3",
        "log -n x",
        "log show",
        "memory fork main other",
        "memory forkk",
        "record --tool bash",
        "record --tool bash --at 5",
        "run -- true",
        "--at @3 show 1",
        "show 1 --format jsonl",
    ] {
        lines.push(line.split_whitespace().collect());
    }
    for line in lines {
        let words: Vec<OsString> =
            std::iter::once("annals").chain(line.iter().copied()).map(OsString::from).collect();
        let told = |found: Result<Cli, clap::Error>| match found {
            Ok(Cli { global, command }) => format!("{global:?} {command:?}"),
            Err(error) => error.to_string(),
        };
        let whole = <Cli>::command().try_get_matches_from(&words);
        let whole = told(whole.and_then(|found| Cli::from_arg_matches(&found)));
        assert_eq!(told(Cli::of_words(words)), whole, "{line:?}");
    }
}
