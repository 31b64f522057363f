//! What a turn is called.

use crate::repo::step_summary::title;

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
        ("<div> is not closed", Some("<div> is not closed")),
        ("<half-open> mend it", Some("<half-open> mend it")),
        ("/pr 12", Some("/pr 12")),
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
