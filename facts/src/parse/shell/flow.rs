//! Where a command's failure and its output go.

use super::{Joint, Script, Simple};

/// How a shell writes the exit code of the first command in the pipe before.
pub const FIRST_IN_PIPE: [&str; 3] = ["${PIPESTATUS[0]}", "${pipestatus[1]}", "$PIPESTATUS"];

impl Script {
    /// Whether the whole fails where this command does.
    pub fn arrives(&self, at: usize) -> bool {
        let commands = &self.commands;
        if commands[at].is_word || commands[at].words.first().is_some_and(|it| it == "!") {
            return false;
        }
        if self.hands_on(at) {
            return true;
        }
        let pipefail = self.pipefail();
        // Whether it is in a list of `&&`, at whose failure no shell ends by itself.
        let (mut now, mut is_listed) = (at, false);
        while let Some(command) = commands.get(now) {
            let is_last = now + 1 == commands.len();
            let ended = match command.joint {
                Joint::End => return true,
                Joint::Then if is_last => return true,
                Joint::Background => return false,
                Joint::Pipe if !pipefail && (now == at || self.leaves(at, now)) => {
                    return false;
                }
                Joint::Pipe => None,
                Joint::And => {
                    is_listed = true;
                    None
                }
                Joint::Or => match self.exits(now + 1) {
                    true => Some(command.shell),
                    false => return false,
                },
                Joint::Then => match self.errexit(at).filter(|_| !is_listed) {
                    Some(shell) => Some(shell),
                    None => return false,
                },
            };
            now = match ended {
                Some(0) => return true,
                // The inner shell ends, and what stands behind it goes on with its failure.
                Some(shell) => {
                    let inner = commands[now..].iter().take_while(|it| it.shell == shell).count();
                    match now + inner - 1 {
                        end if end == now => return false,
                        end => end,
                    }
                }
                None => now + 1,
            };
        }
        false
    }

    /// What reads a command's output through pipes, of its own or of a group that it is in.
    pub fn readers(&self, at: usize) -> impl Iterator<Item = &Simple> {
        let mut is_piped = true;
        let next = (at..self.commands.len()).filter(move |now| {
            let pipes = self.commands[*now].joint == Joint::Pipe;
            is_piped = pipes && (is_piped || self.leaves(at, *now) || self.closes(at, *now));
            is_piped
        });
        next.filter_map(|now| self.commands.get(now + 1))
    }

    pub fn pipefail(&self) -> bool {
        self.commands.iter().any(|it| it.words.iter().any(|word| word == "pipefail"))
    }

    /// Whether the next command is beyond the brackets that both of these stand in.
    fn leaves(&self, at: usize, now: usize) -> bool {
        let shell = self.commands[now].shell;
        let next = self.commands.get(now + 1).map_or(0, |it| it.shell);
        shell != 0 && next != shell && self.commands[at].shell >= shell
    }

    /// Whether this one is the `}` of the braces around the other.
    fn closes(&self, at: usize, now: usize) -> bool {
        let first =
            |it: &Simple| it.words.first().map(String::as_str).unwrap_or_default().to_owned();
        let mut open = 0;
        if first(&self.commands[now]) != "}" {
            return false;
        }
        let begin = (0..now).rev().find(|it| match first(&self.commands[*it]).as_str() {
            "}" => {
                open += 1;
                false
            }
            "{" if open == 0 => true,
            "{" => {
                open -= 1;
                false
            }
            _ => false,
        });
        begin.is_some_and(|it| it <= at)
    }

    /// The shell that ends where this command fails, by `set -e`.
    fn errexit(&self, at: usize) -> Option<u16> {
        let own = self.commands[at].shell;
        let is_heard = |it: &&Simple| it.shell == 0 || it.shell == own;
        let mut shell = None;
        for command in self.commands[..at].iter().filter(is_heard) {
            let Some(("set", options)) =
                command.words.split_first().map(|it| (it.0.as_str(), it.1))
            else {
                continue;
            };
            for option in options {
                match option.as_bytes().first() {
                    Some(b'+') if option.contains('e') => shell = None,
                    Some(b'-') if option.contains('e') && !option.starts_with("--") => {
                        shell = Some(command.shell)
                    }
                    _ if option == "errexit" => shell = Some(command.shell),
                    _ => {}
                }
            }
        }
        shell
    }

    /// Whether what stands from here on ends the shell with a failure: `exit 1`, `{ echo no; exit 1; }`.
    fn exits(&self, from: usize) -> bool {
        let mut is_group = false;
        for (number, command) in self.commands[from..].iter().enumerate() {
            let mut words: Vec<&str> = command.words.iter().map(String::as_str).collect();
            if number == 0 && words.first() == Some(&"{") {
                is_group = true;
                words.remove(0);
            }
            match words[..] {
                ["exit"] => return number == 0,
                ["exit", code] => return code != "0",
                _ if !is_group || command.joint != Joint::Then => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether the line ends with this command's own code: `cargo test | tee log; exit ${PIPESTATUS[0]}`.
    fn hands_on(&self, at: usize) -> bool {
        let commands = &self.commands;
        let piped = commands[at..].iter().take_while(|it| it.joint == Joint::Pipe).count();
        let is_first = at == 0 || commands[at - 1].joint != Joint::Pipe;
        let (Some(end), Some(next)) = (commands.get(at + piped), commands.get(at + piped + 1))
        else {
            return false;
        };
        let [exit, code] = next.words.as_slice() else { return false };
        let is_its = FIRST_IN_PIPE.contains(&code.as_str()) || piped == 0 && code == "$?";
        end.joint == Joint::Then && next.shell == 0 && exit == "exit" && is_its && is_first
    }
}
