//! What a turn is called.

use crate::event::{Body, StepBegun};
use crate::grounding::fold::step_ended;
use crate::grounding::gate::tests::made::Made;
use crate::repo::step_summary::conclusion::conclusion;
use crate::repo::step_summary::{Facts, title};

#[test]
fn a_turn_is_called_by_the_first_line_that_says_something() {
    for (prompt, expect) in [
        ("mend the parser\nand its tests", Some("mend the parser")),
        ("\n\n  # Mend the parser\n", Some("Mend the parser")),
        ("Implement the following plan:\n\n## Plan: mend it ##\n\nfirst", Some("Plan: mend it ##")),
        ("---\n***\nmend it", Some("mend it")),
        ("<command-message>pr</command-message>\n<command-name>/pr</command-name>", Some("/pr")),
        (
            "<command-message>pr</command-message>\n<command-name>/pr</command-name>\n\
             <command-args>12\nand more</command-args>",
            Some("/pr 12"),
        ),
        ("<command-name>/exit</command-name>\n<command-args></command-args>", Some("/exit")),
        ("<local-command-stdout>Bye!</local-command-stdout>", None),
        ("<local-command-caveat>of\nours</local-command-caveat>\nmend it", Some("mend it")),
        ("<ide_opened_file>The user opened a.rs</ide_opened_file>\nwhy?", Some("why?")),
        ("<ide_opened_file>The user opened a.rs</ide_opened_file>", None),
        ("<system-reminder>\nlong\n\nand longer\n</system-reminder> go on", Some("go on")),
        ("Yes, please!\n\nand mend the lexer", Some("and mend the lexer")),
        ("1", Some("1")),
        ("go on\n1.\n", Some("go on")),
        ("<div> is not closed", Some("<div> is not closed")),
        ("<half-open> mend it", Some("<half-open> mend it")),
        ("/pr 12", Some("/pr 12")),
        ("+ // Get or make it\n+ fn get() {}\nwhat does it do?", Some("what does it do?")),
        ("```\nlet a = 1;\n```\nwhy is it unused?", Some("why is it unused?")),
        ("diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new\nmend it", Some("mend it")),
        ("+ // Get or make it", Some("+ // Get or make it")),
        ("- mend it\n- and test it", Some("- mend it")),
        ("### \n", None),
        ("", None),
        (&"x".repeat(200), None),
    ] {
        assert_eq!(title(prompt).as_deref(), expect, "{prompt:?}");
    }
    let long = title(&"two words ".repeat(30)).unwrap();
    assert!(long.ends_with("two words") || long.ends_with("two"), "{long}");
    assert!(long.chars().count() <= 100);
}

#[test]
fn a_title_that_only_answers_says_what_the_turn_before_was_about() {
    let begun = |title: &str| Body::StepBegun(StepBegun { title: Some(title.to_owned()) });
    let made = Made::new().at(90, begun("mend the parser")).at(80, begun("yes please"));
    let title = |made: &Made| Facts::of(&made.grounding, None, None).title;
    assert_eq!(title(&made).as_deref(), Some("yes please (after: mend the parser)"));
    let made = made.at(70, begun("1"));
    assert_eq!(title(&made).as_deref(), Some("1 (after: mend the parser)"));
    let made = made.at(60, begun("now the lexer"));
    assert_eq!(title(&made).as_deref(), Some("now the lexer"));
    assert_eq!(title(&Made::new().at(50, begun("ok"))).as_deref(), Some("ok"));
}

#[test]
fn a_turn_is_concluded_by_what_says_something() {
    for (answer, expect) in [
        ("Done.", "Done."),
        ("Perfect! Done.\n\nRemoved both tests.", "Removed both tests."),
        ("Done! All tests pass.", "All tests pass."),
        ("No duplication. Both stay.", "No duplication. Both stay."),
        (
            "Great question! Looking at it, here is how:\n\n## Summary\n\n```rust\nlet a = 1;\n```\n\
             1. **`a.rs`** has it\n- `b.rs` too.\n| a | b |\n",
            "`a.rs` has it; `b.rs` too.",
        ),
        ("Now I understand the issue. The lock is held twice.", "The lock is held twice."),
        (
            "## The second lock is never given back\n\nSee a.rs.",
            "The second lock is never given back; See a.rs.",
        ),
        ("Now I see:\n```\nx\n```", ""),
        ("Let me also update the docs at the bottom:", ""),
        (
            "<thinking>It may be the lock.</thinking>\nThe lock is held twice.",
            "The lock is held twice.",
        ),
        ("<thinking>It may be", ""),
        ("Let me see.\n\nNow I look at the lock.\n\nLet me go on:", "Now I look at the lock."),
        ("", ""),
    ] {
        assert_eq!(conclusion(answer, 280), expect, "{answer:?}");
    }
    let long = conclusion(&format!("Done. {}", "word ".repeat(100)), 50);
    assert!(long.starts_with("word word") && long.chars().count() <= 50, "{long}");
}

#[test]
fn what_goes_on_after_its_step_ended_is_called_by_that() {
    let begun = Body::StepBegun(StepBegun { title: Some("mend the parser".to_owned()) });
    let title = |made: &Made| Facts::of(&made.grounding, None, None).title;
    let made = Made::new().at(90, begun);
    let ended = step_ended(&made.grounding);
    let made = made.at(80, Body::StepEnded(ended));
    assert_eq!(title(&made).as_deref(), Some("mend the parser (goes on)"));
    assert_eq!(title(&made.at(70, Body::StepBegun(StepBegun { title: None }))), None);
    assert_eq!(title(&Made::new()), None);
}
