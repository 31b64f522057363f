//! Names what a pack leaves out, as far as there is room.

use super::PackSection;
use super::section::Material;

/// Of each thousand characters this many are for names, where there are any.
const SHARE: usize = 60;
/// Between two names, and between what is counted and the first.
const BETWEEN: &str = "; ";
const BEFORE: &str = ": ";
/// Behind the names, where not all have one.
const MORE: &str = "; …";
const BETWEEN_CHARS: usize = 2;
const MORE_CHARS: usize = 3;

/// What is kept free for names, of this room.
pub(super) fn reserved(all: &[Material], room: usize) -> usize {
    match all.iter().any(Material::has_names) {
        true => room / 1_000 * SHARE + room % 1_000 * SHARE / 1_000,
        false => 0,
    }
}

/// Names what was not taken, in at most `left` characters: of each section one name in turn, until
/// the first that does not fit.
pub(super) fn name(
    all: &[Material],
    taken: &[Vec<bool>],
    sections: &mut [PackSection],
    mut left: usize,
) {
    let mut names: Vec<_> = all
        .iter()
        .zip(taken)
        .map(|(material, taken)| untold(material, taken).into_iter())
        .collect();
    let mut is_done = false;
    while !is_done {
        is_done = true;
        for (section, names) in sections.iter_mut().zip(&mut names) {
            let Some(name) = names.next() else { continue };
            let count = section.named.len() as u64;
            let before = more_chars(count, section.left_out);
            let after = more_chars(count + 1, section.left_out);
            let cost = BETWEEN_CHARS + name.chars().count() + after;
            let Some(rest) = left.saturating_add(before).checked_sub(cost) else {
                *names = Vec::new().into_iter();
                continue;
            };
            left = rest;
            section.named.push(name.to_owned());
            is_done = false;
        }
    }
}

/// What of a section is not told and has a name, what matters most first.
fn untold<'a>(material: &'a Material, taken: &[bool]) -> Vec<&'a str> {
    let items = material.order.iter().filter(|at| !taken[**at]);
    let items = items.filter_map(|at| material.names.get(*at));
    items.chain(&material.absent).map(String::as_str).filter(|name| !name.is_empty()).collect()
}

fn more_chars(named: u64, left_out: u64) -> usize {
    if named > 0 && named < left_out { MORE_CHARS } else { 0 }
}

/// The names of a section, as they stand behind what is counted.
pub(super) fn told(section: &PackSection) -> String {
    if section.named.is_empty() {
        return String::new();
    }
    let more = if (section.named.len() as u64) < section.left_out { MORE } else { "" };
    format!("{BEFORE}{}{more}", section.named.join(BETWEEN))
}
