//! What a boot is expected to read.

use super::*;
use crate::journal::InitOptions;

#[test]
fn a_boot_has_one_anchor_until_the_clock_is_set() {
    let folder = tempfile::tempdir().unwrap();
    Project::init(folder.path(), &InitOptions::default()).unwrap();
    let project = Project::open(folder.path()).unwrap();
    let path = project.annals_dir().join(FILE);
    drop(fs::remove_file(&path));
    let now = 1_800_000_000_000;
    let near = |found: Option<u64>, to: u64| found.unwrap().abs_diff(to) < 5_000;
    let clock = || BootClock::new(&project);
    assert_eq!(clock().expected_ms(), None);
    clock().note(0);
    assert!(!path.exists(), "no clock reads 1970");
    clock().note(now);
    assert!(near(clock().expected_ms(), now));
    let before = fs::read(&path).unwrap();
    clock().note(now + 30_000);
    assert_eq!(fs::read(&path).unwrap(), before, "it drifted");
    clock().note(now + 3_600_000);
    assert!(near(clock().expected_ms(), now + 3_600_000), "it was set");
    for wrong in ["", "x", "boot 1 2", "\u{0}", "1 2 3 4"] {
        fs::write(&path, wrong).unwrap();
        assert_eq!(clock().expected_ms(), None, "{wrong:?}");
    }
    fs::write(&path, format!("{} 18446744073709551615 1\n", boot().unwrap())).unwrap();
    assert_eq!(clock().expected_ms(), None, "of later than now");
}
