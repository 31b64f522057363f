//! What lies where annals has a folder and is none: told by `status`, given a name beside by `repair`,
//! neither followed nor lost.

use std::fs;
use std::os::unix::fs::{FileTypeExt, chown, symlink};
use std::path::Path;

use crate::project::{NOBODY, Project, Ran};

const FOLDERS: [&str; 9] = [
    "building",
    "debug-exports",
    "journal/blobs",
    "journal/quarantine",
    "owners",
    "packs",
    "quarantine",
    "sessions",
    "stamps",
];
const OWN: &str = "a person wrote this";

fn plant(plant: &str, at: &Path, outside: &Path) {
    drop(fs::remove_dir_all(at));
    match plant {
        "file" => fs::write(at, OWN).expect("written"),
        "link" => symlink(outside, at).expect("a link"),
        _ => {
            use rustix::fs::{CWD, FileType, Mode, mknodat};
            mknodat(CWD, at, FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
        }
    }
}

fn is_still(plant: &str, at: &Path) -> bool {
    let about = fs::symlink_metadata(at).expect("kept");
    match plant {
        "file" => fs::read_to_string(at).expect("read") == OWN,
        "link" => about.is_symlink(),
        _ => about.file_type().is_fifo(),
    }
}

#[test]
fn it_is_told_by_status_and_moved_by_repair_and_nothing_of_it_is_lost() {
    for folder in FOLDERS {
        for kind in ["file", "link", "FIFO"] {
            let project = Project::new();
            project.annals(["run", "--", "true"]).code(0);
            project.annals(["log"]).code(0);
            let outside = project.path("outside");
            fs::create_dir(&outside).expect("made");
            let at = project.path(&format!(".annals/{folder}"));
            let aside = project.path(&format!(".annals/{folder}.aside.2"));
            project.write(&format!(".annals/{folder}.aside.1"), "taken");
            plant(kind, &at, &outside);
            let what = format!("{kind} as {folder}");
            let told = project.annals(["status"]).code(1);
            let told = told.says("in the way").says("Next: annals repair").out();
            assert!(told.contains(&format!(".annals/{folder} is a ")), "{what}: {told}");
            project.annals(["repair", "--dry-run"]).code(1).says("would be moved aside: ");
            assert!(is_still(kind, &at), "{what}");
            project.annals(["repair"]).code(0).says("moved aside: ").says(".aside.2");
            assert!(is_still(kind, &aside), "{what}");
            let listed = fs::read_dir(&outside).expect("listed").count();
            assert_eq!(listed, 0, "{what}: nothing was made behind the link");
            project.annals(["repair"]).code(0).says("Nothing to repair");
            project.annals(["run", "--", "true"]).code(0);
            project.annals(["status"]).code(0);
            project.annals(["verify"]).code(0);
        }
    }
}

#[test]
fn another_user_s_is_left_and_told() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root can give files away");
        return;
    }
    let project = Project::new();
    project.annals(["run", "--", "true"]).code(0);
    let at = project.path(".annals/quarantine");
    plant("file", &at, Path::new("/"));
    chown(&at, Some(NOBODY), None).expect("given away");
    project.annals(["status"]).code(1).says("of another user (uid 65534): move it away");
    project.annals(["repair"]).code(1).says("of another user (uid 65534): move it away");
    assert!(is_still("file", &at));
}

#[test]
fn a_large_content_that_has_no_folder_is_a_failure_of_the_disk() {
    let project = Project::new();
    fs::write(project.path(".annals/journal/blobs"), OWN).expect("written");
    let large = "x".repeat(300_000);
    let line = format!(
        "{{\"tool\":\"file_read\",\"arguments\":{{}},\"outcome\":\"ok\",\"stdout\":\"{large}\"}}\n"
    );
    let told = Ran::of(project.command().arg("record").write_stdin(line.clone())).code(5);
    let answer = told.out();
    assert!(answer.contains("journal/blobs is to hold large contents"), "{answer}");
    assert!(!answer.contains("journal/blobs/"), "{answer}");
    assert!(told.err().contains("try: annals status"), "{}", told.err());
    project.annals(["repair"]).code(0).says("moved aside");
    Ran::of(project.command().arg("record").write_stdin(line)).code(0);
}
