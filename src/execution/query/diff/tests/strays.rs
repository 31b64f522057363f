//! Chains that what names no file may have broken, and edits that were put back.

use super::super::observed::Told;
use super::{Call, composed, edit, other, saw, shell};

/// A command that may have changed the file, and names none.
fn stray() -> Call {
    (Told::Strayed, true)
}

/// A read that is asked about too.
fn asked((told, _): Call) -> Call {
    (told, true)
}

#[test]
fn a_chain_names_what_may_have_broken_it_and_is_empty_where_all_was_put_back() {
    let cases: Vec<(&str, Vec<Call>, &str)> = vec![
        (
            "what names no file may have been it",
            vec![
                saw("a\nb\n"),
                stray(),
                edit("b", "x"),
                stray(),
                other(stray()),
                saw("A\nx\n"),
                edit("x", "y"),
            ],
            "@@ -1,2 +1,2 @@\n a\n-b\n+x\n# one of [1, 3, 4]\n@@ -1,2 +1,2 @@\n A\n-x\n+y\n",
        ),
        (
            "not what ran before all of it was seen",
            vec![
                stray(),
                saw("a\nb\n"),
                edit("b", "x"),
                saw("a\nx\n"),
                stray(),
                saw("A\nx\n"),
                edit("x", "y"),
            ],
            "@@ -1,2 +1,2 @@\n a\n-b\n+x\n# one of [4]\n@@ -1,2 +1,2 @@\n A\n-x\n+y\n",
        ),
        (
            "nor what changed nothing of it",
            vec![saw("a\nb\n"), edit("b", "x"), stray(), saw("a\nx\n"), edit("x", "y")],
            "@@ -1,2 +1,2 @@\n a\n-b\n+y\n",
        ),
        (
            "before the first edit",
            vec![saw("a\nb\n"), stray(), saw("A\nb\n"), edit("b", "x")],
            "# one of [1]\n@@ -1,2 +1,2 @@\n A\n-b\n+x\n",
        ),
        (
            "before it by another session's",
            vec![saw("a\nb\n"), other(stray()), saw("A\nb\n"), edit("b", "x")],
            "@@ -1,2 +1,2 @@\n A\n-b\n+x\n",
        ),
        (
            "put back, as a read shows",
            vec![saw("a\n"), edit("a", "x"), stray(), asked(saw("a\n"))],
            "@@ -1,1 +1,1 @@\n-a\n+x\n# after: # one of [2]\n",
        ),
        (
            "put back by a command that names it",
            vec![saw("a\n"), edit("a", "x"), shell(), asked(saw("a\n"))],
            "@@ -1,1 +1,1 @@\n-a\n+x\n# after: # outside Some(2)\n",
        ),
        (
            "after what is asked about",
            vec![saw("a\n"), edit("a", "x"), saw("b\n")],
            "@@ -1,1 +1,1 @@\n-a\n+x\n",
        ),
    ];
    for (what, calls, expected) in cases {
        assert_eq!(composed(calls), expected, "{what}");
    }
}
