//! Checkpoints and proofs, by the program alone: what a checkpoint says of a journal that was changed, and proofs
//! that a page of Python checks with nothing but FORMAT.md.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::project::{Project, Ran};

/// A project of some calls, a key, a checkpoint beside it, and a call behind that.
fn signed() -> (Project, String) {
    let project = Project::new();
    for number in 0..4 {
        project.annals(["run", "--", "echo", &format!("line-{number}")]).code(0);
    }
    let line = project.annals(["key", "new", "--name", "me@here"]).code(0).out();
    project.annals(["checkpoint", "--out", "signed"]).code(0).says("11 records, up to event @11");
    project.annals(["run", "--", "echo", "behind"]).code(0);
    (project, line.trim().to_owned())
}

fn held(project: &Project, key: &str) -> serde_json::Value {
    // What was seen is for another test.
    project.unsee();
    let words = ["verify", "--json", "--checkpoint", "signed", "--key", key];
    project.annals(words).json()[0].clone()
}

fn attack(script: &str, root: &Path) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks").join(script);
    let ran =
        Command::new(path).arg(root).arg("forged").env("PYTHONDONTWRITEBYTECODE", "1").status();
    assert!(ran.expect("it runs").success(), "{script}");
}

#[test]
fn a_checkpoint_says_exactly_what_holds() {
    let (project, key) = signed();
    let verdict =
        |held: &serde_json::Value| held["checkpoint"]["verdict"].as_str().unwrap_or("").to_owned();
    let whole = held(&project, &key);
    assert_eq!(verdict(&whole), "contains", "{whole}");
    assert_eq!(whole["checkpoint"]["signed_by"], "me@here");
    project.annals(["verify", "--checkpoint", "signed", "--key", &key]).code(0);
    // Another key, and a text that was changed under its signature.
    let stranger = Project::empty();
    let other = stranger.annals(["key", "new", "--name", "me@here"]).code(0).out();
    let wrong = project.annals(["verify", "--checkpoint", "signed", "--key", other.trim()]);
    wrong.code(6).says("wrong key");
    let text = fs::read_to_string(project.path("signed")).expect("read");
    project.write("signed", &text.replace("\n11\n", "\n10\n"));
    assert_eq!(verdict(&held(&project, &key)), "wrong key");
    project.write("signed", &text);
    // Another journal.
    let elsewhere = Project::new();
    elsewhere.write("signed", &text);
    assert_eq!(verdict(&held(&elsewhere, &key)), "other journal");
    // The tiles say which record it was.
    attack("rewritten.py", project.root());
    let rewritten = held(&project, &key);
    assert_eq!(verdict(&rewritten), "rewritten", "{rewritten}");
    let message = rewritten["checkpoint"]["message"].as_str().expect("told");
    assert!(message.starts_with("rewritten at @"), "{message}");
    project.annals(["verify", "--checkpoint", "signed", "--key", &key]).code(6);
    // Without them, that it was.
    fs::remove_dir_all(project.path(".annals/tlog")).expect("removed");
    let message = held(&project, &key)["checkpoint"]["message"].clone();
    assert_eq!(message, "rewritten: its records are others");
}

#[test]
fn a_cut_and_a_fork_are_told_from_one_another() {
    let (project, key) = signed();
    attack("cut_before.py", project.root());
    let cut = held(&project, &key);
    assert_eq!(cut["checkpoint"]["verdict"], "cut", "{cut}");
    // Goes on otherwise.
    for _ in 0..4 {
        let mut command = project.command();
        command.env("HOME", project.path("stranger")).args(["run", "--", "true"]);
        Ran::of(&mut command).code(0);
    }
    let forked = held(&project, &key);
    assert_eq!(forked["checkpoint"]["verdict"], "forked", "{forked}");
}

#[test]
fn a_journal_that_does_not_contain_the_last_checkpoint_is_not_signed() {
    let (project, _) = signed();
    attack("rewritten.py", project.root());
    project.annals(["checkpoint"]).code(6).says("is not the one that was seen");
    project.unsee();
    project.annals(["checkpoint"]).code(6).says("nothing is signed");
}

