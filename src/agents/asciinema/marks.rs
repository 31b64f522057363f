//! The marks of a shell in what a terminal was given, and the text between them.

/// Bytes that are kept of what was typed, of one mark, and of what a command printed.
const TYPED_BYTES_MAX: usize = 64 << 10;
const MARK_BYTES_MAX: usize = 64 << 10;
const PRINTED_BYTES_MAX: usize = 8 << 20;

#[derive(Debug, PartialEq)]
pub enum Mark {
    Began(String),
    Ended { exit_code: Option<i32>, printed: String },
    Folder(String),
}

#[derive(Debug, Default)]
pub struct Marks {
    /// Any mark of a command was met.
    pub is_met: bool,
    within: Within,
    at: At,
    typed: String,
    /// What the shell itself says that the command is.
    told: Option<String>,
    printed: String,
}

/// What the text is.
#[derive(Debug, Default, PartialEq)]
enum Within {
    #[default]
    Nothing,
    Typed,
    Printed,
}

/// Where in a control sequence the text is.
#[derive(Debug, Default)]
enum At {
    #[default]
    Text,
    Escape,
    Control,
    /// An operating system command, so far.
    Command(String),
    /// Its end may follow.
    CommandEscape(String),
}

impl Marks {
    pub fn read(&mut self, text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        for c in text.chars() {
            self.at = match std::mem::take(&mut self.at) {
                At::Text if c == '\u{1b}' => At::Escape,
                At::Text => {
                    self.keep(c);
                    At::Text
                }
                At::Escape if c == '[' => At::Control,
                At::Escape if c == ']' => At::Command(String::new()),
                At::Escape => At::Text,
                At::Control if ('\u{40}'..='\u{7e}').contains(&c) => At::Text,
                At::Control => At::Control,
                At::Command(command) if c == '\u{7}' => {
                    marks.extend(self.mark(&command));
                    At::Text
                }
                At::Command(command) if c == '\u{1b}' => At::CommandEscape(command),
                At::Command(mut command) => {
                    if command.len() < MARK_BYTES_MAX {
                        command.push(c);
                    }
                    At::Command(command)
                }
                At::CommandEscape(command) => {
                    marks.extend(self.mark(&command));
                    if c == '\\' { At::Text } else { At::Escape }
                }
            };
        }
        marks
    }

    fn keep(&mut self, c: char) {
        let (text, bytes_max) = match self.within {
            Within::Nothing => return,
            Within::Typed => (&mut self.typed, TYPED_BYTES_MAX),
            Within::Printed => (&mut self.printed, PRINTED_BYTES_MAX),
        };
        match c {
            '\u{8}' => drop(text.pop()),
            '\r' | '\u{7}' => {}
            c if text.len() < bytes_max => text.push(c),
            _ => {}
        }
    }

    fn mark(&mut self, command: &str) -> Option<Mark> {
        if let Some(url) = command.strip_prefix("7;file://") {
            let path = url.find('/').map(|at| unescaped(&url[at..], '%'));
            return path.map(Mark::Folder);
        }
        let rest = command.strip_prefix("133;").or_else(|| command.strip_prefix("633;"))?;
        let (mark, rest) = rest.split_once(';').unwrap_or((rest, ""));
        match mark {
            "B" => (self.within, self.typed) = (Within::Typed, String::new()),
            "E" => {
                let told = rest.split(';').next().unwrap_or_default();
                self.told = Some(unescaped(told, '\\'));
            }
            "C" => {
                self.is_met = true;
                let url = rest.split(';').find_map(|it| it.strip_prefix("cmdline_url="));
                let told = self.told.take().or_else(|| url.map(|url| unescaped(url, '%')));
                let typed = std::mem::take(&mut self.typed);
                (self.within, self.printed) = (Within::Printed, String::new());
                let command = told.unwrap_or_else(|| typed.trim().to_owned());
                return Some(Mark::Began(command));
            }
            "D" => {
                self.is_met = true;
                let is_running = std::mem::take(&mut self.within) == Within::Printed;
                let exit_code = rest.split(';').next().and_then(|code| code.parse().ok()); // none told
                let printed = std::mem::take(&mut self.printed);
                return is_running.then_some(Mark::Ended { exit_code, printed });
            }
            "A" if self.within == Within::Typed => self.within = Within::Nothing,
            _ => {}
        }
        None
    }
}

/// A text in which bytes are written as two digits behind `%`, or behind `\x`.
fn unescaped(text: &str, sign: char) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(sign) {
        bytes.extend(before.as_bytes());
        let digits = if sign == '\\' { after.strip_prefix('x') } else { Some(after) };
        let byte = digits.and_then(|it| it.get(..2)).map(|it| u8::from_str_radix(it, 16));
        match (byte, digits) {
            (Some(Ok(byte)), Some(digits)) => {
                bytes.push(byte);
                rest = &digits[2..];
            }
            _ => {
                bytes.push(sign as u8);
                rest = after.strip_prefix(sign).filter(|_| sign == '\\').unwrap_or(after);
            }
        }
    }
    bytes.extend(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}
