//! What marks tell.

use super::*;

#[test]
fn commands_stand_between_their_marks() {
    let began = |command: &str| Mark::Began(command.to_owned());
    let ended = |exit_code, printed: &str| Mark::Ended { exit_code, printed: printed.to_owned() };
    for (text, expect) in [
        ("plain \u{1b}[31mtext\u{1b}[0m", vec![]),
        (
            "\u{1b}]133;A\u{7}$ \u{1b}]133;B\u{7}lsx\u{8} -l\r\n\u{1b}]133;C\u{7}a\r\n\u{1b}[1mb\u{1b}[0m\u{1b}]133;D;0\u{7}",
            vec![began("ls -l"), ended(Some(0), "a\nb")],
        ),
        (
            "\u{1b}]633;E;echo a\\x3b b\u{1b}\\\u{1b}]633;C\u{1b}\\\u{1b}]633;D;1\u{1b}\\",
            vec![began("echo a; b"), ended(Some(1), "")],
        ),
        (
            "\u{1b}]133;C;cmdline_url=ls%20-a\u{7}x\u{1b}]133;D\u{7}",
            vec![began("ls -a"), ended(None, "x")],
        ),
        (
            "\u{1b}]133;D;0\u{7}\u{1b}]7;file://host/w%20x\u{7}",
            vec![Mark::Folder("/w x".to_owned())],
        ),
        ("\u{1b}]133;C", vec![]),
    ] {
        assert_eq!(Marks::default().read(text), expect, "{text:?}");
        // The seams between events may be anywhere.
        let mut marks = Marks::default();
        let found: Vec<_> = text.chars().flat_map(|c| marks.read(&c.to_string())).collect();
        assert_eq!(found, expect, "{text:?}");
    }
}
