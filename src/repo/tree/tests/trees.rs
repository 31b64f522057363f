//! What of a tree is told, what is not, and what would lead out of it.

use std::fs;
use std::os::unix::fs::symlink;

use super::Wood;
use crate::repo::tree::FILE_BYTES_MAX;

#[test]
fn a_tree_is_told_as_git_sees_it() {
    let wood = Wood::new(&[
        (".gitignore", "target/\n*.log\n"),
        (".ignore", "docs/\n"),
        (".hidden/a.rs", "fn hidden() {}\n"),
        (".git/config.rs", "fn git() {}\n"),
        (".annals/x.rs", "fn ours() {}\n"),
        ("target/a.rs", "fn built() {}\n"),
        ("a.log", "x"),
        ("execution_log.db", "x"),
        ("execution_log.db-wal", "x"),
        ("README.md", "# Shop\n"),
        ("src/main.rs", "fn main() {\n"),
        ("src/cart.rs", "struct Cart;\nfn add() {\nfn remove() {\n"),
        ("tests/all.rs", "fn a() {\nfn b() {\nfn c() {\nfn d() {\n"),
        ("docs/guide.md", "# One\n## Two\n## Three\n## Four\n"),
        ("data.bin", "\0\0"),
        ("lib.py", "\0\0def f():\n"),
    ]);
    let expect = [
        "the whole tree: 7 files (Rust 3, Markdown 2, Python 1)",
        "docs/: 1 file (Markdown 1)",
        "src/: 2 files (Rust 2)",
        "tests/: 1 file (Rust 1)",
        "README.md: # Shop",
        "src/main.rs: fn main",
        "src/cart.rs: struct Cart, fn add, fn remove",
        "docs/guide.md: # One, # Two, # Three, # Four",
        "tests/all.rs: fn a, fn b, fn c, fn d",
    ];
    assert_eq!(wood.lines(), expect);
    assert_eq!(wood.scan().map.left_out.unread, 1, "a Python file that is none");
}

#[test]
fn no_link_is_followed_and_nothing_that_is_no_file_is_opened() {
    let wood = Wood::new(&[("a.rs", "fn a() {}\n")]);
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.rs"), "fn outside() {}\n").unwrap();
    symlink(outside.path(), wood.top().join("link")).unwrap();
    symlink(outside.path().join("secret.rs"), wood.top().join("link.rs")).unwrap();
    symlink(wood.top(), wood.top().join("loop")).unwrap();
    // Whoever opens it to read waits for ever.
    rustix::fs::mknodat(
        rustix::fs::CWD,
        wood.top().join("fifo.rs"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    let large = format!("fn large() {{}}\n{}", "/".repeat(FILE_BYTES_MAX as usize));
    wood.write("large.rs", large);
    let scanned = wood.scan();
    assert_eq!(scanned.map.lines(), ["the whole tree: 2 files (Rust 2)", "a.rs: fn a"]);
    assert_eq!((scanned.map.left_out.unread, scanned.read), (1, 1));
    assert!(super::super::walk::Top::open(&wood.top()).is_ok());
    let top = super::super::walk::Top::open(&wood.top()).unwrap();
    for path in ["link/secret.rs", "link.rs", "../top/a.rs", "fifo.rs", ".", "gone.rs"] {
        let refused = matches!(top.read(path.as_ref()), super::super::walk::Found::Refused);
        assert!(refused, "{path}");
    }
}

#[test]
fn a_secret_in_a_name_is_neither_told_nor_remembered() {
    let secret = "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E";
    let wood = Wood::new(&[
        ("a.md", &format!("# token {secret}\n")),
        (&format!("{secret}/main.rs"), "fn main() {}\n"),
    ]);
    let told = serde_json::to_string(&wood.scan().map).unwrap();
    assert!(!told.contains(secret) && told.contains("REDACTED"), "{told}");
    let kept = fs::read(wood.cache()).unwrap();
    assert!(!kept.windows(secret.len()).any(|it| it == secret.as_bytes()));
}

#[test]
fn a_map_stays_small_and_says_what_it_left_out() {
    let files: Vec<_> = (0..1_500)
        .map(|n| {
            let path = format!("deep/{}/folder_with_a_long_name_{n}/module.rs", n % 7);
            (path, format!("fn function_number_{n}() {{}}\nstruct Structure{n};\n"))
        })
        .collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let wood = Wood::new(&files);
    let (first, again) = (wood.scan().map, wood.scan().map);
    assert_eq!(first, again);
    assert_eq!(first.files, 1_500);
    let (folders, outlines) = (first.folders.len() as u64, first.outlines.len() as u64);
    assert_eq!(folders + first.left_out.folders, 1_500 + 7 + 2);
    assert_eq!(outlines + first.left_out.outlines, 1_500);
    assert!(folders > 50 && outlines > 100, "{folders} folders, {outlines} outlines");
    // From nothing it is the same as from what is remembered.
    fs::remove_file(wood.cache()).unwrap();
    assert_eq!(wood.scan().map, first);
}
