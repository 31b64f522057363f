//! Command lines: what writes, what shows the timeline.

use super::Script;
use crate::parse::check::command::CheckKind;

#[test]
fn commands_that_write() {
    for (command, writes) in [
        ("echo x > src/a.rs", true),
        ("echo x >> src/a.rs", true),
        ("echo x>a", true),
        ("echo x 2> err.txt", true),
        ("echo x &> out", true),
        ("echo x >| out", true),
        ("cat > src/a.rs <<'EOF'\nfn main() {}\nEOF", true),
        ("cargo test 2>&1", false),
        ("cargo test > /dev/null 2>&1", false),
        ("cargo test > /tmp/out.txt", false),
        ("cargo test > /tmp/../home/x", true),
        ("echo x >&2", false),
        ("echo 'a > b'", false),
        ("echo \"a > b\"", false),
        ("sed -i 's/a/b/' x", true),
        ("sed -i.bak s/a/b/ x", true),
        ("sed --in-place=.bak s/a/b/ x", true),
        ("sed -n 1,5p x", false),
        ("perl -pi -e s/a/b/ x", true),
        ("perl -ne print x", false),
        ("echo x | tee src/a.rs", true),
        ("echo x | tee /dev/stderr", false),
        ("mv a b", true),
        ("cp a /tmp/b", true),
        ("cp /tmp/a /tmp/b", false),
        ("rm -rf target", true),
        ("git apply x.patch", true),
        ("git -C sub checkout -- .", true),
        ("git status", false),
        ("git diff", false),
        ("git log --grep=apply", false),
        ("patch -p1 < x.patch", true),
        ("cargo fmt", true),
        ("cargo fmt --check", false),
        ("cargo fmt --all -- --check", false),
        ("cargo fix", true),
        ("cargo clippy --fix", true),
        ("prettier --write .", true),
        ("prettier --check .", false),
        ("black .", true),
        ("black --check .", false),
        ("find . -name '*.o' -delete", true),
        ("find . -exec sed -i s/a/b/ {} +", true),
        ("find . -exec grep x {} +", false),
        ("rg -l x | xargs sed -i s/a/b/", true),
        ("bash -c 'echo x > y'", true),
        ("cd x && touch y", true),
        ("apply_patch x", true),
        ("ls -la", false),
        ("cat a", false),
        ("", false),
    ] {
        assert_eq!(Script::of(command).writes(), writes, "{command}");
    }
}

#[test]
fn command_lines_that_show_the_timeline() {
    for (command, reads) in [
        ("annals timeline", true),
        ("/usr/bin/annals timeline -n 5", true),
        ("annals timeline --block --chars 900", true),
        ("annals timeline --query 'memory_query(last=5)'", true),
        ("cd /home/me/x && annals timeline", true),
        ("ls; annals timeline 2>&1", true),
        ("annals timeline | head -50", true),
        ("annals timeline | cat", true),
        ("bash -lc 'annals timeline'", true),
        ("annals tool memory_query --last 5", true),
        ("echo annals timeline", false),
        ("echo hi # annals timeline", false),
        ("annals timeline && cargo test", false),
        ("true || annals timeline", false),
        ("annals timeline || true", false),
        ("annals timeline &", false),
        ("annals timeline > /dev/null", false),
        ("annals timeline &>/dev/null", false),
        ("annals timeline | true", false),
        ("annals timeline | head -0", false),
        ("annals timeline | head -n 0", false),
        ("annals timeline | tail -n0", false),
        ("annals timeline | cat >/dev/null", false),
        ("annals timeline | grep x", false),
        ("annals timeline --help", false),
        ("annals timeline -n 0", false),
        ("annals timeline -n0", false),
        ("annals timeline --number=0", false),
        ("annals timeline --block --chars 0", false),
        ("annals timeline --session other", false),
        ("annals timeline --session=other", false),
        ("annals timeline --query 'memory_query(session=other)'", false),
        ("annals timeline --evidence", false),
        ("annals timeline --at @1", false),
        ("annals timeline --dir /x", false),
        ("annals --dir /x timeline", false),
        ("if false; then annals timeline; fi", false),
        ("if false\nthen annals timeline\nfi", false),
        ("alias annals=true; annals timeline", false),
        ("annals() { true; }; annals timeline", false),
        ("f() (annals timeline)", false),
        ("exit 0; annals timeline", false),
        ("PATH=/x; annals timeline", false),
        ("xargs -n1 annals timeline </dev/null", false),
        ("annals tool memory_query --help", false),
        ("annals log", false),
        ("", false),
    ] {
        assert_eq!(Script::of(command).reads_timeline(), reads, "{command}");
    }
}

#[test]
fn a_hostile_line_is_read_in_bounds_or_not_at_all() {
    for command in [
        "a;".repeat(20_000),
        "(".repeat(30_000),
        "sh -c ".repeat(5_000),
        "'".repeat(30_001),
        "\\".repeat(30_001),
        "<<a ".repeat(5_000),
        ">".repeat(30_000),
        "x".repeat(1 << 20) + "\u{1F600}\u{0}",
        "eval eval eval eval eval eval echo".to_owned(),
    ] {
        let it = Script::of(&command);
        let _ = (CheckKind::of(&it, &Default::default()), it.writes(), it.reads_timeline()); // only that it ends
    }
}
