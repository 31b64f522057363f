//! A journal in one file: consistent while others write, the same to every command, and no more
//! believed than any file from elsewhere.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use annals::internal::{event::Sequence, journal::location};
use serde_json::Value;
use tempfile::TempDir;

use crate::leash::Leash;
use crate::project::{Project, Ran};
use crate::skipped::skipped;

fn filled() -> Project {
    let project = Project::new();
    project.annals(["run", "--", "sh", "-c", "echo small; exit 3"]).code(3);
    project.annals(["run", "--", "sh", "-c", "yes large | head -c 300000"]).code(0);
    project.annals(["status"]).code(0);
    project
}

/// The program in a project's folder, its cache elsewhere.
pub fn run(project: &Project, cache: &TempDir, arguments: &[&str]) -> Ran {
    Ran::of(project.command().env("XDG_CACHE_HOME", cache.path()).args(arguments))
}

fn tar(folder: &Path, arguments: &[&str]) -> Option<String> {
    let ran = std::process::Command::new("tar").current_dir(folder).args(arguments).output();
    let ran = ran.ok()?; // there is no tar here
    let err = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success() && err.is_empty(), "tar {arguments:?}: {err}");
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

fn digests(status: &Value) -> Vec<String> {
    let stores = status["stores"].as_array().expect("stores").iter();
    stores.map(|store| store["digest"].as_str().expect("a digest").to_owned()).collect()
}

#[test]
fn a_bundle_is_asked_as_the_project_is() {
    let (project, cache) = (filled(), TempDir::new().expect("a folder"));
    let wrote = run(&project, &cache, &["bundle", "out.bundle", "--json"]).code(0).json();
    assert_eq!((&wrote["segments"], &wrote["blobs"]), (&1.into(), &1.into()));
    let live = run(&project, &cache, &["status", "--digest", "--json"]).code(0).json();
    assert_eq!(wrote["last_sequence"], live["journal"]["sequence"]);
    let bytes = wrote["bytes"].as_u64().expect("bytes");
    assert_eq!(bytes, fs::metadata(project.path("out.bundle")).expect("there").len());
    assert!(bytes < 320_000, "{bytes} bytes: the space that is filled ahead is not in it");
    let asked = |arguments: &[&str]| {
        run(&project, &cache, &[&["--dir", "out.bundle"], arguments].concat()).code(0)
    };
    let state = asked(&["status", "--digest", "--json"]).json();
    assert_eq!(digests(&state), digests(&live));
    for arguments in
        [&["log", "--json"] as &[&str], &["show", "last", "--json"], &["sessions", "--json"]]
    {
        let live = run(&project, &cache, arguments).code(0).json();
        assert_eq!(asked(arguments).json(), live, "{arguments:?}");
    }
    assert!(asked(&["show", "last"]).out().len() > 300_000, "its blob is in it");
    let then = asked(&["--at", "1", "log", "--json"]).json();
    assert_eq!(then.as_array().expect("a list").len(), 1);
    let verified = run(&project, &cache, &["verify", "out.bundle", "--json"]).code(0).json();
    assert_eq!(verified[0]["last_sequence"], wrote["last_sequence"]);
    asked(&["verify"]).says("everything holds");
    run(&project, &cache, &["salvage", "out.bundle", "saved"]).code(0).says("0 lost");
    run(&project, &cache, &["inspect", "out.bundle"]).code(0).says("ExecutionFinished");
    run(&project, &cache, &["--dir", "out.bundle", "run", "--", "true"]).code(2);
    run(&project, &cache, &["--dir", "out.bundle", "bundle", "again.bundle"]).code(0);
    let read = |name| fs::read(project.path(name)).expect("read");
    assert!(read("again.bundle") == read("out.bundle"), "a bundle of a bundle is the same");
}

#[test]
fn tar_lists_it_and_takes_it_apart() {
    let (project, cache) = (filled(), TempDir::new().expect("a folder"));
    run(&project, &cache, &["bundle", "out.bundle"]).code(0);
    let Some(listed) = tar(project.root(), &["tf", "out.bundle"]) else {
        return skipped("no tar");
    };
    let names: Vec<&str> = listed.lines().collect();
    assert_eq!(names[..2], ["annals-bundle", "journal/0000000000-00000000000000000001.seg"]);
    assert!(names[2].starts_with("journal/blobs/") && names.len() == 3, "{names:?}");
    let apart = project.path("apart");
    fs::create_dir(&apart).expect("made");
    tar(&apart, &["xf", "../out.bundle"]);
    let live = run(&project, &cache, &["log", "--json"]).code(0).json();
    let told = run(&project, &cache, &["--dir", "apart", "log", "--json"]).code(0).json();
    assert_eq!(told, live);
    run(&project, &cache, &["verify", "apart"]).code(0).says("everything holds");
    // Packed again without its last segment's end, it holds less than it says.
    let segment = apart.join(names[1]);
    let cut = fs::read(&segment).expect("read");
    fs::write(&segment, &cut[..cut.len() - 224]).expect("written");
    tar(&apart, &["cf", "less.bundle", "--format=ustar", names[0], names[1], names[2]]);
    let less = run(&project, &cache, &["verify", "apart/less.bundle"]).code(3);
    less.says("acknowledged loss");
    let told = run(&project, &cache, &["--dir", "apart/less.bundle", "replay"]).code(3).out();
    assert!(!told.contains("Every record was shown"), "{told}");
}

