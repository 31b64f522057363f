//! Puts into a text of bounded length what matters most, and counts the rest.

use super::{Pack, PackSection, SectionName};

/// Characters around a section: `## `, the end of the heading's line, an empty line before it.
const HEADING_CHARS: usize = 5;
/// Characters around an item: `- `, the end of its line.
const ITEM_CHARS: usize = 3;
/// The first section has no empty line before it, and the text no end of line at its end.
const FREE_CHARS: usize = 2;
const LEFT_OUT: &str = "Left out";

/// The pack of what was gathered, of at most `chars_max` characters.
///
/// The newest summaries go in first, within half of the room. Then each section takes items within
/// its own share, then all of them what is left, in their order; of each section what matters most is
/// tried first, and what does not fit is passed over. What is left then, and a part that was kept
/// free, is for names of what was left out. The list of what was left out always has its room: where
/// there is not even room for that, the text is one line that says how much was left out, and where
/// that does not fit it is empty.
pub(super) fn fit(all: Vec<Material>, chars_max: usize) -> Pack {
    let all: Vec<_> =
        all.into_iter().filter(|it| !it.items.is_empty() || it.left_out > 0).collect();
    let room = chars_max.saturating_add(FREE_CHARS);
    let everything: usize = all.iter().map(whole).fold(0, usize::saturating_add);
    if everything <= room && all.iter().all(|material| material.left_out == 0) {
        let sections = all.iter().map(|it| section(it, &vec![true; it.items.len()])).collect();
        return pack(sections);
    }
    // No list of what is left out is longer than that of everything.
    let nothing: Vec<_> = all.iter().map(|it| section(it, &vec![false; it.items.len()])).collect();
    let list = left_out(&nothing);
    let Some(room) = room.checked_sub(chars(&list)) else {
        return short(nothing, chars_max);
    };
    let for_names = reserved(&all, room);
    let room = room - for_names;
    let mut taken: Vec<Vec<bool>> = all.iter().map(|it| vec![false; it.items.len()]).collect();
    let mut left = room;
    let mut used = vec![0; all.len()];
    for turn in [Turn::Firsts, Turn::Shares, Turn::Rest] {
        for ((material, taken), used) in all.iter().zip(&mut taken).zip(&mut used) {
            let (most, tried) = turn.of(material, room, *used);
            let mut own = most.min(left);
            let before = own;
            let mut begun = taken.contains(&true);
            for &at in tried {
                let heading = if begun { 0 } else { heading_chars(material.name) };
                let cost = heading + item_chars(&material.items[at]);
                if !taken[at] && cost <= own {
                    (taken[at], begun) = (true, true);
                    own -= cost;
                }
            }
            left -= before - own;
            *used += before - own;
        }
    }
    let mut sections: Vec<_> =
        all.iter().zip(&taken).map(|(it, taken)| section(it, taken)).collect();
    // Of less the list is shorter than there was room for.
    let spared = chars(&list).saturating_sub(chars(&left_out(&sections)));
    self::name(&all, &taken, &mut sections, left + for_names + spared);
    pack(sections)
}

/// Which items are tried, one turn after the other.
#[derive(Clone, Copy)]
enum Turn {
    Firsts,
    Shares,
    Rest,
}

impl Turn {
    /// What a section that has used so much may use now, characters, and its items that are tried.
    fn of(self, material: &Material, room: usize, used: usize) -> (usize, &[usize]) {
        let share = material.name.said().share;
        match self {
            Self::Firsts => {
                let firsts = material.name.firsts().min(material.order.len());
                (room / 2, &material.order[..firsts])
            }
            Self::Shares => {
                let share = room / 1_000 * share + room % 1_000 * share / 1_000;
                (share.saturating_sub(used), &material.order)
            }
            Self::Rest => (room, &material.order),
        }
    }
}

fn section(material: &Material, taken: &[bool]) -> PackSection {
    let told = material.items.iter().zip(taken).filter(|(_, taken)| **taken);
    let items: Vec<_> = told.map(|(item, _)| item.clone()).collect();
    let left_out = material.left_out + (material.items.len() - items.len()) as u64;
    PackSection { name: material.name, items, left_out, named: Vec::new() }
}

fn pack(sections: Vec<PackSection>) -> Pack {
    let mut text = String::new();
    for section in sections.iter().filter(|section| !section.items.is_empty()) {
        text.push_str(&format!("\n## {}\n", section.name.said().heading));
        for item in &section.items {
            text.push_str(&format!("- {item}\n"));
        }
    }
    text.push_str(&left_out(&sections));
    let text = text.trim_matches('\n').to_owned();
    let chars = chars(&text);
    Pack { text, chars, sections }
}

/// What was left out, as the end of a text; empty where nothing was.
fn left_out(sections: &[PackSection]) -> String {
    let mut told = String::new();
    for section in sections.iter().filter(|section| section.left_out > 0) {
        let [one, several] = section.name.said().noun;
        let noun = if section.left_out == 1 { one } else { several };
        told.push_str(&format!("- {} {noun}{}\n", section.left_out, self::told(section)));
    }
    if told.is_empty() { told } else { format!("\n## {LEFT_OUT}\n{told}") }
}

/// The text where not even the list of what was left out fits.
fn short(sections: Vec<PackSection>, chars_max: usize) -> Pack {
    let items: u64 = sections.iter().map(|section| section.left_out).sum();
    let text = format!("{LEFT_OUT}: {items}");
    let text = if chars(&text) <= chars_max { text } else { String::new() };
    Pack { chars: chars(&text), text, sections }
}

/// What a section takes with all its items.
fn whole(material: &Material) -> usize {
    let items: usize = material.items.iter().map(|item| item_chars(item)).sum();
    if material.items.is_empty() { 0 } else { heading_chars(material.name) + items }
}

fn heading_chars(name: SectionName) -> usize {
    chars(name.said().heading) + HEADING_CHARS
}

fn item_chars(item: &str) -> usize {
    chars(item) + ITEM_CHARS
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

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

/// A part of a pack before it is known what there is room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Material {
    pub name: SectionName,
    /// In the order of the text.
    pub items: Vec<String>,
    /// Positions in `items`, what matters most first.
    pub order: Vec<usize>,
    /// What the items are called, each a line, in their order; empty where what is left out is only
    /// counted.
    pub names: Vec<String>,
    /// Items that were not asked for, or are not at hand.
    pub left_out: u64,
    /// What of these is known by name, what matters most first.
    pub absent: Vec<String>,
}

impl Material {
    /// Items of which the first matter most.
    pub fn first_first(name: SectionName, items: Vec<String>, left_out: u64) -> Self {
        let order = (0..items.len()).collect();
        Self { name, items, order, names: Vec::new(), left_out, absent: Vec::new() }
    }

    /// Items of which the last matter most.
    pub fn last_first(name: SectionName, items: Vec<String>, left_out: u64) -> Self {
        let order = (0..items.len()).rev().collect();
        Self { name, items, order, names: Vec::new(), left_out, absent: Vec::new() }
    }

    /// The same, with what is told of what is left out besides how much it is.
    pub fn named(self, names: Vec<String>, absent: Vec<String>) -> Self {
        Self { names, absent, ..self }
    }

    pub fn has_names(&self) -> bool {
        !self.names.is_empty() || !self.absent.is_empty()
    }
}
