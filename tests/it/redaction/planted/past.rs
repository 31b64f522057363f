//! What came in by every door, since no rule knew it for a secret, and is redacted afterwards.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use annals::internal::execution::replay::{Walk, What, Window};
use annals::internal::journal::Reading;

use super::search::{Leak, contents, files, leaks, tables};
use super::world::{World, below};
use super::{agents, calls, memory, repo};
use crate::skipped::skipped;

/// Events that hold any of the planted secrets.
fn holding(world: &World) -> BTreeSet<u64> {
    let journal = world.path("app/.annals/journal");
    let mut walk = Walk::events(&journal, Reading::Live, Window::default()).expect("a journal");
    let mut holding = BTreeSet::new();
    while let Some(step) = walk.next() {
        let step = step.expect("a step");
        let What::Event(recorded) = &step.what else { continue };
        let value = serde_json::to_value(walk.contents().with(recorded)).expect("JSON");
        let mut found = leaks(value.to_string().as_bytes(), "");
        contents(&value, "", &mut found);
        if !found.is_empty() {
            holding.insert(recorded.sequence.0);
        }
    }
    holding
}

/// Every secret in what annals wrote.
fn left(world: &World) -> Vec<Leak> {
    let (mut paths, mut found) = (Vec::new(), Vec::new());
    world.written().iter().for_each(|folder| files(folder, &mut paths));
    for path in &paths {
        let place = below(world, path);
        found.extend(leaks(place.as_bytes(), &format!("the name {place}")));
        found.extend(leaks(&std::fs::read(path).expect("readable"), &place));
        if path.extension().is_some_and(|it| it == "db") {
            found.extend(tables(path, &place));
        }
    }
    found
}

#[test]
fn a_secret_of_every_door_is_gone_from_every_byte_and_all_else_verifies() {
    let mut world = World::unknown();
    world.annals(&["key", "new", "--name", "me@here"]).code(0);
    let key = world.annals(&["key", "show"]).code(0).out().trim().to_owned();
    for doors in [calls::doors, agents::doors, memory::doors, repo::doors] {
        doors(&mut world);
    }
    world.annals(&["seal"]).code(0);
    world.annals(&["run", "--", "echo", "nothing"]).code(0);
    world.read_back();
    world.annals(&["search", "nothing"]);
    let checkpoints: Vec<PathBuf> = ["one", "two"]
        .map(|name| {
            let path = world.path("given").join(name);
            world.annals(&["checkpoint", "--out", &path.to_string_lossy()]).code(0);
            path
        })
        .to_vec();
    let (proof_before, known) = (world.path("given/proof"), holding(&world));
    let first = format!("@{}", known.iter().next().expect("an event that holds one"));
    world.annals(&["prove", "inclusion", &first, "--out", &proof_before.to_string_lossy()]).code(0);
    assert!(known.len() > 100, "{}", known.len());
    assert!(!left(&world).is_empty(), "it was there");

    let refs: Vec<String> = known.iter().map(|it| format!("@{it}")).collect();
    let refs: Vec<&str> = refs.iter().map(String::as_str).collect();
    let words = ["redact", "--reason", "leaked", "--yes"];
    // What was imported may hold it: nobody looks there without a value.
    world.annals(&[&words[..], &refs].concat()).code(1).says("transcript, not looked through");

    let mut told: Vec<String> = left(&world).iter().map(|leak| leak.told(&world)).collect();
    told.sort_unstable();
    told.dedup();
    assert!(told.is_empty(), "{} places:\n{}", told.len(), told.join("\n"));
    assert!(holding(&world).is_empty());
    // What quotes one of them goes along.
    let verified = world.annals(&["verify"]).code(0).says("leaked").out();
    let count = verified.lines().find_map(|it| it.trim().strip_suffix(" records redacted"));
    assert!(count.and_then(|it| it.parse().ok()) >= Some(known.len()), "{verified}");
    world.annals(&["rebuild", "--check"]).code(0);
    world.annals(&["show", &first]).code(0).says("redacted").says("leaked");
    for path in &checkpoints {
        world.annals(&["verify", "--checkpoint", &path.to_string_lossy(), "--key", &key]).code(0);
    }
    let fresh = world.path("given/fresh");
    world.annals(&["prove", "inclusion", &first, "--out", &fresh.to_string_lossy()]).code(0);
    for proof in [&proof_before, &fresh] {
        let said = world.annals(&["check-proof", &proof.to_string_lossy(), "--key", &key]);
        said.code(0).says("is in journal").says("signed by me@here");
        python("check_proof.py", &[proof, Path::new(&key)], 0);
    }
    // The independent reader reads on.
    let has_hashes = Command::new("python3").args(["-c", "import blake3, zstandard"]).output();
    match has_hashes.is_ok_and(|ran| ran.status.success()) {
        true => python("read_journal.py", &[&world.path("app/.annals/journal")], 0),
        false => skipped("Python has no blake3 and zstandard: the independent reader read nothing"),
    }
}

fn python(script: &str, words: &[&Path], code: i32) {
    let script = format!("{}/tests/{script}", env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new("python3").arg(script).args(words).output().expect("python3 runs");
    assert_eq!(ran.status.code(), Some(code), "{}", String::from_utf8_lossy(&ran.stderr));
}