#[test]
fn a_bundle_of_a_journal_that_is_written_to_is_whole_and_a_beginning_of_it() {
    let (project, cache) = (Project::new(), TempDir::new().expect("a folder"));
    let mut writer = std::process::Command::new(env!("CARGO_BIN_EXE_annals"))
        .args(["--dir", &project.root().to_string_lossy(), "record", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map(Leash::of)
        .expect("it runs");
    let mut lines = writer.stdin.take().expect("piped");
    let mut told = BufReader::new(writer.stdout.take().expect("piped"));
    let writing = std::thread::spawn(move || {
        for number in 0..400 {
            let text = "x".repeat(number * 7 % 900);
            let line = format!(
                r#"{{"tool":"file_read","arguments":{{"path":"{number}"}},"stdout":"{text}"}}"#
            );
            if writeln!(lines, "{line}").is_err() {
                break;
            }
        }
    });
    let mut first = String::new();
    told.read_line(&mut first).expect("it records");
    let mut made = Vec::new();
    for number in 0..6 {
        let name = format!("{number}.bundle");
        let wrote = run(&project, &cache, &["bundle", &name, "--json"]).code(0).json();
        made.push((name, wrote["last_sequence"].as_u64().expect("one")));
    }
    std::thread::spawn(move || told.lines().for_each(drop));
    writing.join().expect("all written");
    assert!(writer.wait().expect("reaped").success());
    let all = run(&project, &cache, &["log", "-n", "9999", "--json"]).code(0).json();
    let all = all.as_array().expect("a list");
    assert_eq!(all.len(), 400);
    assert!(made.iter().any(|(_, last)| *last < all[399]["sequence"].as_u64().expect("one")));
    for (name, last) in made {
        run(&project, &cache, &["verify", &name]).code(0).says("everything holds");
        let log = ["--dir", &name, "log", "-n", "9999", "--json"];
        let log = run(&project, &cache, &log).code(0).json();
        let log = log.as_array().expect("a list");
        assert_eq!(log, &all[..log.len()], "{name}");
        let at = format!("@{last}");
        let then = run(&project, &cache, &["--at", &at, "status", "--digest", "--json"]).code(0);
        let bundled = ["--dir", &name, "status", "--digest", "--json"];
        let bundled = run(&project, &cache, &bundled).code(0).json();
        assert_eq!(digests(&bundled), digests(&then.json()), "{name}");
    }
}

#[test]
fn nothing_is_overwritten_and_nothing_half_is_left() {
    let (project, cache) = (filled(), TempDir::new().expect("a folder"));
    project.write("kept", "mine");
    run(&project, &cache, &["bundle", "kept"]).code(2).says("--force");
    assert_eq!(fs::read_to_string(project.path("kept")).expect("read"), "mine");
    run(&project, &cache, &["bundle", "no/such/folder"]).code(5);
    run(&project, &cache, &["bundle", ".annals/journal/x.seg"]).code(2).says("own folder");
    run(&project, &cache, &["--at", "1", "bundle", "x"]).code(2);
    run(&project, &cache, &["bundle", "kept", "--force"]).code(0);
    let first = fs::read(project.path("kept")).expect("read");
    run(&project, &cache, &["bundle", "again", "--evidence"]).code(0);
    assert!(fs::read(project.path("again")).expect("read") == first, "the same bytes each time");
    // Whatever else it may be, it is not replaced: a pipe here, where others have /dev/null.
    for (made, name) in
        [("mkfifo pipe", "pipe"), ("mkdir folder", "folder"), ("ln -s kept link", "link")]
    {
        Ran::of(&mut project.shell(made)).code(0);
        let kind = || fs::symlink_metadata(project.path(name)).expect("there").file_type();
        let before = kind();
        run(&project, &cache, &["bundle", name, "--force"]).code(2).says("no regular file");
        assert_eq!(kind(), before, "{name}");
    }
    assert!(fs::read(project.path("kept")).expect("read") == first, "nor what a link leads to");
    let full = "ulimit -f 64; \"$0\" bundle half";
    let shell = project.shell(full).arg(env!("CARGO_BIN_EXE_annals")).output().expect("it runs");
    assert_eq!(shell.status.code(), Some(5), "{shell:?}");
    let names: Vec<PathBuf> = fs::read_dir(project.root())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().contains("tmp-") || path.ends_with("half"))
        .collect();
    assert!(names.is_empty(), "{names:?}");
    let hidden = fs::read_dir(project.root()).expect("a folder").filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().ends_with(".tmp")
    });
    assert_eq!(hidden.count(), 0);
}

