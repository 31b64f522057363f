//! Of many coverages those that show a fault are found without asking each.

use proptest::prelude::*;

use crate::parse::check::coverage::{Coverage, Filed};

fn few(of: &'static [&'static str], up_to: usize) -> impl Strategy<Value = Vec<String>> {
    let one = prop::sample::select(of).prop_map(str::to_owned);
    prop::collection::vec(one, 0..=up_to).prop_map(|mut few| {
        few.sort();
        few.dedup();
        few
    })
}

const PROGRAMS: [(&str, &str); 10] = [
    ("cargo", "rust"),
    ("go", "go"),
    ("golangci-lint", "go"),
    ("pytest", "python"),
    ("unittest", "python"),
    ("jest", "js"),
    ("gcc", "c"),
    ("make", ""),
    ("make build", ""),
    ("npm test", ""),
];
const LAYERS: [u8; 10] = [0, 1, 2, 3, 4, 7, 8, 32, 33, 255];
const FOLDERS: [&str; 8] = ["", "a", "a/b", "ab", "/x", "../x", "src", "a/b/"];
const PLACES: [&str; 16] = [
    "a/...",
    "a",
    "a/b",
    "a/b/...",
    "a/b.rs",
    "b",
    "ab/...",
    "pkg:x.y/a",
    "pkg:x.y/a/b",
    "pkg:",
    "-p a",
    "src/**/*.js",
    "src/*.js",
    "src/a.js",
    "src/a/b.js",
    "/x/...",
];
const TESTS: [&str; 10] =
    ["", "one", "two", "one$", "tests::one", "on", "tests::one/deep", "éé", "é", "tests::"];
const NARROWED: [&str; 5] = ["--lib", "--lf", "-k a", "--test it", ""];
const CONFIG: [&str; 4] = ["strict -D warnings", "by python3.12", "-race", "--release"];

fn any_coverage() -> impl Strategy<Value = Coverage> {
    let named = (few(&PLACES, 2), few(&TESTS, 3), few(&NARROWED, 2), few(&CONFIG, 1));
    let of = (prop::sample::select(&PROGRAMS[..]), prop::sample::select(&LAYERS[..]));
    let left_out = (few(&TESTS, 1), few(&PLACES, 1), prop::option::of(0..3_u64), 0..2_u64);
    (of, prop::sample::select(&FOLDERS[..]), named, left_out).prop_map(
        |(((program, language), layers), folder, (places, tests, narrowed, config), left_out)| {
            let (skipped, removed, ran, unnamed) = left_out;
            Coverage {
                language: language.to_owned(),
                program: program.to_owned(),
                layers,
                folder: folder.to_owned(),
                asked: places.clone(),
                places,
                tests,
                narrowed,
                config,
                skipped: skipped.into_iter().filter(|it| !it.is_empty()).collect(),
                removed: removed.into_iter().filter(|it| it.len() == 3).collect(),
                ran,
                unnamed,
                ..Coverage::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn those_that_are_found_are_those_that_cover(
        all in prop::collection::vec(any_coverage(), 0..120),
        needs in prop::collection::vec(any_coverage(), 60),
    ) {
        let mut filed = Filed::default();
        all.iter().cloned().for_each(|it| filed.add(it));
        // What looks at a fault itself, besides what happens to look at it.
        for need in needs.iter().chain(&all) {
            let each = all.iter().enumerate().filter(|it| it.1.covers(need)).map(|it| it.0);
            prop_assert_eq!(filed.covering(need), each.collect::<Vec<_>>(), "{:?}", need);
        }
    }
}

#[test]
fn of_a_text_that_holds_hundreds_of_parts_all_are_asked() {
    let of = |test: String| Coverage {
        program: "cargo".to_owned(),
        layers: 4,
        tests: vec![test],
        ..Coverage::default()
    };
    let all: Vec<Coverage> = (1..900).map(|it| of("x".repeat(it))).collect();
    let mut filed = Filed::default();
    all.iter().cloned().for_each(|it| filed.add(it));
    for length in [3, 600, 899] {
        let covering = filed.covering(&of("x".repeat(length)));
        assert!(covering.into_iter().eq(0..length));
    }
}

#[test]
fn of_thousands_that_differ_in_one_thing_a_few_are_asked() {
    let plain = Coverage { program: "cargo".to_owned(), layers: 4, ..Coverage::default() };
    let ways: [fn(&mut Coverage, String); 4] = [
        |it, name| it.tests = vec![format!("tests::of::many::{name}$")],
        |it, name| it.places = vec![format!("src/{name}.rs")],
        |it, name| it.folder = format!("crates/{name}"),
        |it, name| it.narrowed = vec![format!("--test {name}")],
    ];
    for (nth, way) in ways.into_iter().enumerate() {
        let one = |number: usize| {
            let mut one = plain.clone();
            way(&mut one, format!("n{number:05}"));
            one
        };
        let mut filed = Filed::default();
        (0..5_000).for_each(|number| filed.add(one(number)));
        for number in [0, 17, 4_999] {
            let mut need = one(number);
            need.tests.iter_mut().for_each(|it| *it = it.trim_end_matches('$').to_owned());
            assert_eq!(filed.covering(&need), [number], "way {nth}");
            assert!(filed.alike(&need).len() < 10, "way {nth}: {}", filed.alike(&need).len());
        }
    }
}
