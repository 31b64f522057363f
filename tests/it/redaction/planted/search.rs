//! Looks for planted secrets: as they are, in Base64 and in hex; in files, names, events and tables.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use annals::internal::event::base64_bytes;
use annals::internal::execution::replay::{Walk, What, Window};
use annals::internal::journal::Reading;
use regex::bytes::Regex;
use serde_json::Value;

use super::world::{MARK, World, below, door_of};

/// A secret where none may be.
#[derive(Clone, Debug)]
pub struct Leak {
    place: String,
    door: Option<usize>,
}

impl Leak {
    pub fn told(&self, world: &World) -> String {
        let door = self.door.and_then(|door| world.doors.get(door));
        format!("{}: {}", door.map_or("encoded", String::as_str), self.place)
    }
}

/// Each alone: a search for one literal is fast in a debug build too.
static NEEDLES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let hex: String = MARK.bytes().map(|byte| format!("{byte:02x}")).collect();
    let all = [MARK.to_owned(), hex].into_iter().chain((0..3).map(base64));
    all.map(|needle| Regex::new(&regex::escape(&needle)).expect("a pattern")).collect()
});

/// What Base64 makes of the mark wherever it stands behind `shift` bytes of a group.
fn base64(shift: usize) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = std::iter::repeat_n(0, shift).chain(MARK.bytes()).collect();
    let bit = |at: usize| bytes[at / 8] >> (7 - at % 8) & 1;
    let group = |at: usize| (0..6).fold(0, |word, bit_no| word << 1 | bit(at * 6 + bit_no));
    let range = (8 * shift).div_ceil(6)..8 * bytes.len() / 6;
    range.map(|at| char::from(DIGITS[usize::from(group(at))])).collect()
}

/// The secrets in these bytes.
pub fn leaks(bytes: &[u8], place: &str) -> Vec<Leak> {
    let mut found = Vec::new();
    for needle in NEEDLES.iter() {
        for one in needle.find_iter(bytes) {
            let door = bytes.get(one.end()..one.end() + 4).and_then(door_of);
            found.push(Leak { place: place.to_owned(), door });
        }
    }
    found
}

/// Every file below a folder, links not followed.
pub fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            // Of git's own files, which the program reads, nothing is ours.
            Ok(kind) if kind.is_dir() && entry.file_name() == ".git" => (),
            Ok(kind) if kind.is_dir() => files(&entry.path(), into),
            Ok(kind) if kind.is_file() => into.push(entry.path()),
            _ => (),
        }
    }
}

/// Every secret that is left anywhere.
pub fn everything(world: &World) -> Vec<Leak> {
    let (mut paths, mut found) = (Vec::new(), Vec::new());
    world.written().iter().for_each(|folder| files(folder, &mut paths));
    assert!(paths.len() > 20, "{paths:?}");
    for path in &paths {
        let place = below(world, path);
        found.extend(leaks(place.as_bytes(), &format!("the name {place}")));
        found.extend(leaks(&std::fs::read(path).expect("readable"), &place));
        if path.extension().is_some_and(|it| it == "db") {
            found.extend(tables(path, &place));
        }
    }
    found.extend(events(&world.path("app/.annals/journal")));
    found
}

/// Every cell of every table: long ones lie scattered over a store's pages.
pub fn tables(path: &Path, place: &str) -> Vec<Leak> {
    let database = rusqlite::Connection::open(path).expect("a store");
    let mut names =
        database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").expect("asked");
    let names = names.query_map([], |row| row.get::<_, String>(0)).expect("tables");
    let names: Vec<String> = names.map(|name| name.expect("a name")).collect();
    let mut found = Vec::new();
    for name in names {
        // What a full-text index keeps for itself may not be asked.
        let Ok(mut asked) = database.prepare(&format!("SELECT * FROM \"{name}\"")) else {
            continue;
        };
        let columns = asked.column_count();
        let Ok(mut rows) = asked.query([]) else { continue };
        while let Ok(Some(row)) = rows.next() {
            for column in 0..columns {
                let cell = row.get_ref(column).expect("a cell");
                let bytes = cell.as_bytes_or_null().ok().flatten().unwrap_or_default();
                found.extend(leaks(bytes, &format!("{place}, table {name}")));
            }
        }
    }
    found
}

/// Every event as it reads, whatever packs it.
fn events(journal: &Path) -> Vec<Leak> {
    let mut walk = Walk::events(journal, Reading::Live, Window::default()).expect("a journal");
    let (mut found, mut redacted) = (Vec::new(), 0);
    while let Some(step) = walk.next() {
        let step = step.expect("a step");
        let What::Event(recorded) = &step.what else { panic!("{step:?}") };
        redacted +=
            recorded.event.envelope.redactions.iter().map(|one| u64::from(one.count)).sum::<u64>();
        let place = format!("{} {}", recorded.sequence, recorded.event.body.name());
        let value = serde_json::to_value(walk.contents().with(recorded)).expect("JSON");
        found.extend(leaks(value.to_string().as_bytes(), &place));
        contents(&value, &place, &mut found);
    }
    // Else they were not taken out: they never came in.
    assert!(redacted > 150, "{redacted} places were redacted");
    found
}

/// Contents that are no text, decoded.
pub fn contents(value: &Value, place: &str, found: &mut Vec<Leak>) {
    if value["encoding"] == "base64" {
        let parts = [&value["data"], &value["tail"]].into_iter().filter_map(Value::as_str);
        parts.for_each(|text| found.extend(leaks(&base64_bytes(text).expect("Base64"), place)));
    }
    match value {
        Value::Object(fields) => fields.values().for_each(|value| contents(value, place, found)),
        Value::Array(items) => items.iter().for_each(|value| contents(value, place, found)),
        _ => (),
    }
}

#[test]
fn a_planted_secret_is_seen_however_it_is_written() {
    let mut world = World::new();
    let secret = world.secret("a door");
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let of = |shift: usize| format!("..{}..", base64(shift));
    for text in [secret.clone(), hex, of(0), of(1), of(2), format!("\"{secret}\\n")] {
        assert_eq!(leaks(text.as_bytes(), "here").len(), 1, "{text}");
    }
    assert_eq!(leaks(secret.as_bytes(), "x")[0].told(&world), "a door: x");
    std::fs::write(world.path("tmp/kept"), secret).expect("written");
    assert!(!everything_but_few(&world).is_empty());
}

#[cfg(test)]
fn everything_but_few(world: &World) -> Vec<Leak> {
    let mut paths = Vec::new();
    files(&world.path("tmp"), &mut paths);
    paths.iter().flat_map(|path| leaks(&std::fs::read(path).expect("readable"), "tmp")).collect()
}
