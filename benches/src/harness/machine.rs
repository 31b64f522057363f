//! What the figures were taken on.

use std::fs;
use std::path::Path;
use std::process::Command;

/// One line: cores, processor, kernel, the work folder's file system, and how busy the machine was.
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
    let (kernel, filesystem) = (kernel.trim(), filesystem(work));
    format!("{cores} cores, {model}, Linux {kernel}, {filesystem}, load {}", load())
}

/// The load of the last 1, 5 and 15 minutes.
pub fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// Where what is measured comes from, and when.
pub fn describe_build() -> String {
    let date = said(Command::new("date").args(["-u", "+%Y-%m-%d %H:%M UTC"]));
    let git = |words: &[&str]| {
        said(Command::new("git").arg("-C").arg(env!("CARGO_MANIFEST_DIR")).args(words))
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    let changes = git(&["status", "--porcelain", "--untracked-files=no"]);
    let changed = if changes.is_some_and(|it| !it.is_empty()) { ", with changes" } else { "" };
    let unknown = || "unknown".to_owned();
    format!("{}, commit {}{changed}", date.unwrap_or_else(unknown), commit.unwrap_or_else(unknown))
}

/// The kind of file system a folder is on.
fn filesystem(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?, words.next()?))
    });
    let found = mounts.filter(|(at, _)| folder.starts_with(at)).max_by_key(|(at, _)| at.len());
    found.map_or("an unknown file system", |it| it.1).to_owned()
}

/// What a program says, where it says anything.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|it| it.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
