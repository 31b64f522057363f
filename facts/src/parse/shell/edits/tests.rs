//! Command lines, and the files that they surely change.

use super::{Changed, ShellEdits};

/// A command line, its sure files, and whether it may change others.
type Row = (&'static str, &'static [&'static str], bool);

#[track_caller]
fn check(rows: &[Row]) {
    let mut faults = Vec::new();
    for (command, sure, unsure) in rows {
        let found = ShellEdits::of(command);
        if (found.sure.iter().map(String::as_str).collect::<Vec<_>>(), found.unsure)
            != (sure.to_vec(), *unsure)
        {
            faults.push(format!("{command:?}: {found:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const NONE: &[&str] = &[];

#[test]
fn what_editors_in_place_change() {
    check(&[
        ("sed -i 's/a/b/' src/x.rs", &["src/x.rs"], false),
        ("sed -i '' 's/a/b/' src/x.rs", &["src/x.rs"], false),
        ("sed -i '' -e 's/a/b/' x.go y.go", &["x.go", "y.go"], false),
        ("sed -i.bak 's/a/b/' x.go", &["x.go"], false),
        ("sed -i .bak 's/a/b/' x.go", &["x.go"], false),
        ("sed -Ei 's/(a)/{b}/' x.go", &["x.go"], false),
        ("sed -n -i -e 1,5p -e q x.go", &["x.go"], false),
        ("sed --in-place=.bak --expression='s/a/b/' x.go", &["x.go"], false),
        ("sed --in-place -f script.sed x.go", &["x.go"], false),
        ("sed -i 's/foo()/bar()/' x.go", &["x.go"], false),
        ("sed -i 's/$x/y/' x.go", &["x.go"], false),
        ("sed -i 's/a/b/' *.go", NONE, true),
        ("sed -i 's/a/b/' $FILE", NONE, true),
        ("sed -i 's/a/b/' ~/notes.md", NONE, true),
        ("sed -n 1,5p x.go", NONE, false),
        ("sed 's/-i/b/' x.go", NONE, false),
        ("sed -e 's/a/b/' x.go > y.go", &["y.go"], false),
        ("perl -pi -e 's/a/b/' x.go", &["x.go"], false),
        ("perl -i.bak -pe 's/a/b/' x.go", &["x.go"], false),
        ("perl -0pi -e 's/a/b/' x.go y.go", &["x.go", "y.go"], false),
        ("perl -ne 'print' x.go", NONE, false),
        ("perl -i fix.pl x.go", NONE, true),
        ("ruby -pi -e '$_.upcase!' x.rb", &["x.rb"], false),
        ("rg -l x | xargs sed -i 's/a/b/'", NONE, true),
        ("find . -name '*.go' -exec sed -i s/a/b/ {} +", NONE, true),
        ("sudo sed -i s/a/b/ x.conf", &["x.conf"], false),
        ("docker exec web sed -i s/a/b/ x.conf", NONE, false),
    ]);
}

#[test]
fn where_output_goes() {
    check(&[
        ("cat > src/a.rs <<'EOF'\nfn main() { a > b; }\nEOF", &["src/a.rs"], false),
        ("cat <<EOF > a.txt\nx\nEOF\ncat >> b.txt <<-X\n\ty\n\tX\n", &["a.txt", "b.txt"], false),
        ("cat > \"src/a b.rs\" <<EOF\nEOF", &["src/a b.rs"], false),
        ("echo x > a.txt", &["a.txt"], false),
        ("echo x >> a.txt", &["a.txt"], false),
        ("echo x >| a.txt", &["a.txt"], false),
        ("printf x | tee src/a.rs | wc -l", &["src/a.rs"], false),
        ("printf x | tee -a src/a.rs /dev/stderr", &["src/a.rs"], false),
        ("cargo test > build.log 2>&1", NONE, true),
        ("cargo test 2> err.txt", NONE, true),
        ("go test ./... | tee out.txt", NONE, true),
        ("go test ./... | grep FAIL > out.txt", NONE, true),
        ("git show HEAD:a.rs > a.rs", &["a.rs"], false),
        ("cargo test 2>&1 | tail -5", NONE, false),
        ("cargo test > /dev/null 2>&1", NONE, false),
        ("cargo test &>/dev/null", NONE, false),
        ("echo x >&2", NONE, false),
        ("echo 'a > b'", NONE, false),
        ("echo x > $OUT", NONE, true),
        ("echo x > $(mktemp)", NONE, true),
        ("diff <(sort a) <(sort b)", NONE, false),
        ("tee /tmp/x < a", &["/tmp/x"], false),
        ("{ echo a; echo b; } > a.txt", NONE, true),
        ("for f in a b; do echo $f; done > list.txt", NONE, true),
        ("bash -c 'echo x > y'", &["y"], false),
        ("touch a.rs b.rs", &["a.rs", "b.rs"], false),
        ("truncate -s 0 a.log", &["a.log"], false),
        ("truncate --size=0 notes", &["notes"], false),
        (": > a", &["a"], false),
        ("> a", &["a"], false),
        ("true > a && cd sub && >b", &["a", "sub/b"], false),
        ("cat /dev/null > Makefile", &["Makefile"], false),
    ]);
}

#[test]
fn what_moves_and_git_change() {
    check(&[
        ("mv a.go b.go", &["a.go", "b.go"], false),
        ("mv a.go b.go sub/", &["a.go", "sub/a.go", "b.go", "sub/b.go"], false),
        ("mv a.go sub", NONE, true),
        ("cp a.go b.go", &["b.go"], false),
        ("cp ../x/a.go .", &["./a.go"], false),
        ("cp -r a b", NONE, true),
        ("cp a.go b", NONE, true),
        ("cp a.go b.go $D", NONE, true),
        ("mv docs notes sub/", NONE, true),
        ("mv Makefile GNUmakefile", &["Makefile", "GNUmakefile"], false),
        ("cp Dockerfile ci/Dockerfile", &["ci/Dockerfile"], false),
        ("git checkout -- Makefile", &["Makefile"], false),
        ("git checkout HEAD -- LICENSE src/a.rs", &["LICENSE", "src/a.rs"], false),
        ("git restore Makefile", &["Makefile"], false),
        ("git restore bin/run", NONE, true),
        ("git rm bin/run", &["bin/run"], false),
        ("rm -f a.go", &["a.go"], false),
        ("rm -rf target", NONE, true),
        ("rm -- -a.go a.go", &["a.go"], true),
        ("git checkout -- src/a.rs b.rs", &["src/a.rs", "b.rs"], false),
        ("git checkout HEAD~1 -- src/a.rs", &["src/a.rs"], false),
        ("git checkout main", NONE, true),
        ("git checkout -- .", NONE, true),
        ("git restore src/a.rs", &["src/a.rs"], false),
        ("git restore --source HEAD~1 src/a.rs", &["src/a.rs"], false),
        ("git restore --staged src/a.rs", NONE, false),
        ("git restore .", NONE, true),
        ("git -C sub restore a.rs", &["sub/a.rs"], false),
        ("git rm a.rs", &["a.rs"], false),
        ("git rm --cached a.rs", NONE, false),
        ("git mv a.rs b.rs", &["a.rs", "b.rs"], false),
        ("git apply x.patch", NONE, true),
        ("git apply --check x.patch", NONE, false),
        (
            "git apply <<'E'\n--- /dev/null\n+++ b/bin/run\n@@ -0,0 +1 @@\n+b\nE",
            &["bin/run"],
            false,
        ),
        ("git apply <<'E'\n--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\nE", &["x.rs"], false),
        ("git stash", NONE, true),
        ("git status && git diff > /dev/null", NONE, false),
        ("patch -p1 < x.patch", NONE, true),
    ]);
}

#[test]
fn what_formatters_change() {
    check(&[
        ("gofmt -w a.go b.go", &["a.go", "b.go"], false),
        ("gofmt -l -w a.go", &["a.go"], false),
        ("gofmt -l .", NONE, false),
        ("gofmt -w .", NONE, true),
        ("npx prettier --write src/a.ts", &["src/a.ts"], false),
        ("npx prettier --config .prettierrc.json --write src/a.ts", &["src/a.ts"], false),
        ("prettier --check src/a.ts", NONE, false),
        ("eslint --fix src/a.ts", &["src/a.ts"], false),
        ("eslint src/a.ts", NONE, false),
        ("uv run ruff format a.py", &["a.py"], false),
        ("ruff format --check a.py", NONE, false),
        ("ruff check --fix a.py", &["a.py"], false),
        ("ruff check a.py", NONE, false),
        ("black a.py", &["a.py"], false),
        ("black --check a.py", NONE, false),
        ("rustfmt src/a.rs", &["src/a.rs"], false),
        ("cargo fmt", NONE, true),
        ("cargo fmt --check", NONE, false),
        ("python3 -c \"open('x', 'w')\"", NONE, true),
        ("python3 - <<'E'\nopen('a.py','w').write('x')\nE", NONE, true),
        ("bash <<'E'\necho x > a\nE", NONE, true),
    ]);
}

#[test]
fn only_what_runs_is_sure() {
    check(&[
        ("cd sub && sed -i s/a/b/ x.go", &["sub/x.go"], false),
        ("cd /p/sub && sed -i s/a/b/ x.go && go test ./...", &["/p/sub/x.go"], false),
        ("cd sub; cd ..; touch x.go", &["sub/../x.go"], false),
        ("cd \"$(git rev-parse --show-toplevel)\" && touch x.go /p/y.go", &["/p/y.go"], true),
        ("cd $D && touch x.go", NONE, true),
        ("cd - && touch x.go", NONE, true),
        ("(cd sub && touch a.go); touch b.go", &["sub/a.go", "b.go"], false),
        ("(cd a; touch x.go); (cd /b; touch y.go)", &["a/x.go", "/b/y.go"], false),
        ("bash -lc 'cd sub && touch a.go' && touch b.go", &["sub/a.go", "b.go"], false),
        ("sed -i s/a/b/ x.go; go test ./...", &["x.go"], false),
        ("sed -i s/a/b/ x.go\ngo test ./... | tail -3", &["x.go"], false),
        ("go vet ./... && sed -i s/a/b/ x.go", &["x.go"], false),
        ("go vet ./... && sed -i s/a/b/ x.go; echo done", NONE, true),
        ("cd a && sed -i s/a/b/ x.go; echo done", &["a/x.go"], false),
        ("sed -i s/a/b/ x.go && sed -i s/a/b/ y.go; go test", &["x.go", "y.go"], false),
        ("go test > out.txt && touch x.go; echo", NONE, true),
        ("false || sed -i s/a/b/ x.go", NONE, true),
        ("false && sed -i s/a/b/ x.go || true", NONE, true),
        ("grep -q x y.go && sed -i s/a/b/ y.go || echo no", NONE, true),
        ("sed -i s/a/b/ x.go || echo failed", &["x.go"], false),
        ("if grep -q x y.go; then sed -i s/a/b/ y.go; fi", NONE, true),
        ("if true; then echo; sed -i s/a/b/ y.go; fi; touch x.go", &["x.go"], true),
        ("for f in a.go b.go; do sed -i s/a/b/ $f; done", &["a.go", "b.go"], false),
        (
            "for f in a.go b.go\ndo\n  sed -i s/a/b/ \"$f\" && gofmt -w $f\ndone",
            { &["a.go", "b.go"] },
            false,
        ),
        ("for f in a b; do echo x > sub/${f}.txt; done", &["sub/a.txt", "sub/b.txt"], false),
        (
            "for f in x/a.go; do cp $f y/; mv ${f} $f.bak; done",
            { &["y/a.go", "x/a.go", "x/a.go.bak"] },
            false,
        ),
        (
            "for f in a b; do for g in c d; do touch $f/$g; done; done",
            { &["a/c", "a/d", "b/c", "b/d"] },
            false,
        ),
        ("for f in a.go; do sed -i s/a/b/ $foo ${f%.go}.h $fs; done", NONE, true),
        ("for i in 1 2; do for j in 3; do echo; done; touch x.go; done", &["x.go"], false),
        ("for f in *.go; do sed -i s/a/b/ $f; done", NONE, true),
        ("for f in $(ls); do touch x.go; done", NONE, true),
        ("for f in a.go b.go; do test -f $f || continue; touch $f; done", NONE, true),
        ("for d in a b; do cd $d; touch x.go; done", NONE, true),
        ("for d in a b; do if [ -f $d ]; then touch $d; fi; done; touch z", &["z"], true),
        ("false && for f in a.go; do touch $f; done; true", NONE, true),
        ("grep -q x y && { touch a.go; touch b.go; }; true", NONE, true),
        ("{ touch a.go; touch b.go; }", &["a.go", "b.go"], false),
        ("{ touch a.go; touch b.go; } && touch c.go", &["a.go", "b.go", "c.go"], false),
        ("test -f x || exit 0; touch x.go", NONE, true),
        ("if ! test -f x; then exit 0; fi; touch x.go", NONE, true),
        ("while read f; do touch x.go; done < list", NONE, true),
        ("f() { touch x.go; }; touch y.go", &["y.go"], true),
        ("function f { touch x.go; }; touch y.go", &["y.go"], false),
        ("exit 0; touch x.go", NONE, true),
        ("cd sub || exit 1; touch x.go", &["sub/x.go"], false),
        ("touch x.go & wait", &["x.go"], false),
        ("echo x | sed -i s/a/b/ x.go", &["x.go"], false),
        ("FOO=1 sed -i s/a/b/ x.go", &["x.go"], false),
        ("ls -la && go test ./... 2>&1 | grep FAIL", NONE, false),
        ("git commit -m 'sed -i x > y'", NONE, false),
        ("echo 'open quote", NONE, false),
        ("", NONE, false),
    ]);
}

#[test]
fn what_may_be_a_folder_is_asked_about() {
    let any = |path: &str| Changed::Any(path.to_owned());
    let moved = |source: &str, target: &str, is_gone| {
        let (source, target) = (source.to_owned(), target.to_owned());
        Changed::Moved { source, target, is_gone }
    };
    for (command, asked) in [
        ("git checkout a/a.go", vec![any("a/a.go")]),
        ("git -C sub checkout HEAD~1 a.rs", vec![any("sub/HEAD~1"), any("sub/a.rs")]),
        ("git checkout -q main", vec![any("main")]),
        ("git checkout -b a.go", vec![]),
        ("git checkout", vec![]),
        ("cd bin && git checkout -- run", vec![any("bin/run")]),
        ("git -C sub restore a.rs tools", vec![any("sub/tools")]),
        ("mv run tools", vec![moved("run", "tools", true)]),
        ("cd x; cp run.sh tools", vec![moved("x/run.sh", "x/tools", false)]),
        ("mv a.go docs sub/", vec![moved("docs", "sub/docs", true)]),
        ("for f in a b; do mv $f /bin/$f; done", {
            vec![moved("a", "/bin/a", true), moved("b", "/bin/b", true)]
        }),
        ("test -f x && mv run tools; true", vec![]),
        ("mv $A tools", vec![]),
        ("git checkout -- .", vec![]),
    ] {
        let found = ShellEdits::of(command);
        assert_eq!((found.asked, found.unsure), (asked, true), "{command}");
    }
}

#[test]
fn no_line_says_more_files_than_are_kept() {
    let many: String = (0..1_000).map(|it| format!(" f{it}.go")).collect();
    let found = ShellEdits::of(&format!("touch{many}"));
    assert_eq!((found.sure.len(), found.unsure), (super::FILES_MAX, true));
    let nested = "for f in a b c d e f; do ".repeat(40) + "touch $f" + &"; done".repeat(40);
    ShellEdits::of(&nested); // the same as those below
    for command in ["(".repeat(30_000), "cd a;".repeat(200), "fi;".repeat(200), ">".repeat(9_000)] {
        ShellEdits::of(&command); // only that it ends
    }
}
