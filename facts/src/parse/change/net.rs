//! What edits come to one after the other: what a later one took back or went over is not told.

use super::Hunk;

/// The edits of each file as few as they can be, in their order; those that took each other back are gone.
pub fn net(hunks: Vec<Hunk>) -> Vec<Hunk> {
    let mut found: Vec<Hunk> = Vec::new();
    for hunk in hunks {
        if hunk.command.is_some() {
            if !found.contains(&hunk) {
                found.push(hunk);
            }
            continue;
        }
        if hunk.is_whole {
            let is_new = found.iter().any(|it| it.file == hunk.file && it.is_new);
            found.retain(|it| it.file != hunk.file || it.command.is_some());
            found.push(Hunk { is_new: hunk.is_new || is_new, ..hunk });
            continue;
        }
        let earlier = found.iter().enumerate().rev();
        let mut earlier = earlier.filter(|(_, it)| it.file == hunk.file && it.command.is_none());
        match earlier.find_map(|(at, it)| Some((at, joined(it, &hunk)?))) {
            Some((at, one)) if one.removed.is_empty() && one.added.is_empty() => {
                found.remove(at);
            }
            Some((at, one)) => found[at] = one,
            None => found.push(hunk),
        }
    }
    found
}

/// Two edits of which the later one changed what the earlier one had brought, as one.
fn joined(one: &Hunk, other: &Hunk) -> Option<Hunk> {
    let (removed, added) = if let Some(at) = within(&one.added, &other.removed) {
        (one.removed.clone(), put(&one.added, at, other.removed.len(), &other.added))
    } else if let Some(at) = within(&other.removed, &one.added) {
        (put(&other.removed, at, one.added.len(), &one.removed), other.added.clone())
    } else {
        return None;
    };
    let (is_whole, is_new) = (one.is_whole, one.is_new);
    let mut joined = Hunk { removed, added, is_whole, is_new, ..Hunk::default() };
    joined.file.clone_from(&one.file);
    trim(&mut joined);
    Some(joined)
}

/// Where lines stand in others; `None` of lines that may stand anywhere.
fn within(all: &[String], some: &[String]) -> Option<usize> {
    let says = |it: &String| it.chars().any(char::is_alphanumeric);
    some.iter().any(says).then(|| all.windows(some.len()).position(|it| it == some)).flatten()
}

fn put(all: &[String], at: usize, len: usize, new: &[String]) -> Vec<String> {
    [&all[..at], new, &all[at + len..]].concat()
}

/// Takes away the lines that both sides begin and end with.
fn trim(hunk: &mut Hunk) {
    let alike = hunk.removed.iter().zip(&hunk.added).take_while(|(one, other)| one == other);
    let alike = alike.count();
    hunk.removed.drain(..alike);
    hunk.added.drain(..alike);
    while !hunk.added.is_empty() && hunk.removed.last() == hunk.added.last() {
        hunk.removed.pop();
        hunk.added.pop();
    }
}
