//! Keys of every kind by the program alone, and what becomes of checkpoints: on their way off the machine, with
//! witnesses, signed later than the journal tells.

use std::fs;
use std::process::Command;

use data_encoding::BASE64;
use ed25519_dalek::{Signer, SigningKey};
use sha2::{Digest, Sha256};

use crate::project::{Project, Ran};
use crate::skipped::skipped;

fn project() -> Project {
    let project = Project::new();
    project.annals(["run", "--", "echo", "one"]).code(0);
    project
}

fn settings(project: &Project, lines: &str) {
    project.write(".config/annals/config.toml", &format!("[checkpoint]\n{lines}\n"));
}

fn verdict(project: &Project, file: &str, key: &str) -> serde_json::Value {
    let words = ["verify", "--json", "--checkpoint", file, "--key", key];
    project.annals(words).json()[0]["checkpoint"].clone()
}

fn has(program: &str) -> bool {
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
fn every_so_many_records_one_is_signed_and_given_to_the_sink_once() {
    let project = project();
    project.annals(["key", "new", "--name", "me"]).code(0);
    settings(&project, "every = 4\nsink = 'cat >>sent'");
    for _ in 0..4 {
        project.annals(["run", "--", "true"]).code(0);
    }
    let sent = fs::read_to_string(project.path("sent")).expect("sent");
    let count = sent.matches("annals/").count();
    assert!((2..=4).contains(&count), "{sent}");
    project.annals(["status"]).says(" signed, up to event @");
    // One that fails costs its time once, and says how to try again.
    settings(&project, "every = 1\nsink = 'sleep 30'\nsink_within_s = 1");
    let said = project.annals(["run", "--", "true"]).code(0).err();
    assert!(said.contains("took more than 1 s") && said.contains("--send"), "{said}");
    settings(&project, "sink = 'cat >>sent'");
    assert_eq!(project.annals(["run", "--", "true"]).code(0).err(), "");
    project.annals(["checkpoint", "--send"]).code(0);
    let now = fs::read_to_string(project.path("sent")).expect("sent");
    assert_eq!(now.matches("annals/").count(), count + 1);
    settings(&project, "sink = 'exit 3'");
    project.annals(["checkpoint", "--out", "signed"]).code(1).says("its sink failed");
    // A project's own settings name no sink.
    settings(&project, "");
    project.write(".annals/config.toml", "[checkpoint]\nsink = 'touch stolen'\n");
    project.annals(["checkpoint"]);
    assert!(!project.path("stolen").exists());
}

#[test]
fn a_hook_signs_and_never_runs_the_sink() {
    let project = project();
    project.annals(["key", "new", "--name", "me"]).code(0);
    settings(&project, "every = 1\nsink = 'touch ran'");
    for name in ["Stop", "SessionEnd"] {
        let input = serde_json::json!({
            "hook_event_name": name, "session_id": "one", "reason": "exit",
            "cwd": project.root(), "transcript_path": project.path("none.jsonl"),
        });
        let mut command = project.command();
        Ran::of(command.args(["hook", "claude-code"]).write_stdin(input.to_string())).code(0);
        assert!(project.path(".annals/tlog/checkpoint").exists(), "{name}");
    }
    assert!(!project.path("ran").exists());
    project.annals(["run", "--", "true"]).code(0);
    assert!(project.path("ran").exists());
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

fn shell(project: &Project, script: &str) {
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
    verify("signed", &witness.line()).code(6).says("witness missing: 0 signed it, and 1");
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
    project.annals(["checkpoint", "--cosigned", "cosigned"]).code(1);
    assert_eq!(kept(), witness.cosigned(&note));
    let forged = witness
        .cosigned(&note)
        .replace("\n— witness", "\n— witness.example/w2 AAAAAAAA\n— witness");
    project.write("forged", &forged);
    project.annals(["checkpoint", "--cosigned", "forged"]).code(1);
    assert!(!kept().contains("w2"));
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
    // The same text, signed by another key of one's own: the journal tells of the first alone.
    let note = fs::read_to_string(project.path("signed")).expect("read");
    let text = note.split_once("\n\n").expect("a note").0;
    let stranger = SigningKey::from_bytes(&[9; 32]);
    let material = [&[1], stranger.verifying_key().as_bytes().as_slice()].concat();
    let hash = Sha256::digest([b"me\n".as_slice(), &material].concat());
    let id: String = hash[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    let signature = stranger.sign(format!("{text}\n").as_bytes()).to_bytes();
    let line = BASE64.encode(&[&hash[..4], &signature].concat());
    project.write("again", &format!("{text}\n\n— me {line}\n"));
    let stolen = format!("me+{id}+{}", BASE64.encode(&material));
    let held = verdict(&project, "again", &stolen);
    assert_eq!(
        (&held["verdict"], &held["is_contained"]),
        (&"re-signed later".into(), &true.into())
    );
    project.annals(["verify", "--checkpoint", "again", "--key", &stolen]).code(6);
    // Changed to another kind, with a note of both.
    let note = project.annals(["key", "rotate"]).code(0).out();
    assert_eq!(note.matches("\n— me ").count(), 2, "{note}");
    project.annals(["verify", "--checkpoint", "signed"]).code(0);
}

/// An authority of RFC 3161 made by openssl, as a command: a request's file, and that of its answer.
const AUTHORITY: &str = r#"
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr -subj /CN=tsa 2>/dev/null
printf 'extendedKeyUsage=critical,timeStamping\n' >ext
openssl x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out tsa.pem 2>/dev/null
cat >tsa.cnf <<END
[tsa]
default_tsa = it
[it]
serial = $PWD/serial
signer_cert = $PWD/tsa.pem
signer_key = $PWD/tsa.key
certs = $PWD/ca.pem
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
END
echo 01 >serial
printf '#!/bin/sh\nexec openssl ts -reply -config %s/tsa.cnf -section it -queryfile "$1" -out "$2" 2>/dev/null\n' "$PWD" >tsa
chmod +x tsa
"#;

#[test]
fn a_time_stamp_and_a_tag_of_git_are_sinks() {
    if !has("openssl") || !has("git") {
        return;
    }
    let project = project();
    project.annals(["key", "new", "--name", "me"]).code(0);
    let sinks = format!("{}/clients/sinks", env!("CARGO_MANIFEST_DIR"));
    shell(&project, "mkdir kept; cd kept; git init -q --template= .");
    settings(&project, &format!("sink = 'CHECKPOINTS=kept {sinks}/git-tag.sh'"));
    project.annals(["checkpoint", "--out", "signed"]).code(0);
    shell(&project, "cd kept; test $(git tag | wc -l) = 1; git show $(git tag):$(git tag | cut -d/ -f1) | cmp - ../signed");
    shell(&project, AUTHORITY);
    let root = project.root().display();
    settings(&project, &format!("sink = 'CHECKPOINTS=kept TSA={root}/tsa {sinks}/timestamp.sh'"));
    project.annals(["checkpoint", "--out", "stamped"]).code(0);
    let verify = "for it in kept/*.tsr; do openssl ts -verify -data ${it%.tsr} -in $it -CAfile ca.pem -untrusted tsa.pem 2>/dev/null | grep -q OK; cmp ${it%.tsr} stamped; done";
    shell(&project, verify);
    // An authority that refuses is no success.
    shell(&project, "printf '#!/bin/sh\\nexit 1\\n' >tsa");
    project.annals(["checkpoint"]).code(1).says("its sink failed");
}
