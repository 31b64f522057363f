//! What befalls a project.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use annals::internal::event::Sequence;
use annals::internal::journal::{Journal, JournalOptions};

use crate::leash;
use crate::project::Project;

pub const LOG: &str = "execution_log.db";
pub const LOCK: &str = ".annals/journal/LOCK";

pub fn remove(project: &Project, name: &str) {
    for beside in ["", "-wal", "-shm"] {
        drop(fs::remove_file(project.path(&format!("{name}{beside}"))));
    }
}

pub fn remove_folder(project: &Project, name: &str) {
    fs::remove_dir_all(project.path(name)).expect("removed");
}

pub fn remove_all(project: &Project) {
    for name in [LOG, ".annals/index.db", ".annals/memory.db", "codegraph.db"] {
        remove(project, name);
    }
    remove_folder(project, ".annals/memory");
}

pub fn remove_notes(project: &Project) {
    let repos = fs::read_dir(project.path(".codex-toolloop/repos")).expect("listed");
    for repo in repos {
        fs::remove_file(repo.expect("an entry").path().join("memory.json")).expect("removed");
    }
}

pub fn replace_by_folder(project: &Project, name: &str) {
    remove(project, name);
    project.write(&format!("{name}/mine.txt"), "a person's own");
}

/// A person's file where annals has a folder.
pub fn plant(project: &Project, name: &str) {
    let name = format!(".annals/{name}");
    drop(fs::remove_dir_all(project.path(&name)));
    project.write(&name, "a person's own");
}

/// The graph without its second half: its beginning says what it is.
pub fn cut_graph(project: &Project) {
    let file = fs::OpenOptions::new().write(true).open(project.path("codegraph.db"));
    let file = file.expect("a graph");
    let bytes = file.metadata().expect("looked at").len();
    file.set_len(bytes / 2).expect("cut");
}

