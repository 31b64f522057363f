//! What the figures were taken on.

use std::fs;
use std::path::Path;

/// One line: cores, processor, kernel, the work folder's place, and how busy the machine was.
pub fn describe_machine(work: &Path) -> String {
    let cores = std::thread::available_parallelism().map_or(0, |count| count.get());
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cpu = read("/proc/cpuinfo");
    let model = cpu
        .lines()
        .find_map(|line| {
            line.strip_prefix("model name").map(|rest| rest.trim_matches([':', '\t', ' ']))
        })
        .unwrap_or("unknown processor");
    let kernel = read("/proc/sys/kernel/osrelease");
    let load = read("/proc/loadavg");
    let load: Vec<&str> = load.split(' ').take(3).collect();
    format!(
        "{cores} cores, {model}, Linux {}, work in {}, load {}",
        kernel.trim(),
        work.display(),
        load.join(" ")
    )
}
