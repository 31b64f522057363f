//! What two failures of one cause name: whether what ended one may end the other.

use super::template::is_name;
use crate::parse::has_word;

/// Messages of something that is not there: another thing is brought back in another way.
const MISSING: [&str; 16] = [
    "undefined",
    "undeclared",
    "unresolved",
    "unknown field",
    "unknown name",
    "not found",
    "not defined",
    "cannot find",
    "could not find",
    "cannot resolve",
    "does not exist",
    "no field",
    "no method",
    "no attribute",
    "no member",
    "no module",
];
/// Messages of one type where another is wanted: how one is made of the other depends on both.
const MISMATCHED: [&str; 6] = [
    "cannot use",
    "mismatched",
    "incompatible",
    "not assignable",
    "type mismatch",
    "cannot convert",
];
/// Types that every language has.
const BUILTIN: &str = "string str int uint float double number bool boolean byte rune char long short i8 i16 i32 i64 \
    u8 u16 u32 u64 usize isize f32 f64 none null nil undefined unknown any object list dict tuple array vec error";
/// Names that everything has.
const GENERAL: &str = "get set new err self this cmd ctx type test value name";

/// How much alike what two failures of one cause name is: 3 the same, 2 a part of them is, 1 spelt alike,
/// 0 neither. `None` where what ended one does not end the other.
pub fn likeness(kind: &str, one: &str, other: &str) -> Option<u8> {
    if one == other {
        return Some(3);
    }
    let others = parts(other);
    let has_common = parts(one).iter().any(|it| others.contains(it));
    let is_alike = shapes(one) == shapes(other);
    let has = |all: &[&str]| all.iter().any(|it| kind.contains(it));
    let is_other = if has(&MISMATCHED) {
        // Of types that every language has, both must be the same.
        builtin(one) != builtin(other) && !has_common
    } else {
        // In Rust whatever is imported may be missing, types as well.
        let is_import = kind.starts_with("rustc ") && !one.trim().contains(['.', ' ']);
        has(&MISSING) && !has_common && !(is_alike && (is_import || is_plain(one)))
    };
    let level = if has_common { 2 } else { u8::from(is_alike) };
    (!is_other).then_some(level)
}

/// Whether it is one name alone, of a package or of something local: what is missing is an import, or misspelt.
fn is_plain(names: &str) -> bool {
    let mut all = names.split_whitespace();
    let is_plain = |it: &str| !it.contains(['.', ':']) && !it.starts_with(char::is_uppercase);
    all.next().is_none_or(is_plain) && all.next().is_none()
}

fn shapes(names: &str) -> Vec<u8> {
    names.split_whitespace().map(shape).collect()
}

/// How a name is spelt: within something, of several words, with a capital, or as one plain word.
fn shape(name: &str) -> u8 {
    let of_several = u8::from(is_name(name));
    let within = u8::from(name.contains(['.', ':']));
    4 * within + 2 * u8::from(name.starts_with(char::is_uppercase)) + of_several
}

fn builtin(names: &str) -> Vec<&str> {
    let parts = names.split(|it: char| !it.is_alphanumeric());
    let mut found: Vec<&str> = parts.filter(|it| has_word(BUILTIN, &it.to_lowercase())).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What the names consist of, whatever their case: `opts` and `checkpointid` of `opts.CheckpointID`.
fn parts(names: &str) -> Vec<String> {
    let all = names.split(|it: char| !it.is_alphanumeric() && it != '_').map(str::to_lowercase);
    all.filter(|it| it.len() > 1 && !has_word(BUILTIN, it) && !has_word(GENERAL, it)).collect()
}

/// Whether there is no name but those that every language has.
pub fn is_nameless(names: &str) -> bool {
    parts(names).is_empty()
}

/// Whether a line has one of the names, or a part of it, as a word.
pub fn names_in(line: &str, names: &str) -> bool {
    let named = parts(names);
    let mut words = line.split(|it: char| !it.is_alphanumeric() && it != '_');
    !named.is_empty() && words.any(|it| named.contains(&it.to_lowercase()))
}
