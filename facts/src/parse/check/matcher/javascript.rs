//! JavaScript's regular expressions, as the regex crate reads them, with groups by name.

use super::fault::compiled;

/// A group of a pattern by its number, and the name that it gets; 0 is the whole match.
pub type Group = (usize, &'static str);

/// The pattern with the groups called by these names; else why it cannot be had, and where.
pub fn translated(pattern: &str, groups: &[Group]) -> Result<String, String> {
    let (plain, count) = rewritten(pattern, &[]);
    // Of what was written, where it is wrong as well: its places are those that a person sees.
    compiled(&plain).map_err(|told| compiled(pattern).err().unwrap_or(told))?;
    if let Some((number, name)) = groups.iter().find(|(number, _)| *number > count) {
        return Err(format!("its group {number} is to be the {name}, and it has {count}"));
    }
    let (named, _) = rewritten(pattern, groups);
    let whole = groups.iter().find(|(number, _)| *number == 0);
    let named = match whole {
        Some((_, name)) => format!("(?<{name}>{named})"),
        None => named,
    };
    compiled(&named)?;
    Ok(named)
}

/// How many groups it has.
pub fn group_count(pattern: &str) -> usize {
    rewritten(pattern, &[]).1
}

/// The pattern without what only this crate would read in it, each group named or nameless; and how many
/// groups it has.
fn rewritten(pattern: &str, groups: &[Group]) -> (String, usize) {
    let (mut out, mut count, mut is_class) = (String::with_capacity(pattern.len()), 0, false);
    let mut rest = pattern.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\\' => {
                out.push('\\');
                out.extend(rest.next());
            }
            '[' if is_class => out.push_str("\\["),
            '[' => {
                is_class = true;
                out.push('[');
            }
            ']' => {
                is_class = false;
                out.push(']');
            }
            '&' | '~' | '-' if is_class && (next != '-' || out.ends_with('-')) => {
                out.push('\\');
                out.push(next);
            }
            '(' if !is_class => {
                let behind: String = rest.clone().take(3).collect();
                let is_named = behind.starts_with("?<") && !behind.ends_with(['=', '!']);
                if behind.starts_with('?') && !is_named {
                    out.push('(');
                    continue;
                }
                count += 1;
                if is_named {
                    // The name is the script's own.
                    rest.by_ref().find(|it| *it == '>');
                }
                match groups.iter().find(|(number, _)| *number == count) {
                    Some((_, name)) => out.push_str(&format!("(?<{name}>")),
                    None => out.push_str("(?:"),
                }
            }
            _ => out.push(next),
        }
    }
    (out, count)
}
