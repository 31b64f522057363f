//! Lines, and what they say.

use super::*;
use crate::agents::import::item::Part;
use crate::event::Outcome;

fn read(corrections: &Corrections, lines: &[&str]) -> Vec<Result<Option<Part>, Flaw>> {
    let corrections =
        Corrections { first: corrections.first.clone(), last: corrections.last.clone() };
    let mut events = Events { corrections, session: "f".to_owned() };
    let one = |line: &&str| {
        let mut out = Vec::new();
        events.line(1, line, &mut out).map(|()| out.pop().and_then(|mut it| it.parts.pop()))
    };
    lines.iter().map(one).collect()
}

fn line(kind: &str, body: &str) -> String {
    format!(r#"{{"kind":"{kind}","at":"2026-02-03T10:00:00.000Z","session":null,"body":{body}}}"#)
}

#[test]
fn a_call_ends_as_its_last_correction_says() {
    let mut corrections = Corrections::default();
    for (execution, first) in [("b", "a"), ("c", "a")] {
        corrections.first.insert(execution.to_owned(), first.to_owned());
        corrections.last.insert(first.to_owned(), execution.to_owned());
    }
    let cut = line("ExecutionInterrupted", r#"{"execution":"a","reason":"gone"}"#);
    let told = |execution: &str, outcome: &str| {
        let body = format!(
            r#"{{"execution":"{execution}","corrects":"a","outcome":"{outcome}","reason":"late","stdout":{{"encoding":"base64","data":"/wA="}}}}"#
        );
        line("ExecutionCorrected", &body)
    };
    let (first, last) = (told("b", "failed"), told("c", "ok"));
    let read = read(&corrections, &[&cut, &first, &last]);
    assert_eq!(read[..2], [Ok(None), Ok(None)]);
    let Ok(Some(Part::Result(result))) = &read[2] else { panic!("{read:?}") };
    assert_eq!((result.id.as_str(), result.outcome, &result.error), ("a", Outcome::Ok, &None));
    assert_eq!(result.stdout.as_deref(), Some(&[0xFF, 0][..]));
}

#[test]
fn a_line_that_is_no_event_is_told_and_one_of_another_kind_is_not() {
    let ended = line("ExecutionFinished", r#"{"execution":"a","outcome":"perhaps"}"#);
    let other = line("StepBegun", r#"{"title":5,"text":"x","summary":"y"}"#);
    let redacted = r#"{"sequence":4,"kind":"PromptSubmitted","what":"redacted","problem":"gone"}"#;
    let read = read(&Corrections::default(), &[&ended, &other, redacted, "{", "", "5"]);
    assert_eq!(read[0], Err(Flaw::NotARecord));
    assert_eq!(read[1], Ok(None));
    assert_eq!(read[2], Err(Flaw::NotARecord));
    assert_eq!(read[3], Err(Flaw::Torn));
    assert_eq!(read[4], Ok(None));
    assert_eq!(read[5], Err(Flaw::NotARecord));
}

#[test]
fn what_no_source_told_a_time_of_stays_so_and_a_time_that_is_none_is_told() {
    let mut events = Events { corrections: Corrections::default(), session: "f".to_owned() };
    let mut head = |times: &str| {
        let mut out = Vec::new();
        let body = r#"{"agent":"x","native_id":"s"}"#;
        let line = format!(r#"{{"kind":"SessionStarted",{times},"session":"s","body":{body}}}"#);
        events.line(1, &line, &mut out).unwrap();
        out.remove(0).head
    };
    let timed = r#""at":"2026-02-03T10:00:00Z","raw_at":null"#;
    let untimed = r#""at":"2026-02-03T10:00:00Z","raw_at":"1970-01-01T00:00:00Z""#;
    assert_eq!((head(timed).is_untimed, head(untimed).is_untimed), (false, true));
    let odd = head(r#""at":"yesterday""#);
    assert_eq!((odd.at_ms, odd.odd_time.as_deref()), (None, Some("yesterday")));
}
