//! Keys of every kind by the program alone, and what becomes of what they signed: with witnesses, later than the journal
//! tells.

use std::fs;
use std::path::Path;
use std::process::Command;

use data_encoding::BASE64;
use ed25519_dalek::{Signer, SigningKey};
use sha2::{Digest, Sha256};

use crate::project::{Project, Ran};
use crate::skipped::skipped;

pub fn project() -> Project {
    let project = Project::new();
    project.annals(["run", "--", "echo", "one"]).code(0);
    project
}

pub fn settings(project: &Project, lines: &str) {
    project.write(".config/annals/config.toml", &format!("[checkpoint]\n{lines}\n"));
}

fn verdict(project: &Project, file: &str, key: &str) -> serde_json::Value {
    let words = ["verify", "--json", "--checkpoint", file, "--key", key];
    project.annals(words).json()[0]["checkpoint"].clone()
}

pub fn has(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let found = found.is_ok_and(|it| it.status.success());
    if !found {
        skipped(&format!("no {program} here"));
    }
    found
}

#[test]
fn a_key_behind_a_passphrase_signs_when_it_is_said_and_never_by_itself() {
    let project = project();
    project.write("pass", "correct horse\n");
    project.write("wrong", "battery\n");
    settings(&project, "every = 2");
    let new = ["key", "new", "--passphrase", "--passphrase-file", "pass", "--name", "me"];
    let line = project.annals(new).code(0).out();
    let kept = fs::read_to_string(project.path(".config/annals/signing.key")).expect("read");
    assert!(kept.contains("\nlocked argon2id ") && !kept.contains("seed"), "{kept}");
    project.annals(["checkpoint"]).code(2).says("--passphrase-file");
    project.annals(["checkpoint", "--passphrase-file", "wrong"]).code(2).says("passphrase");
    let sign = ["checkpoint", "--passphrase-file", "pass", "--out", "signed"];
    project.annals(sign).code(0);
    assert_eq!(verdict(&project, "signed", line.trim())["verdict"], "contains");
    let said = project.annals(["run", "--", "true"]).code(0).err();
    assert!(
        said.contains("no checkpoint was signed by itself, the key has a passphrase"),
        "{said}"
    );
    project.annals(["status"]).says("not by itself, the key has a passphrase");
    project.annals(["seal"]).code(0).says("not signed, the key has a passphrase");
}

#[test]
fn ssh_s_keys_sign_by_their_file_and_by_an_agent() {
    if !has("ssh-keygen") || !has("ssh-agent") {
        return;
    }
    let project = project();
    let script = "ssh-keygen -q -t ed25519 -N '' -C me@ssh -f id; ssh-keygen -q -t rsa -b 2048 -N '' -f other";
    shell(&project, script);
    project.annals(["key", "new", "--ssh", "other.pub"]).code(2).says("ssh-ed25519");
    let line = project.annals(["key", "new", "--ssh", "id.pub", "--name", "me"]).code(0).out();
    project.annals(["checkpoint", "--out", "signed"]).code(0);
    let public = fs::read_to_string(project.path("id.pub")).expect("read");
    // The line that annals shows, and the one that ssh has.
    for key in [line.trim(), public.trim()] {
        assert_eq!(verdict(&project, "signed", key)["verdict"], "contains", "{key}");
    }
    // What ssh itself says of it.
    let note = fs::read_to_string(project.path("signed")).expect("read");
    let (text, signature) = note.split_once("\n\n— me ").expect("a note");
    let blob = BASE64.decode(signature.trim().as_bytes()).expect("base64");
    let armour = format!(
        "-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n",
        BASE64.encode(&blob[4..])
    );
    project.write("text", &format!("{text}\n"));
    project.write("sig", &armour);
    shell(
        &project,
        "echo \"me $(cat id.pub)\" >allowed; ssh-keygen -q -Y verify -f allowed -I me -n annals -s sig <text",
    );
    // The private half is the agent's alone.
    let agent = "eval $(ssh-agent -s) >/dev/null; trap 'kill $SSH_AGENT_PID' EXIT; ssh-add -q id; rm id; \"$ANNALS\" checkpoint --out by-agent";
    shell(&project, agent);
    assert_eq!(verdict(&project, "by-agent", line.trim())["verdict"], "contains");
    project.annals(["checkpoint"]).code(2).says("ssh-keygen did not sign");
    project.annals(["status"]).says("not by itself, ssh has the key");
}