#[test]
fn what_is_missing_in_a_copy_is_told() {
    let (project, cache) = (filled(), TempDir::new().expect("a folder"));
    fs::remove_dir_all(project.path(".annals/journal/blobs")).expect("removed");
    let wrote = run(&project, &cache, &["bundle", "x", "--evidence", "--json"]).code(3).json();
    assert_eq!(wrote["blobs_missing"].as_array().expect("a list").len(), 1);
    run(&project, &cache, &["verify", "x"]).code(3).says("blob missing");
}

#[test]
fn damage_is_copied_as_it_is_and_costs_no_more_than_it_did() {
    let (project, cache) = (filled(), TempDir::new().expect("a folder"));
    let journal = project.path(".annals/journal");
    let place = location::place(&journal, Sequence(4)).expect("readable").expect("there");
    let file = fs::File::options().write(true).open(&place.path).expect("opened");
    file.write_all_at(b"????", place.offset + 60).expect("written");
    run(&project, &cache, &["bundle", "x", "--evidence"]).code(3).says("is damaged");
    let found = |path| run(&project, &cache, &["verify", path, "--json"]).code(3).json();
    let (copied, lies) = (found("x"), found(".annals/journal"));
    assert_eq!(copied[0]["findings"], lies[0]["findings"]);
    assert_eq!(copied[0]["last_sequence"], lies[0]["last_sequence"]);
    let log = run(&project, &cache, &["log", "--evidence", "--json"]).code(3).json();
    assert_eq!(run(&project, &cache, &["--dir", "x", "log", "--json"]).code(3).json(), log);
}

#[test]
fn two_programs_that_build_at_once_both_answer() {
    let (project, cache) = (filled(), TempDir::new().expect("a folder"));
    run(&project, &cache, &["bundle", "x"]).code(0);
    let asked: Vec<_> = (0..4)
        .map(|_| {
            std::process::Command::new(env!("CARGO_BIN_EXE_annals"))
                .current_dir(project.root())
                .env("XDG_CACHE_HOME", cache.path())
                .args(["--dir", "x", "log", "--json"])
                .stdout(Stdio::piped())
                .spawn()
                .map(Leash::of)
                .expect("it runs")
        })
        .collect();
    let live = run(&project, &cache, &["log", "--json"]).code(0).json();
    for one in asked {
        let output = one.output().expect("it ends");
        let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((output.status.success(), &told), (true, &live));
    }
    let kept = fs::read_dir(cache.path().join("annals")).expect("a cache").flatten();
    assert_eq!(kept.filter(|it| it.file_name() != "looks").count(), 1);
}

#[test]
fn a_bundle_from_elsewhere_writes_nothing_and_leads_nowhere() {
    let (project, cache) = (filled(), TempDir::new().expect("a folder"));
    run(&project, &cache, &["bundle", "good"]).code(0);
    let good = fs::read(project.path("good")).expect("read");
    let forge = |at: usize, with: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        let block = at / 512 * 512;
        bytes[block + 148..block + 156].fill(b' ');
        let sum: u32 = bytes[block..block + 512].iter().map(|byte| u32::from(*byte)).sum();
        bytes[block + 148..block + 156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        bytes
    };
    let name = b"../../../../tmp/annals-was-here\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    for (what, bytes, says) in [
        ("cut", good[..good.len() / 2].to_vec(), "cut off"),
        ("a name that leads out", forge(1_024, name), "no bundle has"),
        ("a link", forge(1_024 + 156, b"2"), "link"),
        ("a size that lies", forge(1_024 + 124, b"77777777777"), "cut off"),
        ("twice", [&good[..good.len() - 1_024], &good[1_024..]].concat(), "twice"),
    ] {
        fs::write(project.path("bad"), &bytes).expect("written");
        for arguments in
            [&["verify", "bad"] as &[&str], &["--dir", "bad", "log"], &["--dir", "bad", "status"]]
        {
            let ran = run(&project, &cache, arguments).code(3);
            assert!(format!("{}{}", ran.out(), ran.err()).contains(says), "{what}: {}", ran.err());
        }
        run(&project, &cache, &["salvage", "bad", "saved"]).code(3);
    }
    assert!(!Path::new("/tmp/annals-was-here").exists());
}

#[test]
fn a_check_of_a_bundle_says_what_a_rebuild_comes_to() {
    let (project, cache) = (filled(), TempDir::new().expect("a folder"));
    run(&project, &cache, &["bundle", "out.bundle"]).code(0);
    let told = run(&project, &cache, &["--dir", "out.bundle", "rebuild", "--check", "--json"]);
    let told = told.code(0).json();
    let live = run(&project, &cache, &["rebuild", "--check", "--json"]).code(0).json();
    let digest = |rows: &Value, name: &str| {
        let mut rows = rows.as_array().expect("a list").iter();
        rows.find(|row| row["store"] == name).expect("a store")["after"].clone()
    };
    for store in ["index.db", "execution_log.db"] {
        assert_eq!(digest(&told, store), digest(&live, store), "{store}");
    }
    let named = ["--dir", "out.bundle", "rebuild", "--check", "index"];
    run(&project, &cache, &named).code(0).says("no store lies beside it");
}
