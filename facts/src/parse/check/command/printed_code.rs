//! Command lines that print how their check ended: `cargo test | tail; echo "exit: ${PIPESTATUS[0]}"`.

use super::CheckCall;
use crate::parse::shell::{FIRST_IN_PIPE, Joint, Script, Simple};

/// How a shell writes the exit code of the command before.
const LAST: [&str; 2] = ["$?", "${?}"];

/// The line that tells how a check ended: what stands before its exit code, and behind it.
#[derive(Debug, PartialEq, Eq)]
pub struct PrintedCode {
    before: String,
    behind: String,
}

impl PrintedCode {
    /// Of a command line with one check, where what follows that check prints its exit code.
    pub fn of(script: &Script, calls: &[CheckCall]) -> Option<Self> {
        let [call] = calls else { return None };
        let commands = &script.commands;
        let end = (call.at..commands.len()).find(|at| commands[*at].joint != Joint::Pipe)?;
        if commands[end].joint != Joint::Then {
            return None;
        }
        let is_own = end == call.at || script.pipefail();
        let mut codes: Vec<String> = FIRST_IN_PIPE.map(str::to_owned).to_vec();
        codes.extend(LAST.iter().filter(|_| is_own).map(|it| (*it).to_owned()));
        let mut next = commands.get(end + 1)?;
        if let [set] = next.words.as_slice()
            && let Some((name, value)) = set.split_once('=')
            && codes.iter().any(|it| it == value)
        {
            codes = vec![format!("${{{name}}}"), format!("${name}")];
            next = commands.get(end + 2)?;
        }
        Self::printed(next, &codes)
    }

    fn printed(command: &Simple, codes: &[String]) -> Option<Self> {
        let (program, words) = command.words.split_first()?;
        if !command.outputs.is_empty() || command.joint == Joint::Pipe {
            return None;
        }
        let text = match program.as_str() {
            "echo" => {
                let is_option = |it: &&String| matches!(it.as_str(), "-n" | "-e");
                words.iter().skip_while(is_option).cloned().collect::<Vec<_>>().join(" ")
            }
            "printf" => match words {
                [format, code] => {
                    let format = format.replace("%d", "%s").replace("\\n", "");
                    let (before, behind) = format.split_once("%s")?;
                    format!("{before}{code}{behind}")
                }
                _ => return None,
            },
            _ => return None,
        };
        let (at, code) = codes.iter().find_map(|it| Some((text.find(it.as_str())?, it)))?;
        let (before, behind) = (&text[..at], &text[at + code.len()..]);
        // Another variable there could be anything.
        let is_plain = !before.contains(['$', '`']) && !behind.contains(['$', '`']);
        let trimmed = |it: &str| it.trim().to_owned();
        is_plain.then(|| Self { before: trimmed(before), behind: trimmed(behind) })
    }

    /// The code, where this line tells it.
    pub fn read(&self, line: &str) -> Option<i32> {
        let rest = line.trim().strip_prefix(self.before.as_str())?.trim_start();
        let digits = rest.strip_suffix(self.behind.as_str())?.trim_end();
        let is_code =
            (1..=3).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
        is_code.then(|| digits.parse().ok()).flatten().filter(|it| *it <= 255) // none
    }
}
