//! What failed, and why, in as many characters as there are.

use super::cut;

/// `…/deep/file.rs: error …/src/lib.rs:3: no (and 2 more)`: paths are cut at the front, all else at the end, and
/// the target has half of the room where both are long.
pub fn told(target: &str, why: &str, chars_max: usize) -> String {
    if target.is_empty() || why.is_empty() {
        return if why.is_empty() { shortened(target, chars_max) } else { reason(why, chars_max) };
    }
    let room = chars_max.saturating_sub(2);
    let target = shortened(target, room.saturating_sub(chars(why)).max(room / 2));
    let why = reason(why, room.saturating_sub(chars(&target)));
    format!("{target}: {why}")
}

/// A path without its beginning, from a folder on where one fits; another text without its end, a command
/// without where it goes first.
pub fn shortened(text: &str, chars_max: usize) -> String {
    let gone = text.strip_prefix("cd ").and_then(|it| it.split_once(" && "));
    let text = gone.filter(|_| chars(text) > chars_max).map_or(text, |it| it.1);
    let over = chars(text).saturating_sub(chars_max);
    if over == 0 || !text.contains('/') || text.contains(char::is_whitespace) {
        return cut(text, chars_max);
    }
    let rest = text.char_indices().nth(over + 1).map_or("", |(at, _)| &text[at..]);
    let from_folder = rest.find('/').map(|at| &rest[at..]).filter(|it| it.len() > 1);
    format!("\u{2026}{}", from_folder.unwrap_or(rest))
}

/// A failure's line: its path gives way first, then its end and its beginning, but not its place, and hardly what
/// says how many there are.
fn reason(text: &str, chars_max: usize) -> String {
    let more = text.rfind(" (and ").filter(|at| text[*at..].ends_with(" more)"));
    let (text, more) = text.split_at(more.unwrap_or(text.len()));
    let Some(room) = chars_max.checked_sub(chars(more)).filter(|room| *room >= chars_max / 3)
    else {
        return reason(text, chars_max);
    };
    let over = chars(text).saturating_sub(room);
    let path = text.split(' ').find(|it| over > 0 && it.contains('/'));
    let Some(path) = path else { return cut(text, room) + more };
    let name = path.rsplit('/').next().map_or(0, chars) + 2;
    let short = shortened(path, chars(path).saturating_sub(over).max(name));
    let begin = text.find(path).unwrap_or(0);
    let text = text.replacen(path, &short, 1);
    // Where it lies says more than what stands before that.
    let is_lost = chars(&text[..begin]) + chars(&short) > room;
    cut(if is_lost { &text[begin..] } else { &text }, room) + more
}

fn chars(text: &str) -> usize {
    text.chars().count()
}