pub fn ruin(project: &Project, name: &str) {
    remove(project, name);
    let bytes: Vec<u8> =
        (0..5_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(project.path(name), bytes).expect("written");
}

pub fn sql(project: &Project, name: &str, change: &str) {
    let store = rusqlite::Connection::open(project.path(name)).expect("opened");
    store.execute_batch(&format!("PRAGMA foreign_keys = OFF; {change}")).expect("changed");
}

/// The store as it was six events ago.
pub fn roll_back(project: &Project) {
    remove(project, LOG);
    fs::copy(project.path("older.db"), project.path(LOG)).expect("copied");
}

/// A row changed, and the change only in the `-wal`, as a program leaves it that is killed.
pub fn leave_wal(project: &Project) {
    let store = rusqlite::Connection::open(project.path(LOG)).expect("opened");
    store.execute_batch("UPDATE executions SET exit_code = 9 WHERE rowid = 2").expect("changed");
    let files = ["", "-wal"].map(|beside| project.path(&format!("{LOG}{beside}")));
    let left = files.map(|file| (fs::read(&file).expect("read"), file));
    drop(store);
    for (bytes, file) in left {
        fs::write(file, bytes).expect("written");
    }
}

/// One letter of a file, its length as it was.
pub fn edit(project: &Project, folder: &str, extension: &str) {
    let is_it = |path: &PathBuf| path.extension().is_some_and(|it| it == extension);
    let files = fs::read_dir(project.path(folder)).expect("listed");
    let mut files: Vec<_> = files.map(|it| it.expect("an entry").path()).filter(is_it).collect();
    files.sort();
    let text = fs::read_to_string(&files[0]).expect("read");
    let edited = text.replacen("root", "toor", 1);
    assert!(edited != text && edited.len() == text.len());
    fs::write(&files[0], edited).expect("written");
}

pub fn crowd(project: &Project) {
    let config = project.path(".annals/config.toml");
    fs::write(config, "[quarantine]\nfiles_max = 1\n").expect("written");
    for number in 1..=3 {
        project.write(&format!(".annals/quarantine/{LOG}.{number}"), "a store that was replaced");
    }
}

/// What programs that were killed leave here and there.
pub fn litter(project: &Project) {
    for name in [
        ".annals/.new-0123456789abcdef",
        ".annals/building/index.db",
        ".annals/building/index.db-wal",
        ".annals/memory/.undo",
        ".annals/memory/.kept-0",
        ".annals/memory/.cursor.json.new",
        ".annals/journal/0000000001-00000000000000000099.seg.tmp",
        ".annals/journal/blobs/.new-0123456789abcdef",
        ".annals/journal/quarantine/0000000000-00000000000000000512-00000000000000000001-0.bin.tmp",
    ] {
        project.write(name, "half of what was to be there");
    }
}

fn opened(path: &Path) -> fs::File {
    fs::OpenOptions::new().read(true).write(true).open(path).expect("opened")
}

/// Where the events of the last segment end.
fn end(project: &Project) -> u64 {
    let bytes = fs::read(project.segment()).expect("read");
    let last = bytes.iter().rposition(|byte| *byte != 0).expect("events") as u64;
    (last / 8 + 1) * 8
}

fn offset(project: &Project, sequence: u64) -> u64 {
    let journal = project.path(".annals/journal");
    let place =
        annals::internal::journal::location::place(&journal, Sequence(sequence)).expect("readable");
    place.expect("there").offset
}

/// The first half of a frame, as a writer leaves it that was killed before anybody was told.
pub fn tear(project: &Project) {
    let (from, end) = (offset(project, 3), end(project));
    let file = opened(&project.segment());
    let mut half = [0; 100];
    file.read_exact_at(&mut half, from).expect("read");
    file.write_all_at(&half, end).expect("written");
    remove(project, LOCK);
}

/// Zeros where the last event was, as a disk leaves it that forgot a flush.
/// As [`lose_the_end`], where nobody's state says that it was there.
pub fn lose_the_end_unseen(project: &Project) {
    lose_the_end(project);
    project.unsee();
}

pub fn lose_the_end(project: &Project) {
    let end = end(project);
    opened(&project.segment()).write_all_at(&[0; 152], end - 152).expect("written");
}

pub fn lose_blobs(project: &Project) {
    let large = "head -c 3000000 /dev/urandom | base64";
    project.annals(["run", "--", "sh", "-c", large]).code(0);
    project.annals(["status"]).code(0);
    remove_folder(project, ".annals/journal/blobs");
}

/// Something in space that nobody wrote to yet.
pub fn stray(project: &Project) {
    flip_at(project, end(project) + 100_000);
}

pub fn flip(project: &Project) {
    flip_at(project, offset(project, 6) + 60);
}

pub fn flip_at(project: &Project, at: u64) {
    let file = opened(&project.segment());
    let mut byte = [0];
    file.read_exact_at(&mut byte, at).expect("read");
    file.write_all_at(&[byte[0] ^ 4], at).expect("written");
}

pub fn cut(project: &Project, bytes: u64) {
    opened(&project.segment()).set_len(bytes).expect("cut");
}

/// A segment that says that another follows, and none does: whoever rolled it was killed. It is longer
/// than segments are here, so that the first event goes into the next one.
pub fn roll(project: &Project) {
    let options = JournalOptions { segment_bytes_max: 8 << 10, ..JournalOptions::default() };
    let dir = project.path(".annals/journal");
    let first = project.segment();
    while project.segment() == first {
        let (journal, _) = Journal::open(&dir, &[7; 48], options).expect("opened");
        let body =
            annals::internal::event::Body::ToolsDeclared(annals::internal::event::ToolsDeclared {
                tools: vec!["another_tool".repeat(20)],
                by: "a test".to_owned(),
            });
        let envelope = annals::internal::event::Envelope::new(
            None,
            annals::internal::event::Source::Annals,
            1,
        );
        let event = annals::internal::event::Event { envelope, body };
        journal.append(&[event], 1).expect("appended");
    }
    fs::remove_file(project.segment()).expect("removed");
    remove(project, LOCK);
}

/// A command whose owner was killed.
pub fn leave_open(project: &Project) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command.args(["run", "--", "sh", "-c", "echo $$; exec sleep 60"]);
    command.current_dir(project.root()).env("HOME", project.root());
    for name in ["ANNALS_DIR", "ANNALS_SESSION", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(name);
    }
    command.stdout(Stdio::piped());
    let mut run = leash::start(&mut command);
    let mut sleeping = String::new();
    BufReader::new(run.stdout.take().expect("piped")).read_line(&mut sleeping).expect("it runs");
    run.kill().expect("killed");
    run.wait().expect("reaped");
    assert!(Command::new("kill").arg(sleeping.trim()).status().expect("kill runs").success());
}
