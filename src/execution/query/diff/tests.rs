//! Chains of edits and what they compose to; what calls tell.

mod strays;

use super::chain::Chain;
use super::leg::{Gap, Leg};
use super::line_ends::LineEnds;
use super::observed::{Replacement, Seen, Stored, Told};
use super::patch::of_patch;
use super::text::Section;

/// A call: what it tells, and whether it is one that is asked about.
type Call = (Told, bool);

fn lines(text: &str) -> Vec<String> {
    text.split('\n').map(str::to_owned).collect()
}

/// A read of the whole file.
fn saw(text: &str) -> Call {
    (Told::Saw(Seen { at: 0, lines: lines(text), is_whole: true, ..Seen::default() }), false)
}

/// A read of some lines.
fn part(at: usize, text: &str) -> Call {
    (Told::Saw(Seen { at, lines: lines(text), ..Seen::default() }), false)
}

fn edit(old: &str, new: &str) -> Call {
    replaced(old, new, false, None)
}

fn replaced(old: &str, new: &str, all: bool, snippet: Option<(usize, &str)>) -> Call {
    let edit = Replacement { old: old.into(), new: new.into(), all };
    let seen = |(at, text)| Seen { at, lines: lines(text), ..Seen::default() };
    (Told::Replaced(vec![edit], snippet.map(seen)), true)
}

fn wrote(content: &str) -> Call {
    (Told::Wrote(content.into()), true)
}

fn created(content: &str) -> Call {
    (Told::Created(content.into()), true)
}

fn patched(patch: &str) -> Call {
    (of_patch(patch).pop().map_or(Told::Nothing, Told::Patched), true)
}

/// An edit of another session.
fn other((told, _): Call) -> Call {
    (told, false)
}

fn shell() -> Call {
    (Told::Changed, true)
}

/// The sections as text, without their heads; lines that are no diff behind `#`.
fn composed(calls: Vec<Call>) -> String {
    let mut chain = Chain::default();
    for (no, (told, counts)) in calls.into_iter().enumerate() {
        let is_editor = told != Told::Changed;
        chain.take(no, told, counts, is_editor);
    }
    let mut text = String::new();
    let end = chain.end();
    let why = |leg: &Leg| match leg.why {
        None => String::new(),
        Some(Gap::Outside(None)) if !leg.strays.is_empty() => {
            format!("# one of {:?}\n", leg.strays)
        }
        Some(Gap::Outside(by)) => format!("# outside {by:?}\n"),
        Some(gap) => format!("# {gap:?}\n"),
    };
    for leg in end.legs {
        let section = Section::of(&leg, "f", None);
        text += &why(&leg);
        let comments = section.notes.iter().chain(&section.unplaced);
        comments.for_each(|line| text += &format!("# {line}\n"));
        let is_head = |line: &&str| ["diff ", "--- ", "+++ "].iter().any(|it| line.starts_with(it));
        let body = section.diff.lines().filter(|line| !is_head(line));
        body.for_each(|line| text += &format!("{line}\n"));
    }
    text + &end.after.map_or(String::new(), |leg| format!("# after: {}", why(&leg)))
}