#[test]
fn a_sealed_segment_is_read_only_vouched_for_and_gone_on_behind() {
    let (project, key) = signed();
    let done = project.annals(["seal", "--json"]).code(0).json();
    assert_eq!(
        (&done["segment"], &done["size"], &done["signed"]),
        (&0.into(), &14.into(), &true.into())
    );
    let path = done["path"].as_str().expect("a path").to_owned();
    assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o444);
    project.annals(["run", "--", "echo", "behind the seal"]).code(0);
    let verified = project.annals(["verify", "--json", "--checkpoint", "signed", "--key", &key]);
    let verified = verified.code(0).json();
    assert_eq!((&verified[0]["clean"], &verified[0]["segments"]), (&true.into(), &2.into()));
    project.annals(["prove", "inclusion", "@1", "--out", "proof"]).code(0);
    project.annals(["check-proof", "proof", "--key", &key]).code(0).says("of 14 records");
    // Twice is twice; of nothing, none.
    project.annals(["seal"]).code(0).says("sealed");
    // A root that is another is told, also where every sum was made anew.
    let whole = fs::read(&path).expect("read");
    attack("forged_seal.py", project.root());
    project.unsee();
    project.annals(["verify"]).code(3).says("seal broken");
    fs::write(&path, whole).expect("put back");
    // What somebody puts behind a seal is no footer.
    attack("forged_footer.py", project.root());
    project.annals(["verify"]).code(0);
    attack("swapped.sh", project.root());
    project.annals(["verify"]).code(3);
}

#[test]
fn tiles_that_somebody_changed_are_neither_signed_nor_sealed_nor_proven_by() {
    for what in ["checkpoint", "seal", "prove"] {
        let (project, key) = signed();
        attack("forged_tiles.py", project.root());
        match what {
            "prove" => {
                project.annals(["prove", "inclusion", "@4", "--out", "proof"]).code(0);
                project.annals(["check-proof", "proof", "--key", &key]).code(0);
            }
            "seal" => drop(project.annals(["seal"]).code(0)),
            _ => drop(project.annals(["checkpoint", "--out", "again"]).code(0)),
        }
        project.annals(["run", "--", "true"]).code(0);
        project.annals(["verify", "--checkpoint", "signed", "--key", &key]).code(0);
        if what == "checkpoint" {
            project.annals(["verify", "--checkpoint", "again", "--key", &key]).code(0);
            // And nothing that is there is written over.
            project.annals(["checkpoint", "--out", "again"]).code(2).says("is there already");
        }
    }
}

#[test]
fn the_end_of_a_session_is_signed_where_there_is_a_key() {
    let (project, key) = signed();
    let end = |name: &str| {
        let input = serde_json::json!({
            "hook_event_name": "SessionEnd", "session_id": name, "reason": "exit",
            "cwd": project.root(), "transcript_path": project.path("none.jsonl"),
        });
        let mut command = project.command();
        Ran::of(command.args(["hook", "claude-code"]).write_stdin(input.to_string())).code(0);
        fs::read_to_string(project.path(".annals/tlog/checkpoint")).expect("kept")
    };
    let first = end("one");
    project.write("signed", &first);
    assert_eq!(held(&project, &key)["checkpoint"]["verdict"], "contains");
    let events = project.annals(["export", "jsonl"]).code(0).out();
    assert_eq!(events.matches("\"CheckpointSigned\"").count(), 2, "{events}");
    project.write(".config/annals/config.toml", "[checkpoint]\nautomatic = false\n");
    assert_eq!(end("two"), first);
}

