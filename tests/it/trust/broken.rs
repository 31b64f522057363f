//! Settings that cannot be used switch nothing off: each is left out by itself and told in one line; who
//! reads answers, who records records, a gate that is enforced stays closed, and only what would act by the
//! user's own settings waits until they are corrected.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::project::{Project, Ran};

const KINDS: [&str; 9] = [
    "no TOML",
    "an unknown key",
    "a pattern that matches nothing",
    "a pattern that is none",
    "no UTF-8",
    "100 MB",
    "a FIFO",
    "a link",
    "a folder",
];

/// A project of the user's own, or of somebody else who gave it away.
struct Scene {
    project: Project,
    root: PathBuf,
}

impl Scene {
    fn new(is_own: bool) -> Self {
        let project = Project::empty();
        let (theirs, root) = (project.path("stranger"), project.path("p"));
        fs::create_dir_all(theirs.join("p")).expect("made");
        let scene = Self { project, root };
        let mut init = scene.project.command();
        if !is_own {
            init.env("HOME", &theirs);
        }
        Ran::of(init.current_dir(theirs.join("p")).arg("init")).code(0);
        fs::rename(theirs.join("p"), &scene.root).expect("moved");
        scene.annals("run -- true").code(0);
        scene
    }

    fn config(&self) -> PathBuf {
        self.root.join(".annals/config.toml")
    }