#[test]
fn a_chain_of_edits_is_one_diff_as_far_as_it_holds() {
    const OPEN: &str = "# The line behind a hunk is not known: git apply needs --unidiff-zero\n";
    let cases: Vec<(&str, Vec<Call>, String)> = vec![
        ("one edit of what was read", vec![saw("a\nb\nc\n"), edit("b", "x")], "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n".into()),
        ("two of one line are one", vec![saw("a\nb\nc\n"), edit("b", "x"), edit("x", "y")], "@@ -1,3 +1,3 @@\n a\n-b\n+y\n c\n".into()),
        ("there and back is none", vec![saw("a\nb\n"), edit("b", "x"), edit("x", "b")], "".into()),
        ("a part of a line", vec![saw("let a = 1;\n"), edit("= 1", "= 2")], "@@ -1,1 +1,1 @@\n-let a = 1;\n+let a = 2;\n".into()),
        ("everywhere", vec![saw("a\nb\na\n"), replaced("a", "x", true, None)], "@@ -1,3 +1,3 @@\n-a\n+x\n b\n-a\n+x\n".into()),
        ("numbers move", vec![part(9, "j\nk\nl"), part(0, "a\nb\nc"), edit("b", "b\nb2"), edit("k", "K")],
            "@@ -1,3 +1,4 @@\n a\n b\n+b2\n c\n@@ -10,3 +11,3 @@\n j\n-k\n+K\n l\n".into()),
        ("a read of what moved fits", vec![part(9, "j\nk\nl"), part(0, "a\nb\nc"), edit("b", "b\nb2"), part(10, "j\nk\nl\nm"), edit("k", "K")],
            "@@ -1,3 +1,4 @@\n a\n b\n+b2\n c\n@@ -10,4 +11,4 @@\n j\n-k\n+K\n l\n m\n".into()),
        ("no newline at the end", vec![saw("a\nb"), edit("a", "x")], "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n".into()),
        ("shown with its lines", vec![replaced("b", "x", false, Some((6, "a\nx\nc")))], "@@ -7,3 +7,3 @@\n a\n-b\n+x\n c\n".into()),
        ("a new file", vec![created("a\n"), edit("a", "b\nc")], "new file mode 100644\n@@ -0,0 +1,2 @@\n+b\n+c\n".into()),
        ("a new empty file", vec![created("")], "new file mode 100644\n".into()),
        ("written over what was read", vec![saw("a\nb\n"), wrote("a\nc\n")], "@@ -1,2 +1,2 @@\n a\n-b\n+c\n".into()),
        ("written over what nobody read", vec![wrote("a\n")], "# Written over a file that nobody recorded: what it holds now\n# +a\n# +\n".into()),
        ("somebody changed it, seen by a read", vec![saw("a\nb\nc\n"), edit("b", "x"), saw("A\nx\nc\n"), edit("x", "y")],
            "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n# outside None\n@@ -1,3 +1,3 @@\n A\n-x\n+y\n c\n".into()),
        ("a command changed it", vec![saw("a\nb\nc\n"), edit("b", "x"), shell(), saw("A\nx\nc\n"), edit("x", "y")],
            "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n# outside Some(2)\n@@ -1,3 +1,3 @@\n A\n-x\n+y\n c\n".into()),
        ("a command that changed nothing of it", vec![saw("a\nb\nc\n"), edit("b", "x"), shell(), saw("a\nx\nc\n"), edit("x", "y")],
            "@@ -1,3 +1,3 @@\n a\n-b\n+y\n c\n".into()),
        ("changed before the first edit is no gap", vec![saw("a\n"), saw("b\nc\n"), edit("b", "x")], "@@ -1,2 +1,2 @@\n-b\n+x\n c\n".into()),
        ("a command changed it before it was first read", vec![shell(), saw("A\nb\n"), edit("b", "x")], "# outside Some(0)\n@@ -1,2 +1,2 @@\n A\n-b\n+x\n".into()),
        ("before it was first edited", vec![saw("a\nb\n"), shell(), saw("A\nb\n"), edit("b", "x")], "# outside Some(1)\n@@ -1,2 +1,2 @@\n A\n-b\n+x\n".into()),
        ("before an edit that shows its lines", vec![shell(), replaced("b", "x", false, Some((6, "a\nx\nc")))],
            "# outside Some(0)\n@@ -7,3 +7,3 @@\n a\n-b\n+x\n c\n".into()),
        ("a command that was not asked about", vec![other(shell()), saw("A\nb\n"), edit("b", "x")], "@@ -1,2 +1,2 @@\n A\n-b\n+x\n".into()),
        ("a command that changed nothing before", vec![saw("a\nb\n"), shell(), saw("a\nb\n"), edit("b", "x")], "@@ -1,2 +1,2 @@\n a\n-b\n+x\n".into()),
        ("a command, and lines that nobody had seen", vec![part(0, "a\nb\nc"), edit("b", "x"), shell(), part(8, "i\nj\nk"), edit("j", "y")],
            "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n# outside Some(2)\n@@ -9,3 +9,3 @@\n i\n-j\n+y\n k\n".into()),
        ("what is edited is not there", vec![saw("a\nb\n"), edit("b", "x"), edit("zz", "y")],
            "@@ -1,2 +1,2 @@\n a\n-b\n+x\n# outside None\n# Somewhere in the file; the lines around it are not known\n# -zz\n# +y\n".into()),
        ("another session's edit between", vec![saw("a\nb\nc\n"), edit("b", "x"), other(edit("c", "C")), edit("x", "y")],
            "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n# Other(2)\n@@ -1,3 +1,3 @@\n a\n-x\n+y\n C\n".into()),
        ("another session's edit before", vec![saw("a\nb\n"), other(edit("a", "A")), edit("b", "x")], "@@ -1,2 +1,2 @@\n A\n-b\n+x\n".into()),
        ("nothing is known of its lines", vec![edit("b", "x")], "# Somewhere in the file; the lines around it are not known\n# -b\n# +x\n".into()),
        ("its own lines around it", vec![edit("a\nb\nc\nd", "a\nB\nc\nd")],
            "# Where in the file is not known: git looks for the lines\n@@ -2,2 +2,2 @@\n-b\n+B\n c\n".into()),
        ("seen later", vec![edit("b", "x"), part(4, "a\nx\nc")], "@@ -5,3 +5,3 @@\n a\n-b\n+x\n c\n".into()),
        ("a patch", vec![patched("*** Begin Patch\n*** Update File: f\n@@ fn a\n a\n-b\n+x\n c\n*** End Patch")],
            "# Where in the file is not known: git looks for the lines\n@@ -2,3 +2,3 @@\n a\n-b\n+x\n c\n".into()),
        ("a patch that ends with its change", vec![patched("*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+x\n*** End Patch")],
            format!("# Where in the file is not known: git looks for the lines\n{OPEN}@@ -2,2 +2,2 @@\n a\n-b\n+x\n")),
        ("a patch of what is known", vec![saw("0\na\nb\n"), patched("--- a/f\n+++ b/f\n@@ -2,2 +2,2 @@\n a\n-b\n+x\n")], "@@ -1,3 +1,3 @@\n 0\n a\n-b\n+x\n".into()),
        ("deleted", vec![saw("a\n"), patched("*** Begin Patch\n*** Delete File: f\n*** End Patch")], "deleted file mode 100644\n@@ -1,1 +0,0 @@\n-a\n".into()),
        ("moved", vec![patched("*** Begin Patch\n*** Update File: f\n*** Move to: g\n*** End Patch")], "rename from f\nrename to g\n".into()),
    ];
    for (what, calls, expected) in cases {
        assert_eq!(composed(calls), expected, "{what}");
    }
}