pub fn shell(project: &Project, script: &str) {
    let mut command = Command::new("sh");
    command.args(["-ec", script]).current_dir(project.root()).env("HOME", project.root());
    command.env("ANNALS", env!("CARGO_BIN_EXE_annals")).env_remove("SSH_AUTH_SOCK");
    let ran = command.output().expect("a shell");
    assert!(ran.status.success(), "{script}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// A witness of C2SP's tlog-cosignature: its public line, and its line under a note.
struct Witness(SigningKey);

impl Witness {
    const NAME: &str = "witness.example/w1";

    fn material(&self) -> Vec<u8> {
        [&[4], self.0.verifying_key().as_bytes().as_slice()].concat()
    }

    fn id(&self) -> [u8; 4] {
        let hash = Sha256::digest([Self::NAME.as_bytes(), b"\n", &self.material()].concat());
        [hash[0], hash[1], hash[2], hash[3]]
    }

    fn line(&self) -> String {
        let id: String = self.id().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}+{id}+{}", Self::NAME, BASE64.encode(&self.material()))
    }

    fn cosigned(&self, note: &str) -> String {
        let text = note.split_once("\n\n").expect("a note").0;
        let signed = format!("cosignature/v1\ntime 1900000000\n{text}\n");
        let signature = self.0.sign(signed.as_bytes()).to_bytes();
        let bytes = [&self.id(), 1_900_000_000_u64.to_be_bytes().as_slice(), &signature].concat();
        format!("{note}— {} {}\n", Self::NAME, BASE64.encode(&bytes))
    }
}

#[test]
fn a_witness_is_asked_for_and_its_cosignature_kept() {
    let project = project();
    let key = project.annals(["key", "new", "--name", "me"]).code(0).out();
    let (witness, other) =
        (Witness(SigningKey::from_bytes(&[5; 32])), Witness(SigningKey::from_bytes(&[6; 32])));
    project.annals(["checkpoint", "--out", "signed"]).code(0);
    let note = fs::read_to_string(project.path("signed")).expect("read");
    let verify = |file: &str, line: &str| {
        let words = ["verify", "--checkpoint", file, "--key", key.trim(), "--witness", line];
        project.annals(words)
    };
    let missing = verify("signed", &witness.line()).code(6);
    missing
        .says("witness missing: 0 signed it, and 1 are asked for; not witness.example/w1")
        .says("annals checkpoint --cosigned");
    project.write("cosigned", &witness.cosigned(&note));
    verify("cosigned", &witness.line()).code(0).says("witnessed by witness.example/w1");
    verify("cosigned", &other.line()).code(6).says("witness missing");
    let both = format!("witnesses = [\"{}\", \"{}\"]", witness.line(), other.line());
    settings(&project, &both);
    project.annals(["verify", "--checkpoint", "cosigned"]).code(6).says("1 signed it, and 2");
    project.annals(["verify", "--checkpoint", "cosigned", "--quorum", "1"]).code(0);
    settings(&project, &format!("{both}\nwitnesses_min = 1"));
    project.annals(["verify", "--checkpoint", "cosigned"]).code(0);
    // A witness does not vouch for a journal by itself.
    let alone = ["verify", "--checkpoint", "cosigned", "--key", &witness.line()];
    project.annals(alone).code(6).says("wrong key");
    // Kept, where it is one; a sink may bring it back.
    let kept = || fs::read_to_string(project.path(".annals/tlog/checkpoint")).expect("kept");
    project.annals(["checkpoint", "--cosigned", "cosigned"]).code(0).says("1 new signature");
    let again = project.annals(["checkpoint", "--cosigned", "cosigned"]).code(1);
    again.says("all of them were kept before");
    assert_eq!(kept(), witness.cosigned(&note));
    let forged = witness
        .cosigned(&note)
        .replace("\n— witness", "\n— witness.example/w2 AAAAAAAA\n— witness");
    project.write("forged", &forged);
    let forged = project.annals(["checkpoint", "--cosigned", "forged"]).code(1);
    forged.says("not kept, of witness.example/w2: no witness of that key");
    assert!(!kept().contains("witness.example/w2"));
}

#[test]
fn a_key_of_epochs_dates_what_it_signs_and_a_signing_that_the_journal_does_not_tell_is_later() {
    let project = project();
    let new = ["key", "new", "--name", "me", "--epochs", "1"];
    let key = project.annals(new).code(0).out();
    project.annals(["checkpoint", "--out", "signed"]).code(0);
    let held = verdict(&project, "signed", key.trim());
    assert_eq!(held["verdict"], "contains", "{held}");
    assert!(held["signed_at"].as_str().is_some_and(|it| it.contains('T')), "{held}");
    project.annals(["run", "--", "true"]).code(0);
    // The same text, signed by another key: the journal tells of the first alone, also where one believes both.
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks/resigned.py");
    let mut attack = assert_cmd::Command::new("python3");
    attack.current_dir(project.root()).arg(script).args([
        "signed",
        ".config/annals/signing.key",
        "other",
    ]);
    let other = Ran::of(&mut attack).code(0).out();
    project.annals(["verify", "--checkpoint", "signed.again"]).code(6).says("wrong key");
    let held = verdict(&project, "signed.again", other.trim());
    assert_eq!(
        (&held["verdict"], &held["is_contained"]),
        (&"unknown signing".into(), &true.into())
    );
    let words = ["verify", "--checkpoint", "signed.again", "--key", other.trim()];
    project.annals(words).code(6).says("the journal does not know of this signing");
    project.annals(words).code(6).says("Next: ask who signed it, and when");
}

/// The file of the key, and whether the list of its epochs is beside it.
fn kept(project: &Project) -> (String, bool) {
    let kept = fs::read_to_string(project.path(".config/annals/signing.key")).expect("read");
    let line = kept.lines().nth(2).expect("a third line").to_owned();
    let words: Vec<_> = line.split(' ').collect();
    let kind = if words[0] == "epochs" { format!("epochs {}", words[2]) } else { words[0].into() };
    (kind, project.path(".config/annals/signing.epochs").exists())
}

#[test]
fn a_key_is_rotated_to_one_of_its_kind_unless_another_is_named() {
    let project = Project::new();
    project.write("pass", "correct horse\n");
    let rotate = |words: &[&str]| project.annals([&["key", "rotate"], words].concat());
    let pass = ["--passphrase-file", "pass"];
    project.annals(["key", "new", "--name", "me", "--passphrase", pass[0], pass[1]]).code(0);
    let note = rotate(&pass).code(0).out();
    assert_eq!(note.matches("\n— me ").count(), 2, "{note}");
    assert_eq!(kept(&project), ("locked".into(), false));
    let sign = ["checkpoint", pass[0], pass[1], "--out", "signed"];
    project.annals(sign).code(0);
    rotate(&[&["--epochs", "3"], &pass[..]].concat()).code(0);
    assert_eq!(kept(&project), ("epochs 259200".into(), true));
    rotate(&[]).code(0);
    assert_eq!(kept(&project), ("epochs 259200".into(), true));
    rotate(&["--open"]).code(0);
    assert_eq!(kept(&project), ("seed".into(), false));
    rotate(&[]).code(0);
    assert_eq!(kept(&project), ("seed".into(), false));
    // What each of them signed stays valid.
    project.annals(["verify", "--checkpoint", "signed"]).code(0);
}

#[test]
fn a_witness_that_is_named_twice_is_one() {
    let project = project();
    let key = project.annals(["key", "new", "--name", "me"]).code(0).out();
    project.annals(["checkpoint", "--out", "signed"]).code(0);
    let witness = Witness(SigningKey::from_bytes(&[5; 32]));
    let note = fs::read_to_string(project.path("signed")).expect("read");
    project.write("cosigned", &witness.cosigned(&note));
    let line = witness.line();
    let words = ["verify", "--checkpoint", "cosigned", "--key", key.trim(), "--quorum", "2"];
    let twice = ["--witness", &line, "--witness", &line];
    project.annals([&words[..], &twice].concat()).code(2).says("one that is named twice is one");
    settings(&project, &format!("witnesses = [\"{line}\", \"{line}\"]"));
    project.annals(words).code(2).says("one that is named twice is one");
    project.annals(&words[..5]).code(0).says("witnessed by witness.example/w1:");
    // What is written otherwise than it is called is told where one looks how things stand.
    settings(&project, "evry = 3");
    project.annals(["status"]).code(1).says("settings       ").says("evry");
}

#[test]
fn a_checkpoint_of_what_was_redacted_since_says_what_is_as_it_was() {
    let project = project();
    project.annals(["key", "new", "--name", "me"]).code(0);
    project.annals(["bundle", "b.tar"]).code(0);
    project.annals(["checkpoint", "--out", "signed"]).code(0).says("5 records");
    project.annals(["run", "--", "echo", "two"]).code(0);
    // What tells of the signing stays.
    for words in [&["--yes"][..], &["--dry-run"]] {
        let words = [&["redact", "@6", "--reason", "r"], words].concat();
        project.annals(words).code(2).says("tells of the journal itself");
    }
    let words = ["redact", "@3", "@4", "--reason", "r", "--yes", "--bundle", "b.tar"];
    project.annals(words).code(0);
    let verify = |path: &str| project.annals(["verify", path, "--checkpoint", "signed"]).code(0);
    for path in [".", "b.tar"] {
        verify(path).says("of its 5 records 3 are as they were, 2 redacted, ");
        verify(path).says("what is there holds: checksums, and ");
    }
    project.annals(["report", "-o", "page.html"]).code(0);
    let page = fs::read_to_string(project.path("page.html")).expect("written");
    assert!(page.contains("What is there holds") && !page.contains("Everything holds"));
}
