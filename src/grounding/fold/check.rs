//! Which calls are checks and mutations by a project's settings, and whether a check passed.

use super::{CheckKind, Hex, Unproven};
use crate::event::{Closing, Outcome};
use crate::parse::check::{self, CheckReport, CheckRules};
use crate::parse::content;
use crate::parse::shell::Script;

/// What a fold must be told of a project's settings: another set of rules is another fold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroundingRules {
    /// The journal is a stranger's: the checks that it declares are none.
    pub is_foreign: bool,
}

impl GroundingRules {
    pub fn check(&self, tool: &str, command: Option<&str>, own: &CheckRules) -> CheckKind {
        match command {
            // Whatever it is called as: `--tool lsp_check -- true` checks nothing.
            Some(command) => CheckKind::of(&Script::of(command), own),
            None if tool == CHECK => CheckKind::Plain,
            None => CheckKind::None,
        }
    }

    /// How a check ended of which only what it printed is known; `None` where that does not tell, and of
    /// what is no check.
    pub fn ended(
        &self,
        tool: &str,
        command: Option<&str>,
        own: &CheckRules,
        printed: &str,
    ) -> Option<Outcome> {
        let kind = self.check(tool, command, own);
        if kind == CheckKind::None {
            return None;
        }
        let report = check::printed(command.unwrap_or(check::RUST), own, printed);
        match report.bears_out(false) {
            Err(Unproven::Unknown) => None,
            Err(Unproven::Failed) if kind == CheckKind::Plain => Some(Outcome::Failed),
            // What has the last word behind a check ended well.
            _ => Some(Outcome::Ok),
        }
    }

    pub fn digest(&self) -> Hex {
        Hex::of_text("grounding rules", &FOLD_VERSION.to_string())
    }
}

const CHECK: &str = "lsp_check";
/// Another number where the fold of the same events became another.
const FOLD_VERSION: u32 = 26;

/// Of the end of a test run, the bytes that are looked at again.
const END_BYTES_MAX: usize = 4 << 10;

/// Whether a check that ended well passed. Where something behind it had the last word, what it printed must
/// be here to be read and say so; one that found nothing to check has not passed.
pub fn passed(kind: CheckKind, report: &CheckReport, closing: &Closing) -> Result<(), Unproven> {
    if closing.exit_code.is_some_and(|code| code != 0) {
        return Err(Unproven::Failed);
    }
    let end = closing.stdout.as_ref().filter(|_| kind == CheckKind::End);
    let end = end.and_then(|it| content::text(it, END_BYTES_MAX));
    report.bears_out(end.is_some_and(|it| is_last_block_alone(&it)))
}

/// Whether only the last block of `cargo test` is to be seen, a library's examples: the blocks before it
/// were cut away, and had one of them failed it would not have come to this one.
fn is_last_block_alone(text: &str) -> bool {
    let Some((before, block)) = text.split_once("running 0 tests") else { return false };
    let is_heading = |line: &str| line.is_empty() || line.starts_with("Doc-tests ");
    before.lines().map(str::trim).all(is_heading)
        && block.matches("test result: ok").count() == 1
        && !block.contains("running ")
        && !counts(block, " filtered out")
}

/// Whether a number above 0 stands before the words.
fn counts(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let mut digits = text[..at].bytes().rev().take_while(u8::is_ascii_digit);
        digits.any(|digit| digit != b'0')
    })
}