    fn plant(&self, kind: &str) {
        let config = self.config();
        drop(fs::remove_file(&config));
        drop(fs::remove_dir(&config));
        let text: &[u8] = match kind {
            "no TOML" => b"machine = 'x'\n[journal\nx\n",
            "an unknown key" => b"[journal]\ndurabilty = 'strict'\n",
            "a pattern that matches nothing" => b"[[redact.patterns]]\nname = 'n'\nregex = 'x*'\n",
            "a pattern that is none" => b"[[redact.patterns]]\nname = 'n'\nregex = '('\n",
            "no UTF-8" => b"# caf\xe9\n",
            _ => b"",
        };
        match kind {
            "100 MB" => {
                let file = fs::File::create(&config).expect("a file");
                file.set_len(100 << 20).expect("a hole");
            }
            "a FIFO" => {
                use rustix::fs::{CWD, FileType, Mode, mknodat};
                mknodat(CWD, &config, FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
            }
            "a link" => symlink("/etc/hostname", &config).expect("a link"),
            "a folder" => fs::create_dir(&config).expect("a folder"),
            _ => fs::write(&config, text).expect("written"),
        }
    }

    fn annals(&self, words: &str) -> Ran {
        let mut command = self.project.command();
        command.current_dir(&self.root).args(words.split(' '));
        Ran::of(
            command.write_stdin(r#"{"tool":"file_read","arguments":{"path":"a"},"exit_code":0}"#),
        )
    }

    fn hook(&self, session: usize, event: &str, more: &str) -> Ran {
        let told = format!(
            r#"{{"session_id":"11111111-1111-4111-8111-{session:012}","transcript_path":"/nonexistent","cwd":{:?},"hook_event_name":"{event}",{more}}}"#,
            self.root.display().to_string()
        );
        let mut command = self.project.command();
        command.current_dir(&self.root).args(["hook", "claude-code", "--enforce"]);
        Ran::of(command.write_stdin(told))
    }

    fn recorded(&self) -> usize {
        self.annals("export jsonl events").code(0).out().lines().count()
    }
}

fn lines(ran: &Ran) -> usize {
    ran.err().lines().filter(|line| line.contains("left out of the settings: ")).count()
}

#[test]
fn whoever_reads_answers_whoever_records_records_and_what_acts_waits() {
    for is_own in [true, false] {
        let scene = Scene::new(is_own);
        for (number, kind) in KINDS.into_iter().enumerate() {
            scene.plant(kind);
            let what = format!("{kind}, own: {is_own}");
            for words in [
                "log",
                "sessions",
                "show last",
                "failures",
                "timeline",
                "verify",
                "status",
                "repo show",
                "repair --dry-run",
                "sql SELECT",
                "context",
            ] {
                let words = words.replace("sql SELECT", "sql SELECT(1)");
                let ran = scene.annals(&words);
                let code = ran.output.status.code();
                assert!(code == Some(0) || code == Some(1), "{what}, {words}: {}", ran.err());
                assert_eq!(lines(&ran), 1, "{what}, {words}: {}", ran.err());
                ran.says("config.toml").says("Next: annals trust --show");
            }
            scene.annals("trust --withdraw").code(0);
            scene.annals("trust --show").code(1).says("left out: ").says("config.toml");
            scene.annals("trust --yes").code(2).says("correct the file first");
            for words in ["run -- true", "record", "session start", "repo note add x"] {
                let before = scene.recorded();
                let ran = scene.annals(words).code(0);
                assert_eq!(lines(&ran), 1, "{what}, {words}: {}", ran.err());
                assert!(scene.recorded() > before, "{what}, {words}");
            }
            let before = scene.recorded();
            let edit = r#""tool_name":"Edit","tool_input":{"file_path":"a","old_string":"x","new_string":"y"},"tool_use_id":"t""#;
            let ran = scene.hook(number, "PreToolUse", edit).code(0);
            assert_eq!(ran.json()["hookSpecificOutput"]["permissionDecision"], "deny", "{what}");
            let told = ran.json()["systemMessage"].as_str().unwrap_or_default().to_owned();
            assert!(
                told.contains("config.toml") && told.contains("trust --show"),
                "{what}: {told}"
            );
            assert!(scene.recorded() > before, "{what}");

            let acting = [
                "debug open a",
                "debug run a -- false",
                "debug expire",
                "phases run n --model cat",
            ];
            for words in acting {
                let before = scene.recorded();
                let ran = scene.annals(words);
                let code = ran.output.status.code();
                match (is_own, words.starts_with("phases")) {
                    (true, _) => {
                        let ran = ran.code(2).says("config.toml").says("annals trust --show");
                        assert_eq!(scene.recorded(), before, "{what}: {}", ran.what);
                    }
                    // What came with a clone gives no model orders, whatever its settings are.
                    (false, true) => drop(ran.code(2).says("begun elsewhere")),
                    (false, false) => assert_ne!(code, Some(2), "{what}, {words}: {}", ran.err()),
                }
            }
        }
    }
}

#[test]
fn what_can_be_used_of_broken_settings_counts_and_redaction_only_adds() {
    for is_own in [true, false] {
        let scene = Scene::new(is_own);
        let text = "wrong = 1\n[[redact.patterns]]\nname = 'bad'\nregex = 'x*'\n\
                    [[redact.patterns]]\nname = 'staff'\nregex = 'staff [0-9]+'\n\
                    [[redact.patterns]]\nname = 'none'\n";
        fs::write(scene.config(), text).expect("written");
        let ran = scene.annals("run -- echo staff 4711").code(0);
        assert!(ran.err().contains("and 2 more"), "{}", ran.err());
        let told = scene.annals("export jsonl events").code(0).out();
        assert!(told.contains("[REDACTED:staff]") && !told.contains("staff 4711"), "{told}");
    }
}

#[test]
fn no_pattern_touches_a_name_by_which_something_is_found_again() {
    for is_own in [true, false] {
        let scene = Scene::new(is_own);
        let before = scene.annals("sql SELECT(count(*))FROM(executions) --json").code(0).out();
        let pattern = "[[redact.patterns]]\nname = 'all'\nregex = '(?s).+'\n";
        fs::write(scene.config(), pattern).expect("written");
        let line = r#"{"execution":"0192f0c1-2345-7abc-8def-0123456789ab","tool":"file_read","arguments":{"path":"a","b":1},"exit_code":0,"session":"s1","call":"c1","paths":["a"]}"#;
        let mut record = scene.project.command();
        record.current_dir(&scene.root).arg("record").write_stdin(line);
        Ran::of(&mut record).code(0);
        scene.annals("run -- true").code(0);
        let bash = r#""tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"t1""#;
        let response = r#","tool_response":{"stdout":"out","stderr":"","interrupted":false}"#;
        for (event, more) in [("PreToolUse", ""), ("PostToolUse", response)] {
            let ran = scene.hook(0, event, &format!("{bash}{more}")).code(0);
            assert!(!ran.out().contains("not on record"), "{}", ran.out());
        }
        let tools = scene.annals("sql SELECT(tool_name)FROM(executions) --json").code(0).out();
        assert_eq!(tools.matches("bash_exec").count(), 3, "{before}{tools}");
        assert_eq!(tools.matches("file_read").count(), 1, "{tools}");
        scene.annals("show 0192f0c1-2345-7abc-8def-0123456789ab").code(0).says("file_read");
        scene.annals("verify").code(0);
        scene.annals("rebuild --check").code(0);
    }
}

#[test]
fn settings_that_lay_there_before_init_are_nobody_s_until_they_are_allowed() {
    let project = Project::empty();
    let settings = "gate = \"observe\"\n[repo]\nsummary_model = \"touch ran\"\n[policy]\n\
                    checks = [\"./always-fine\"]\n";
    project.write(".annals/config.toml", settings);
    project
        .annals(["init"])
        .code(0)
        .says("lay here before")
        .says("Next: annals")
        .says("annals trust --show");
    let change = ["tool", "file_write", "--path", "a", "--content", "x"];
    let held = || {
        let ran = project.annals(["run", "--", "true"]).code(0).err();
        assert!(
            ran.contains("ignored until you allow it: repo.summary_model, gate, policy"),
            "{ran}"
        );
        project.annals(["trust", "--show"]).code(1).says("gate steers the gate by: observe");
    };
    project.annals(change).code(1);
    held();
    project.annals(["init"]).code(0);
    held();
    project.annals(["trust", "--yes"]).code(0);
    project.annals(change).code(0);
    project.annals(["trust", "--withdraw"]).code(0);
    held();
    // Where that cannot be remembered nothing is begun.
    let lost = Project::empty();
    lost.write(".annals/config.toml", settings);
    lost.write("state", "a file in its place");
    let init = |project: &Project| {
        let mut command = project.command();
        Ran::of(command.env("XDG_STATE_HOME", project.path("state")).arg("init"))
    };
    for _ in 0..2 {
        let ran = init(&lost);
        assert_ne!(ran.output.status.code(), Some(0), "{}", ran.out());
    }
    fs::remove_file(lost.path("state")).expect("removed");
    init(&lost).code(0).says("lay here before");
    // What init itself wrote is the user's own.
    let own = Project::empty();
    own.annals(["init"]).code(0);
    fs::remove_dir_all(own.path(".annals/journal")).expect("as if it had died before");
    let again = own.annals(["init"]).code(0);
    assert!(!again.err().contains("lay here before"), "{}", again.err());
    own.write(".annals/config.toml", "gate = \"observe\"\n");
    own.annals(change).code(0);
}

#[test]
fn init_beside_settings_that_cannot_be_read_makes_a_project_all_the_same() {
    let project = Project::empty();
    fs::create_dir_all(project.path(".annals")).expect("made");
    symlink(Path::new("/etc/hostname"), project.path(".annals/config.toml")).expect("a link");
    project.annals(["init"]).code(0).says("left out of the settings").says("symbolic link");
    project.annals(["run", "--", "true"]).code(0);
    project.annals(["log"]).code(0).says("true");
}
