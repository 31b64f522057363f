//! Targets as agents give them, and what is compared.

use super::Target;

#[test]
fn a_command_is_compared_without_what_changes_between_attempts() {
    for (command, normal) in [
        ("cargo test", "cargo test"),
        ("cd X && cargo test 2>&1 | tail -5", "cargo test"),
        ("cd /a/b; cargo test", "cargo test"),
        ("cd \"/a b/c\" && cd d && cargo  test", "cargo test"),
        ("cd 'it''s' && ls", "ls"),
        ("cd /a\ncargo test", "cargo test"),
        ("cd /a", "cd /a"),
        ("cdrom && ls", "cdrom && ls"),
        ("cargo test > /tmp/out.txt 2>&1", "cargo test"),
        ("cargo test >/dev/null", "cargo test"),
        ("cargo test &> out", "cargo test"),
        ("cargo test 2> 'a b' --lib", "cargo test --lib"),
        ("cargo test >> out && cargo run", "cargo test && cargo run"),
        ("cargo test|grep -v warning|head -3", "cargo test"),
        ("cargo test 2>&1 | grep -E 'a|b' | wc -l", "cargo test | grep -E 'a|b' | wc -l"),
        ("cargo build | head -1 && cargo test | tail", "cargo build | head -1 && cargo test"),
        ("cargo test || tail log", "cargo test || tail log"),
        ("cargo test |& tail -5", "cargo test"),
        ("cargo test;", "cargo test"),
        ("echo 'a > b' | cat", "echo 'a > b'"),
        ("echo a2>b", "echo a2"),
        ("psql < dump.sql 2>/dev/null", "psql < dump.sql"),
        ("cargo test \\\n  --lib", "cargo test --lib"),
        ("cat <<EOF > a\nx  | tail\nEOF", "cat <<EOF > a\nx  | tail\nEOF"),
        ("echo 'open  > b", "echo 'open  > b"),
        ("tee >(wc) | tail", "tee >(wc) | tail"),
        ("> out", ""),
        ("", ""),
        ("écho \u{2003} é>ü", "écho é"),
    ] {
        assert_eq!(Target::of_command(command.to_owned()).normal, normal, "{command}");
    }
}

#[test]
fn a_call_is_about_its_command_else_its_path_else_what_it_looked_for() {
    let of = |arguments: &str, paths: &[&str], symbols: &[&str]| {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        Target::of(arguments, &owned(paths), &owned(symbols))
            .map(|target| (target.shown, target.normal))
    };
    let pair = |shown: &str, normal: &str| Some((shown.to_owned(), normal.to_owned()));
    for (arguments, paths, symbols, expected) in [
        (
            r#"{"command":"cd a && ls | head"}"#,
            &["p"][..],
            &[][..],
            pair("cd a && ls | head", "ls"),
        ),
        (r#"{"command":["ls","-l"]}"#, &[], &[], pair("ls -l", "ls -l")),
        (
            r#"{"command":["/bin/bash","-lc","cd a && make | tail"]}"#,
            &[],
            &[],
            pair("/bin/bash -lc cd a && make | tail", "make"),
        ),
        (r#"{"cmd":"cd a && make"}"#, &[], &[], pair("cd a && make", "make")),
        (
            r#"{"command":["bash","-lc","apply_patch <<E\n*** Begin Patch\nE"]}"#,
            &["a.rs"],
            &[],
            pair("a.rs", "a.rs"),
        ),
        (
            r#"{"command":["apply_patch","*** Begin Patch\n*** Update File: a.rs"]}"#,
            &["a.rs"],
            &[],
            pair("a.rs", "a.rs"),
        ),
        (
            r#"{"command":"*** Begin Patch\n*** Update File: a.rs"}"#,
            &["a.rs"],
            &[],
            pair("a.rs", "a.rs"),
        ),
        (r#"{"command":5}"#, &["./src/lib.rs"], &["foo"], pair("./src/lib.rs", "src/lib.rs")),
        ("{}", &["src/"], &[], pair("src/", "src")),
        ("{}", &["/"], &[], pair("/", "/")),
        ("{}", &[], &["foo"], pair("foo", "foo")),
        (r#"{"pattern":"fn main","query":"q"}"#, &[], &[], pair("fn main", "fn main")),
        (r#"{"path":"./"}"#, &[], &[], pair("./", ".")),
        ("not json", &[], &[], None),
        ("{}", &[], &[], None),
    ] {
        assert_eq!(of(arguments, paths, symbols), expected, "{arguments} {paths:?} {symbols:?}");
    }
}

proptest::proptest! {
    /// Nothing that anybody could have run panics, and what is compared is compared as itself.
    #[test]
    fn any_command_has_a_normal_form(command in "[a-z0-9 ü'\"\\\\|&;<>()\n-]{0,40}|cd .{0,20}") {
        let once = Target::of_command(command).normal;
        let _twice = Target::of_command(once).normal;
    }
}
