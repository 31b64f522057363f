//! A line of pytest's short summary.

/// A line of pytest's short summary: `FAILED tests/a.py::TestB::test_c[2] - AssertionError: …`,
/// `SUBFAILED(i=1) tests/a.py::test_d - …`, `ERROR tests/a.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary<'a> {
    pub id: &'a str,
    pub file: &'a str,
    pub message: &'a str,
    pub is_error: bool,
    /// `(i=1)`, of a subtest.
    pub sub: Option<&'a str>,
}

impl<'a> Summary<'a> {
    pub fn of(line: &'a str) -> Option<Self> {
        let (word, rest) = line.split_once(' ')?;
        let is_error = word == "ERROR";
        let (sub, rest) = match line.strip_prefix("SUBFAILED") {
            Some(after) => {
                // What tells the subtest may have blanks: `[a message] (i=1)`.
                let end = after.find(['/', ':']).map_or(after.len(), |it| it);
                let at = after[..end].rfind(' ')?;
                (Some(after[..at].trim()).filter(|it| !it.is_empty()), &after[at + 1..])
            }
            None if is_error || word == "FAILED" => (None, rest),
            None => return None,
        };
        let (id, message) = id_and_message(rest);
        let file = id.split_once("::").map_or(id, |(file, _)| file);
        Some(Self { id, file, message, is_error, sub })
    }

    /// As a block's title has it: `TestB.test_c[2]`.
    pub fn title(&self) -> String {
        let name = self.id.split_once("::").map_or("", |(_, name)| name);
        let (name, given) = name.split_at(name.find('[').unwrap_or(name.len()));
        let title = format!("{}{given}", name.replace("::", "."));
        match self.sub {
            Some(sub) => format!("{title} {sub}"),
            None => title,
        }
    }

    /// The whole name.
    pub fn name(&self) -> String {
        match self.sub {
            Some(sub) => format!("{} {sub}", self.id),
            None => self.id.to_owned(),
        }
    }
}

/// The first ` - ` that is not in the test's parameters parts them.
fn id_and_message(text: &str) -> (&str, &str) {
    let parted = text.split_once(" - ");
    let in_id = |(id, _): &(&str, &str)| id.contains('[') && !id.ends_with(']');
    if parted.as_ref().is_some_and(in_id) {
        return match text.find("] - ") {
            Some(at) => (&text[..=at], &text[at + 4..]),
            None if text.ends_with(']') => (text, ""),
            None => parted.unwrap_or((text, "")),
        };
    }
    parted.unwrap_or((text, ""))
}