#[test]
fn what_a_call_tells_is_what_its_arguments_and_its_output_hold() {
    let seen = |at, text: &str, is_whole| {
        Told::Saw(Seen { at, lines: lines(text), is_whole, ..Seen::default() })
    };
    let long = "x".repeat(2_000);
    let huge = "x".repeat(5 << 20);
    let cases: &[(&str, &str, &str, Told)] = &[
        ("file_read", "{}", "     1→a\n     2→\n\n<system-reminder>\nb", seen(0, "a\n", true)),
        ("file_read", r#"{"offset":5,"limit":2}"#, "     5→a\n     6→", seen(4, "a", false)),
        ("file_read", "{}", "a\nb\n", seen(0, "a\nb\n", true)),
        ("file_read", r#"{"offset":3}"#, "c\n", seen(2, "c", false)),
        ("file_read", "{}", "<tool_use_error>no</tool_use_error>", Told::Nothing),
        ("file_read", "{}", &format!("     1→a\n     2→{long}"), seen(0, "a", false)),
        ("file_edit", &huge, "", Told::TooLarge),
        ("file_edit", r#"{"notebook_path":"f","new_source":"x"}"#, "", Told::Changed),
        ("file_write", r#"{"content":"a"}"#, "", Told::Wrote("a".into())),
        ("file_edit", r#"{"old_string":"","new_string":"a"}"#, "", Told::Created("a".into())),
        ("file_edit", "no JSON", "", Told::Changed),
    ];
    for (tool, arguments, stdout, expected) in cases {
        let changed = *tool != "file_read";
        let call = Stored { tool, arguments, stdout, changed, created: false };
        let shown: String = arguments.chars().take(40).collect();
        assert_eq!(Told::of(&call, |_| true), *expected, "{tool} {shown} {stdout:.40}");
    }
}

#[test]
fn a_name_that_would_end_a_line_is_quoted_as_git_does() {
    let mut chain = Chain::default();
    chain.take(0, Told::Created("a\n".into()), true, true);
    let leg = chain.end().legs.pop().expect("a leg");
    let diff = Section::of(&leg, "a\n\"b\u{1b}", None).diff;
    let head = diff.lines().next().expect("a line");
    assert_eq!(head, r#"diff --git "a/a\012\"b\033" "b/a\012\"b\033""#);
}

/// A section's lines, and whether it fits the file; `is_of_today` says how its lines end now.
fn ended(calls: Vec<Call>, today: Option<LineEnds>) -> (String, bool) {
    let mut chain = Chain::default();
    for (no, (told, counts)) in calls.into_iter().enumerate() {
        chain.take(no, told, counts, true);
    }
    let leg = chain.end().legs.pop().expect("a leg");
    let section = Section::of(&leg, "f", today);
    let hunks = section.diff.find("@@").map_or(String::new(), |at| section.diff[at..].to_owned());
    (hunks, section.applies)
}

#[test]
fn lines_keep_the_ends_that_are_known_and_else_the_file_is_left_out() {
    use LineEnds::{Crlf, Lf, Mixed};
    const CRLF: &str = "@@ -1,2 +1,2 @@\n-a\r\n+x\r\n b\r\n";
    const LF: &str = "@@ -1,2 +1,2 @@\n-a\n+x\n b\n";
    let shown = || vec![saw("a\nb\n"), edit("a", "x")];
    let read = |text: &str| {
        let arguments = r#"{"file_path":"f"}"#;
        let call =
            Stored { tool: "file_read", arguments, stdout: text, changed: false, created: false };
        (Told::of(&call, |_| true), false)
    };
    let cases = [
        ("edited, and CRLF today", shown(), Some(Crlf), CRLF, true),
        ("edited, and LF today", shown(), Some(Lf), LF, true),
        ("edited, and gone today", shown(), None, LF, true),
        ("edited, and both today", shown(), Some(Mixed), LF, false),
        ("read with its returns", vec![read("a\r\nb\r\n"), edit("a", "x")], None, CRLF, true),
        (
            "shown with them by number",
            vec![read("     1→a\r\n     2→b\r\n     3→"), edit("a", "x")],
            None,
            CRLF,
            true,
        ),
        (
            "an edit that names them",
            vec![saw("a\nb\n"), edit("a\r\nb", "x\r\nb")],
            None,
            CRLF,
            true,
        ),
        (
            "one of lines that were written with them",
            vec![created("a\r\nb\r\n"), edit("a\nb", "x\ny\nb")],
            Some(Lf),
            "@@ -0,0 +1,3 @@\n+x\r\n+y\r\n+b\r\n",
            true,
        ),
        (
            "no newline at the end",
            vec![saw("a\nb"), edit("b", "x")],
            Some(Crlf),
            "@@ -1,2 +1,2 @@\n a\r\n-b\n\\ No newline at end of file\n+x\n\\ No newline at end of file\n",
            true,
        ),
        (
            "written with them over what was shown without",
            vec![saw("a\nb\n"), wrote("x\r\nb\r\n")],
            Some(Crlf),
            LF,
            false,
        ),
        (
            "written with them over what had them",
            vec![read("a\r\nb\r\n"), wrote("x\r\nb\r\n")],
            None,
            CRLF,
            true,
        ),
        (
            "written without, and with them today",
            vec![saw("a\nb\n"), wrote("x\nb\n")],
            Some(Crlf),
            CRLF,
            true,
        ),
        (
            "both ways in what was written",
            vec![created("a\r\nb\n"), edit("b", "x")],
            None,
            "@@ -0,0 +1,2 @@\n+a\r\n+x\n",
            true,
        ),
    ];
    for (what, calls, today, expected, applies) in cases {
        assert_eq!(ended(calls, today), (expected.to_owned(), applies), "{what}");
    }
}

#[test]
fn what_does_not_fit_the_file_of_before_is_marked() {
    for (what, calls, applies) in [
        ("an edit", vec![saw("a\n"), edit("a", "x")], true),
        (
            "behind a command",
            vec![saw("a\n"), edit("a", "x"), shell(), saw("b\n"), edit("b", "y")],
            false,
        ),
        (
            "behind another session's",
            vec![saw("a\nb\n"), edit("a", "x"), other(edit("b", "y")), edit("x", "z")],
            false,
        ),
        ("with a secret", vec![saw("k [REDACTED:key]\nb\n"), edit("b", "x")], false),
        ("with a secret that came", vec![saw("a\nb\n"), edit("b", "k [REDACTED:key]")], true),
    ] {
        let mut chain = Chain::default();
        for (no, (told, counts)) in calls.into_iter().enumerate() {
            let is_editor = told != Told::Changed;
            chain.take(no, told, counts, is_editor);
        }
        let leg = chain.end().legs.pop().expect("a leg");
        assert_eq!(Section::of(&leg, "f", None).applies, applies, "{what}");
    }
}
