//! What a turn is called: the first line of its prompt that says something.

use crate::grounding::fold::is_answer;

const TITLE_CHARS_MAX: usize = 100;
/// Lines that announce what is asked, and do not say it.
const ANNOUNCEMENTS: [&str; 1] = ["implement the following plan:"];
/// Begins what is in none of a prompt's elements but a name.
const COMMAND: &str = "command-name";
const ARGUMENTS: &str = "command-args";

/// The first line of a prompt that says something, cut to what a title is: whole words, since half a
/// secret is none to redaction. What an agent put there itself says nothing, and a slash command is its
/// name and its arguments.
pub fn title(prompt: &str) -> Option<String> {
    let (mut rest, mut command) = (prompt.trim_start(), None::<String>);
    let (mut answer, mut pasted) = (None, Pasted::default());
    loop {
        if let Some(element) = Element::at(rest) {
            let inside = element.inside.trim();
            match (element.name, &mut command) {
                (COMMAND, _) => command = Some(inside.to_owned()),
                (ARGUMENTS, Some(command)) if !inside.is_empty() => {
                    command.push(' ');
                    command.push_str(inside);
                }
                _ => {}
            }
            rest = element.rest.trim_start();
            continue;
        }
        if let Some(command) = command {
            return cut(command.lines().next()?.trim());
        }
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let said = line.trim().trim_start_matches('#').trim();
        let is_pasted = pasted.has(line);
        if is_pasted && said.chars().any(char::is_alphanumeric) {
            // Where there is nothing else it is what was said.
            answer = answer.or_else(|| cut(said));
        }
        let says_something = !is_pasted
            && said.chars().any(char::is_alphanumeric)
            && !ANNOUNCEMENTS.contains(&said.to_lowercase().as_str());
        if says_something && !is_answer(said) {
            return cut(said);
        }
        if says_something {
            answer = answer.or_else(|| cut(said));
        }
        if after.trim().is_empty() {
            return answer;
        }
        rest = after.trim_start();
    }
}

/// Lines of code and of changes that somebody put into a prompt.
#[derive(Default)]
struct Pasted {
    is_code: bool,
    is_change: bool,
}

/// What lines of a change begin with, before those that only have a sign.
const CHANGES: [&str; 6] = ["diff --git ", "@@ ", "--- a/", "+++ b/", "--- /dev/", "+++ /dev/"];

impl Pasted {
    fn has(&mut self, line: &str) -> bool {
        if line.trim_start().starts_with("```") {
            self.is_code = !self.is_code;
            return true;
        }
        let begins = CHANGES.iter().any(|it| line.starts_with(it));
        self.is_change |= begins;
        let is_added = line.starts_with("+ ") || line.starts_with("+\t");
        self.is_code || begins || is_added || self.is_change && line.starts_with(['+', '-', ' '])
    }
}

/// What an agent puts around a text of its own: `<ide_opened_file>…</ide_opened_file>`.
struct Element<'a> {
    name: &'a str,
    inside: &'a str,
    rest: &'a str,
}

impl<'a> Element<'a> {
    /// One that a text begins with. A name of several words: no HTML that somebody asks about.
    fn at(text: &'a str) -> Option<Self> {
        let (name, after) = text.strip_prefix('<')?.split_once('>')?;
        let is_name = name.contains(['-', '_'])
            && name.bytes().all(|it| it.is_ascii_lowercase() || matches!(it, b'-' | b'_'));
        let (inside, rest) = is_name.then(|| after.split_once(&format!("</{name}>")))??;
        Some(Self { name, inside, rest })
    }
}

fn cut(line: &str) -> Option<String> {
    let Some((end, _)) = line.char_indices().nth(TITLE_CHARS_MAX) else {
        return (!line.is_empty()).then(|| line.to_owned());
    };
    let end = line[..end].rfind(char::is_whitespace)?;
    Some(line[..end].trim_end().to_owned())
}
