//! Checkpoints that nobody asked for, and their way off the machine.

use std::fs;

use crate::project::Ran;
use crate::signing::{has, project, settings, shell};

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
    // Of settings that cannot be used only what may be meant for a sink is told.
    settings(&project, "evry = 1 # no sink");
    assert_eq!(project.annals(["run", "--", "true"]).code(0).err(), "");
    settings(&project, "evry = 1\nsink = 'cat >>sent'");
    let said = project.annals(["run", "--", "true"]).code(0).err();
    assert!(said.contains("the checkpoint did not leave the machine"), "{said}");
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
    shell(
        &project,
        "cd kept; test $(git tag | wc -l) = 1; git show $(git tag):$(git tag | cut -d/ -f1) | cmp - ../signed",
    );
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