#[test]
fn a_proof_holds_by_the_program_and_by_a_page_of_python() {
    let (project, key) = signed();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check_proof.py");
    let python = |key: &str| {
        let mut command = assert_cmd::Command::new("python3");
        Ran::of(command.arg(&script).arg(project.path("proof")).arg(key))
    };
    for at in ["@1", "@5", "@11", "last"] {
        project.annals(["prove", "inclusion", at, "--out", "proof"]).code(0);
        let is_signed = at != "last";
        let code = i32::from(!is_signed);
        let said = project.annals(["check-proof", "proof", "--key", &key]).code(code);
        said.says(if is_signed { "signed by me@here" } else { "it rests on no checkpoint" });
        python(&key).code(code).says("holds True");
        fs::remove_file(project.path("proof")).expect("removed");
    }
    project.annals(["prove", "inclusion", "@5", "--out", "proof"]).code(0);
    let proof = fs::read_to_string(project.path("proof")).expect("read");
    // One digit of its index, one letter of a hash, and of what the leaf is made of.
    for (from, to) in [("index 4", "index 5"), ("\nextra ", "\nextra B"), ("\n11\n", "\n12\n")] {
        let forged = proof.replacen(from, to, 1);
        assert_ne!(forged, proof);
        project.write("proof", &forged);
        let code = project.annals(["check-proof", "proof", "--key", &key]).output.status.code();
        assert!(matches!(code, Some(1 | 2 | 6)), "{from}: {code:?}");
        assert_ne!(python(&key).output.status.code(), Some(0), "{from}");
    }
    project.annals(["prove", "consistency", "3", "--out", "grown"]).code(0);
    let grown = project.annals(["check-proof", "grown", "--key", &key, "--json"]).code(0).json();
    assert_eq!((&grown["first"], &grown["size"]), (&3.into(), &11.into()));
    let text = fs::read_to_string(project.path("grown")).expect("read");
    project.write("grown", &text.replacen("first 3", "first 4", 1));
    project.annals(["check-proof", "grown", "--key", &key]).code(6).says("NOT proven");
    project.annals(["prove", "inclusion", "@4000"]).code(2).says("@4000 is no event");
    // Through a pipe, and what else is asked of it.
    for name in ["-", "/dev/stdin"] {
        let mut command = project.command();
        let piped = command.args(["check-proof", name, "--key", &key]).write_stdin(text.clone());
        let said = Ran::of(piped).code(0);
        said.says("a journal of 3 records is the beginning of journal ").says("of 11 records");
    }
    project.write("grown", &text);
    let stranger = Project::empty().annals(["key", "new"]).code(0).out();
    let words = ["check-proof", "grown", "--key", stranger.trim()];
    project.annals(words).code(1).says("signed by none of the keys that were given");
    let words = ["check-proof", "signed", "--key", &key];
    project.annals(words).code(2).says("annals verify --checkpoint");
    for (first, why) in [
        ("900", "no commit ends after 900 of 14 records; one does after 14"),
        ("0", "no commit ends after 0 of 14 records; one does after "),
    ] {
        project.annals(["prove", "consistency", first]).code(2).says(why);
    }
}

#[test]
fn a_key_is_its_user_s_alone_and_is_rotated_with_a_note_of_both() {
    let project = Project::new();
    project.annals(["checkpoint"]).code(2).says("annals key new");
    project.annals(["key", "show"]).code(2).says("annals key new");
    let old = project.annals(["key", "new", "--name", "a+b"]).code(2).err();
    assert!(old.contains("no +"), "{old}");
    let old = project.annals(["key", "new", "--name", "me"]).code(0).out();
    project.annals(["key", "new"]).code(2).says("is there already");
    project.annals(["checkpoint", "--out", "first"]).code(0);
    let note = project.annals(["key", "rotate"]).code(0).out();
    assert!(
        note.starts_with("annals key rotation\nme+") && note.matches("\n— me ").count() == 2,
        "{note}"
    );
    let new = project.annals(["key", "show"]).code(0).out();
    assert!(new != old && note.contains(old.trim()) && note.contains(new.trim()), "{note}");
    // What the old one signed stays valid; both are one's own.
    project.annals(["verify", "--checkpoint", "first"]).code(0);
    let path = project.path(".config/annals/signing.key");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
    project.annals(["checkpoint"]).code(2).says("0600");
}
