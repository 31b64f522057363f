//! What is remembered between two scans, and when it is not believed.

use std::fs::{self, File, FileTimes};
use std::time::Duration;

use super::{Tree, Wood, scan};
use crate::journal::clock;

#[test]
fn only_what_changed_is_read_again() {
    let wood = Wood::new(&[("a.rs", "fn a() {}\n"), ("b.rs", "fn b() {}\n"), ("c.txt", "c")]);
    assert_eq!(wood.scan().read, 2);
    assert_eq!(wood.scan().read, 0);
    wood.write("b.rs", "fn new() {}\n");
    let scanned = wood.scan();
    assert_eq!(scanned.read, 1);
    assert_eq!(scanned.map.lines()[1..], ["a.rs: fn a", "b.rs: fn new"]);
    fs::rename(wood.top().join("a.rs"), wood.top().join("z.rs")).unwrap();
    assert_eq!(wood.scan().map.lines()[1..], ["b.rs: fn new", "z.rs: fn a"]);
    fs::remove_file(wood.top().join("z.rs")).unwrap();
    assert_eq!(wood.scan().map.lines()[1..], ["b.rs: fn new"]);
    assert_eq!(wood.scan().read, 0);
    // The same size, and the old time put back: the other time tells.
    let old = fs::metadata(wood.top().join("b.rs")).unwrap().modified().unwrap();
    wood.write("b.rs", "fn odd() {}\n");
    let file = File::options().write(true).open(wood.top().join("b.rs")).unwrap();
    file.set_times(FileTimes::new().set_modified(old)).unwrap();
    assert_eq!(wood.lines()[1..], ["b.rs: fn odd"]);
}

#[test]
fn what_changed_a_moment_ago_is_read_again() {
    let wood = Wood::new(&[("a.rs", "fn a() {}\n")]);
    let now_ms = clock::now_ms();
    assert_eq!(wood.scan_at(now_ms).read, 1);
    assert_eq!(wood.scan_at(now_ms).read, 1, "it may have changed since, and its time not");
    assert_eq!(wood.scan_at(now_ms + 3_000).read, 1);
    assert_eq!(wood.scan_at(now_ms + 3_000).read, 0);
    // A clock that is ahead.
    let ahead = std::time::SystemTime::now() + Duration::from_secs(3_600);
    let file = File::options().write(true).open(wood.top().join("a.rs")).unwrap();
    file.set_times(FileTimes::new().set_modified(ahead)).unwrap();
    assert_eq!(wood.scan_at(now_ms + 3_000).read, 1);
    assert_eq!(wood.scan_at(now_ms + 3_000).read, 1);
}

#[test]
fn what_cannot_be_remembered_is_no_reason_to_write_all_anew() {
    let wood = Wood::new(&[("a.rs", "fn a() {}\n"), ("b.rs", "fn b() {}\n")]);
    let shut = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    fs::set_permissions(wood.top().join("b.rs"), shut).unwrap();
    wood.write("ahead.rs", "fn ahead() {}\n");
    let ahead = std::time::SystemTime::now() + Duration::from_secs(3_600);
    let file = File::options().write(true).open(wood.top().join("ahead.rs")).unwrap();
    file.set_times(FileTimes::new().set_modified(ahead)).unwrap();
    let inode = || std::os::unix::fs::MetadataExt::ino(&fs::metadata(wood.cache()).unwrap());
    wood.scan();
    // Held open: its number is nobody else's.
    let kept = (File::open(wood.cache()).unwrap(), inode());
    assert_eq!(wood.scan().read, 1, "whose time tells nothing");
    assert_eq!(inode(), kept.1);
    wood.write("a.rs", "fn new() {}\n");
    wood.scan();
    assert_ne!(inode(), kept.1);
}

#[test]
fn nothing_that_is_broken_or_anothers_is_believed() {
    let wood = Wood::new(&[("a.rs", "fn a() {}\n"), ("b.md", "# b\n")]);
    let expect = wood.scan().map;
    let whole = fs::read(wood.cache()).unwrap();
    for cut in (0..whole.len()).step_by(13) {
        fs::write(wood.cache(), &whole[..cut]).unwrap();
        let scanned = wood.scan();
        assert_eq!((scanned.read, &scanned.map), (2, &expect), "cut at {cut}");
    }
    for at in (0..whole.len()).step_by(11) {
        let mut broken = whole.clone();
        broken[at] ^= 1;
        fs::write(wood.cache(), &broken).unwrap();
        assert_eq!(wood.scan().map, expect, "byte {at}");
    }
    // Sealed by whoever can write there, and without an end.
    let mut forged = whole[..40].to_vec();
    forged.extend([0xff; 61]);
    forged.extend(blake3::hash(&forged).as_bytes());
    fs::write(wood.cache(), &forged).unwrap();
    assert_eq!(wood.scan().map, expect);
    let elsewhere = wood.top().join("kept");
    fs::write(&elsewhere, &whole).unwrap();
    fs::remove_file(wood.cache()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, wood.cache()).unwrap();
    assert_eq!(wood.scan().read, 2, "through a link");
    assert_eq!(fs::read(&elsewhere).unwrap(), whole, "what a link leads to is not written");
}

#[test]
fn why_nothing_could_be_remembered_is_told() {
    let wood = Wood::new(&[("a.rs", "fn a() {}\n")]);
    let (top, cache) = (wood.top(), wood.top().join("a.rs/cache"));
    let (redactor, scan_ms) = (&wood.redactor, wood.now_ms);
    let scanned =
        scan(&Tree { top: &top, cache: Some(&cache), of: b"", redactor, scan_ms }).unwrap();
    assert!(scanned.forgotten.is_some());
    assert_eq!(scanned.map.lines()[1..], ["a.rs: fn a"]);
}
