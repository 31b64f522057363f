//! What lines of each language define, and what only looks as if it did.

use crate::repo::tree::languages::LANGUAGES;
use crate::repo::tree::outline::{Language, outline};
use crate::repo::tree::{DEFINITIONS_MAX, NAME_CHARS_MAX};

#[test]
fn definitions_are_found_by_the_look_of_their_lines() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "a.rs",
            "//! fn no\nuse a::b;\npub(crate) async fn go<T>(a: T) {\nfn plain() {\n    pub fn inner(&self) {\n\
             \x20   fn hidden() {}\n        pub fn deep() {}\npub struct Cart;\nenum Kind {\ntrait Sell: Sized {\n\
             pub const fn c() -> u8 {\npub const LIMIT: u8 = 1;\nmod tests {\nmod other;\nmacro_rules! m {\n\
             type A = B;\n// struct Not {\nlet fn_ = 1;\nstruct of things\n",
            &[
                "fn go",
                "fn plain",
                "fn inner",
                "struct Cart",
                "enum Kind",
                "trait Sell",
                "fn c",
                "mod tests",
                "macro_rules! m",
                "type A",
            ],
        ),
        (
            "a.py",
            "import a\nclass Cart(Base):\n    def add(self):\n        def deep():\n    async def go(self):\n\
             def main():\nclass of things\ndefault = 1\n@dec\nclass Plain:\n\tdef tabbed(x):\n",
            &["class Cart", "def add", "def go", "def main", "class Plain", "def tabbed"],
        ),
        (
            "a.ts",
            "export default function main() {\nexport const add = (a) => a\nconst no = 1\n\
             export interface Cart {\nexport abstract class Shop<T> {\ntype Id = string\nfunction* gen() {\n\
             export async function go() {\n  function nested() {}\nclass and more\n",
            &[
                "function main",
                "const add",
                "interface Cart",
                "class Shop",
                "type Id",
                "function gen",
                "function go",
            ],
        ),
        (
            "a.go",
            "package a\nfunc main() {\nfunc (c *Cart) Add(i int) {\nfunc Map[T any](a T) {\ntype Cart struct {\n\
             type Id = string\ntype Shop interface {\n// func no() {\n",
            &["func main", "func Add", "func Map", "type Cart", "type Id", "type Shop"],
        ),
        (
            "A.java",
            "public final class Cart {\n    public static class Inner extends B {\n    int no;\n\
             public interface Shop<T> {\nenum Kind {\npublic record Point(int x) {\n",
            &["interface Shop", "enum Kind", "record Point"],
        ),
        (
            "a.c",
            "#include <a.h>\nstruct cart {\nstatic int cart_add(struct cart *cart, int n)\n{\n    if (x) {\n\
             int declared(void);\nreturn (1);\nchar *name(void) {\nmain(void) {\nint x = call(1);\n",
            &["struct cart", "cart_add()", "name()"],
        ),
        (
            "a.cpp",
            "namespace shop {\nvoid Cart::add(int a) {\nclass Cart : public B {\n",
            &["namespace shop", "Cart::add()", "class Cart"],
        ),
        (
            "a.sh",
            "#!/bin/sh\nbuild() {\nfunction test_it {\ncall \"$(x)\"\ncheck-all() (\n",
            &["build()", "function test_it", "check-all()"],
        ),
        (
            "a.rb",
            "class Cart < Base\n  def add(a)\n  def ok?\nmodule Shop\n",
            &["class Cart", "def add", "def ok?", "module Shop"],
        ),
        (
            "a.sql",
            "CREATE TABLE IF NOT EXISTS carts (\ncreate unique index by_id on carts (id);\nselect * from t;\n\
             Create View v AS select 1\n",
            &["table carts", "index by_id", "view v"],
        ),
        (
            "a.md",
            "# Title\ntext\n## Part\n### Deep\n```sh\n# no heading\n```\n#hash\n",
            &["# Title", "# Part"],
        ),
        (
            "Makefile",
            "all: a b\n.PHONY: all\nCC := gcc\nobj/%.o: x\n\tcc x\ntest:\n",
            &["all", "test"],
        ),
        ("a.json", "{\"class A {\": 1}\nclass A {\n", &[]),
    ];
    for (name, text, expect) in cases {
        let language = Language::of(name).unwrap();
        let found = outline(language, text);
        // `class Cart {` in Java has words before it and a word behind.
        let expect: Vec<_> = expect.iter().map(|it| (*it).to_owned()).collect();
        let found: Vec<_> = match *name {
            "A.java" => found.definitions.into_iter().filter(|it| !it.contains("class")).collect(),
            _ => found.definitions,
        };
        assert_eq!(found, expect, "{name}");
    }
}

#[test]
fn a_language_is_known_by_a_files_name() {
    let of = |name| Language::of(name).map(|language| language.name);
    for (name, expect) in [
        ("a.rs", Some("Rust")),
        ("A.RS", Some("Rust")),
        ("a.b.py", Some("Python")),
        ("Makefile", Some("Make")),
        ("makefile.txt", Some("Text")),
        ("rs", None),
        (".rs", None),
        ("a.", None),
        ("", None),
        ("a.unknown", None),
    ] {
        assert_eq!(of(name), expect, "{name}");
    }
    let lines = include_str!("../languages.txt").lines().count();
    assert_eq!(LANGUAGES.len(), lines, "a line of the table is not read");
    let mut extensions: Vec<_> = LANGUAGES.iter().flat_map(|it| it.extensions.split(' ')).collect();
    let all = extensions.len();
    extensions.sort_unstable();
    extensions.dedup();
    assert_eq!(extensions.len(), all, "an extension is in two languages");
}

#[test]
fn hostile_lines_end_in_short_names() {
    let rust = Language::of("a.rs").unwrap();
    let many: String = (0..500).map(|n| format!("fn f{n}() {{}}\n")).collect();
    let found = outline(rust, &many);
    assert_eq!((found.definitions.len(), found.more), (DEFINITIONS_MAX, 436));
    let long = format!("fn {}() {{}}", "ä".repeat(150));
    let found = outline(rust, &long);
    assert_eq!(found.definitions[0].chars().count(), "fn ".len() + NAME_CHARS_MAX);
    let headings = Language::of("a.md").unwrap();
    let found = outline(headings, "# a\u{1b}[2J\u{7}b\r\n# c\rd");
    assert!(found.definitions.iter().all(|it| !it.chars().any(char::is_control)), "{found:?}");
    // Whatever stands there, it is read to its end.
    for language in LANGUAGES.iter() {
        for text in [
            "\u{a0}(",
            "pub(",
            "pub(\u{2003}x",
            "func (",
            "func (a",
            "ä(b) {",
            "\u{3000}x(",
            "fn ::",
            "fn a::",
            "fn a::::b(",
            "() {",
            "# ",
            ":",
            "a:",
            "(",
            "create",
            "export default",
            "fn \"",
            "struct \u{301}{",
            "x\u{a0}y(z) {",
            "function",
            "*",
            "fn *&*a(",
        ] {
            outline(language, text);
        }
    }
}
