//! Models that answer, hang, flood, and fail.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{CommandModel, Model, Question, ScriptModel};
use crate::parse::reply::limits::REPLY_BYTES_MAX;

fn asked(model: &mut dyn Model, label: &str, round: u64, prompt: &str) -> Result<String, String> {
    let stop = AtomicBool::new(false);
    let question = Question { prompt, run: "r", node: "n", label, round, stop: &stop };
    model.ask(&question).map_err(|failure| failure.to_string())
}

fn command(line: &str, within: Duration) -> CommandModel {
    CommandModel::new(line, std::env::temp_dir(), within)
}

#[test]
fn a_command_is_asked_and_answers_within_its_bounds() {
    let long = "p".repeat(1 << 20);
    let minute = Duration::from_secs(60);
    let cases = [
        // the command, the prompt, what it answers or why it does not
        ("cat", "prompt", Ok("prompt".to_owned())),
        ("cat", long.as_str(), Ok(long.clone())),
        (
            "printf '%s %s %s %s' $ANNALS_RUN $ANNALS_NODE $ANNALS_LABEL $ANNALS_ROUND",
            "",
            Ok("r n l 3".to_owned()),
        ),
        // It need not read what it is given.
        ("echo answer", long.as_str(), Ok("answer\n".to_owned())),
        ("exec 0<&-; sleep 0.2; echo answer", long.as_str(), Ok("answer\n".to_owned())),
        ("printf 'a\\377b'", "", Ok("a\u{fffd}b".to_owned())),
        ("true", "", Err("it printed nothing")),
        ("echo '  '; echo why >&2", "", Err("it printed nothing; it said: why")),
        ("echo half; echo why >&2; exit 3", "", Err("exit status: 3; it said: why")),
        ("kill -9 $$", "", Err("signal: 9")),
        ("no-such-program-at-all", "", Err("exit status: 127")),
        ("head -c 1073741824 /dev/zero", "", Err("it printed 1073741824 bytes")),
    ];
    for (line, prompt, want) in cases {
        let answered = asked(&mut command(line, minute), "l", 3, prompt);
        match want {
            Ok(want) => assert_eq!(answered.as_deref(), Ok(want.as_str()), "{line}"),
            Err(why) => {
                let error = answered.expect_err(line);
                assert!(error.starts_with("the model gave no answer: "), "{error}");
                assert!(error.contains(why), "{line}: {error}");
            }
        }
    }
    assert_eq!(REPLY_BYTES_MAX, crate::journal::capture::WHOLE_BYTES_MAX, "what is kept is read");
}

#[test]
fn a_model_that_hangs_is_ended_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let alive = folder.path().join("alive");
    // Its child goes on writing as long as it lives, and asks not to be ended.
    let line = format!(
        "(trap '' TERM; while :; do date +%s%N > {}; sleep 0.05; done) & wait",
        alive.display()
    );
    let began = Instant::now();
    let error = asked(&mut command(&line, Duration::from_millis(300)), "l", 0, "p").unwrap_err();
    assert!(error.contains("was ended"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20));
    std::thread::sleep(Duration::from_millis(300));
    let before = std::fs::read_to_string(&alive).unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(std::fs::read_to_string(&alive).unwrap(), before, "its child lives");
}

#[test]
fn a_script_says_its_replies_in_order() {
    let text = "\"one\"\n\n{\"reply\":\"two\",\"label\":\"l\",\"round\":1}\n{\"reply\":{\"done\":true}}\n{\"reply\":\"\",\"failure\":\"late\"}\n{\"reply\":\"x\",\"label\":\"other\"}\n";
    let mut script = ScriptModel::parse(text).unwrap();
    assert_eq!(asked(&mut script, "a", 0, "").as_deref(), Ok("one"));
    assert_eq!(asked(&mut script, "l", 1, "").as_deref(), Ok("two"));
    assert_eq!(asked(&mut script, "l", 1, "").as_deref(), Ok("{\"done\":true}"));
    assert!(asked(&mut script, "l", 1, "").unwrap_err().ends_with("late"));
    let error = asked(&mut script, "l", 1, "").unwrap_err();
    assert!(error.contains("answers other in round 1, and l is asked in round 1"), "{error}");
    assert!(asked(&mut script, "l", 1, "").unwrap_err().ends_with("has no reply 6"));
    for (text, line) in [("{", 1), ("\"a\"\n5", 2), ("{\"answer\":1}", 1), ("{\"reply\":5}", 1)] {
        assert_eq!(ScriptModel::parse(text).unwrap_err().line, line, "{text}");
    }
}
