//! Tests that cannot be done on a machine say so, and are counted.

use std::fs::OpenOptions;
use std::io::Write;

/// Names a file that gets a line for each test that was not done, or not wholly.
const COUNTED_IN: &str = "ANNALS_SKIPPED";

/// Says that a test was not done here, and why. Written, not printed: what a passing test prints
/// nobody sees.
pub fn skipped(why: &str) {
    let line = format!("skipped: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).expect("said");
    if let Some(path) = std::env::var_os(COUNTED_IN) {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("counted");
    }
}
