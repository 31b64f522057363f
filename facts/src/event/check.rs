//! A project's own checks, and the matchers that read what they print.

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::limits::{
    CHECK_BYTES_MAX, CHECKS_BYTES_MAX, CHECKS_LEN_MAX, MATCHER_LINES_MAX, MATCHERS_LEN_MAX,
    PATTERN_BYTES_MAX, RUNS_BYTES_MAX,
};
use super::words;

words! {
    /// What a check looks at, the weightier the later. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum CheckAspect {
        Format = "format",
        Build = "build",
        Types = "types",
        Lint = "lint",
        Test = "test",
    }
}

words! {
    /// Whether a declared check counts. Append-only, as above.
    #[derive(Default, Encode, Decode)]
    pub enum CheckStanding {
        #[default]
        InForce = "in_force",
        /// It was found in a file of the project; this user has not allowed it.
        Waiting = "waiting",
        /// What runs behind it checks nothing, whatever its name says.
        Idle = "idle",
    }
}

/// These are the project's own checks from here on, and no others.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ChecksDeclared {
    #[serde(flatten)]
    pub list: CheckList,
    pub by: String,
}

/// A project's own checks and matchers, all of them: what no rule knows without being told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
pub struct CheckList {
    pub checks: Vec<DeclaredCheck>,
    pub matchers: Vec<DeclaredMatcher>,
}

/// A command that checks the project.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
pub struct DeclaredCheck {
    /// How its command lines begin, a blank between two words.
    pub command: String,
    pub kind: CheckAspect,
    /// The project's file that has it, `config.toml`, or `user`.
    pub found_in: String,
    /// The command line behind it, where that was read: `go test ./...`.
    pub runs: Option<String>,
    pub standing: CheckStanding,
}

/// Lines that tell of a problem, as editors' problem matchers have them.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize, Deserialize)]
pub struct DeclaredMatcher {
    pub name: String,
    /// Programs whose output it reads; none: what tasks and the project's own checks print.
    pub programs: Vec<String>,
    pub found_in: String,
    /// The level, where no group tells.
    pub level: Option<String>,
    /// One line after the other: patterns with groups `file`, `line`, `column`, `level`, `code`, `message`.
    pub lines: Vec<String>,
    /// The last of its lines may come again, each a problem.
    pub repeat: bool,
}

impl DeclaredCheck {
    /// Declared by the settings.
    pub const SETTINGS: &'static str = "config.toml";
    /// Declared by a person.
    pub const USER: &'static str = "user";
}

impl CheckList {
    /// What is beyond a limit; `None` where all of it may be recorded.
    pub fn excess(&self) -> Option<String> {
        let short = |text: &String| text.len() <= CHECK_BYTES_MAX;
        let long = |it: &&DeclaredCheck| {
            !(short(&it.command)
                && short(&it.found_in)
                && it.runs.as_ref().is_none_or(|it| it.len() <= RUNS_BYTES_MAX)
                && !it.command.trim().is_empty())
        };
        if self.checks.len() > CHECKS_LEN_MAX || self.matchers.len() > MATCHERS_LEN_MAX {
            return Some(format!(
                "a project has at most {CHECKS_LEN_MAX} checks and {MATCHERS_LEN_MAX} matchers"
            ));
        }
        if let Some(check) = self.checks.iter().find(long) {
            let begin: String = check.command.chars().take(60).collect();
            return Some(format!(
                "{begin:?} is no check's command: it has from 1 to {CHECK_BYTES_MAX} bytes"
            ));
        }
        if let Some(matcher) = self.matchers.iter().find(|it| !it.is_bounded()) {
            let name: String = matcher.name.chars().take(60).collect();
            return Some(format!(
                "the matcher {name:?} is too large: at most {MATCHER_LINES_MAX} patterns of \
                 {PATTERN_BYTES_MAX} bytes, and names of {CHECK_BYTES_MAX}"
            ));
        }
        let bytes = self.bytes();
        (bytes > CHECKS_BYTES_MAX)
            .then(|| format!("checks and matchers have {bytes} bytes; at most {CHECKS_BYTES_MAX}"))
    }

    fn bytes(&self) -> usize {
        let of_check = |it: &DeclaredCheck| {
            it.command.len() + it.found_in.len() + it.runs.as_ref().map_or(0, String::len)
        };
        let checks: usize = self.checks.iter().map(of_check).sum();
        checks + self.matchers.iter().map(DeclaredMatcher::bytes).sum::<usize>()
    }
}

impl DeclaredMatcher {
    fn is_bounded(&self) -> bool {
        let short = |text: &String| text.len() <= CHECK_BYTES_MAX;
        (1..=MATCHER_LINES_MAX).contains(&self.lines.len())
            && self.lines.iter().all(|it| it.len() <= PATTERN_BYTES_MAX)
            && [&self.name, &self.found_in].into_iter().chain(&self.level).all(short)
            && self.programs.len() <= MATCHERS_LEN_MAX
            && self.programs.iter().all(short)
    }

    fn bytes(&self) -> usize {
        let texts = [&self.name, &self.found_in].into_iter().chain(&self.level);
        texts.chain(&self.lines).chain(&self.programs).map(String::len).sum()
    }
}
