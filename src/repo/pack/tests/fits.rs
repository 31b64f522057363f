//! What fits into a pack, whatever there is and however little room there is.

use proptest::prelude::*;

use crate::repo::pack::SectionName;
use crate::repo::pack::fit::Material;
use crate::repo::pack::fit::fit;

fn material(name: SectionName) -> impl Strategy<Value = Material> {
    let items = prop::collection::vec("[a-zä#\\- ]{0,12}(\n {4}[a-z]{1,30}){0,3}", 0..7);
    let absent = prop::collection::vec("[a-zä]{0,40}", 0..3);
    let all = (items, any::<bool>(), 0..3_u64, any::<bool>(), absent);
    all.prop_map(move |(mut items, last, left_out, is_named, mut absent)| {
        let (mut names, mut number) = (Vec::new(), 0);
        if is_named {
            // Else one item cannot be told from another.
            for item in &mut items {
                *item = format!("{number} {item}");
                names.push(format!("name {number}"));
                number += 1;
            }
            absent.truncate(usize::try_from(left_out).unwrap());
        } else {
            absent.clear();
        }
        let material = match last {
            true => Material::last_first(name, items, left_out),
            false => Material::first_first(name, items, left_out),
        };
        material.named(names, absent)
    })
}

fn materials() -> impl Strategy<Value = Vec<Material>> {
    let each: Vec<_> = SectionName::ALL.iter().map(|name| material(*name)).collect();
    (each, prop::collection::vec(prop::bool::weighted(0.8), 7)).prop_map(|(all, here)| {
        all.into_iter().zip(here).filter(|(_, here)| *here).map(|(material, _)| material).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_pack_is_never_longer_than_asked_and_holds_whole_items_and_counts_the_rest(
        all in materials(),
    ) {
        let whole = fit(all.clone(), usize::MAX);
        for chars_max in (0..whole.chars + 40).step_by(2).chain([usize::MAX - 1, usize::MAX]) {
            let pack = fit(all.clone(), chars_max);
            prop_assert!(pack.chars <= chars_max, "{} of {chars_max}:\n{}", pack.chars, pack.text);
            prop_assert_eq!(pack.chars, pack.text.chars().count());
            prop_assert_eq!(&pack, &fit(all.clone(), chars_max));
            let told = all.iter().filter(|it| !it.items.is_empty() || it.left_out > 0);
            prop_assert_eq!(pack.sections.len(), told.clone().count());
            for (section, material) in pack.sections.iter().zip(told) {
                // In the text's order, each of them whole and no more often than it is there.
                let mut from = material.items.iter();
                prop_assert!(section.items.iter().all(|item| from.any(|it| it == item)));
                let of = material.items.len() as u64 + material.left_out;
                prop_assert_eq!(section.items.len() as u64 + section.left_out, of);
                let inside = section.items.iter().all(|it| pack.text.contains(&["- ", it.as_str()].concat()));
                prop_assert!(inside, "{}", pack.text);
                prop_assert!(section.named.len() as u64 <= section.left_out);
                let told = |name: &str| material.items.iter().zip(&material.names).any(|(item, its)| {
                    its == name && section.items.contains(item)
                });
                let is_known = |name: &String| material.names.contains(name) || material.absent.contains(name);
                prop_assert!(section.named.iter().all(|name| is_known(name) && !told(name)));
                let names = section.named.join("; ");
                prop_assert!(pack.text.contains(&names), "{}", pack.text);
            }
            let left_out: u64 = pack.sections.iter().map(|it| it.left_out).sum();
            let says = pack.text.contains("Left out");
            prop_assert!(says == (left_out > 0) || pack.text.is_empty(), "{}", pack.text);
        }
        let all_told = whole.sections.iter().zip(all.iter().filter(|it| !it.items.is_empty() || it.left_out > 0));
        for (section, material) in all_told {
            prop_assert_eq!(&section.items, &material.items);
        }
    }
}

fn of(name: SectionName, items: &[&str]) -> Material {
    Material::first_first(name, items.iter().map(|it| (*it).to_owned()).collect(), 0)
}

#[test]
fn a_pack_reads_so() {
    let summaries = ["run step-1: old", "run step-2: new"].map(str::to_owned).to_vec();
    let all = vec![
        of(SectionName::Conventions, &["Style [rust]: say why\n    not what", "Tests: real files"]),
        of(SectionName::Notes, &[]),
        Material::last_first(SectionName::Summaries, summaries, 3),
        of(SectionName::PendingFailures, &["#4 bash_exec \"cargo test\" FAILED"]),
    ];
    let whole = "## Conventions\n- Style [rust]: say why\n    not what\n- Tests: real files\n\n\
        ## Latest summaries\n- run step-1: old\n- run step-2: new\n\n\
        ## Pending failures\n- #4 bash_exec \"cargo test\" FAILED\n\n\
        ## Left out\n- 3 summaries";
    assert_eq!(fit(all.clone(), 1_000).text, whole);
    let exact = whole.chars().count();
    // What matters most in each section goes in first, the sections in their order.
    let tight = fit(all.clone(), exact - 1).text;
    assert!(
        tight.ends_with("step-2: new\n\n## Left out\n- 3 summaries\n- 1 pending failure"),
        "{tight}"
    );
    let tight = fit(all.clone(), 150).text;
    assert!(!tight.contains("step-1: old"), "{tight}");
    // Not even the list of what is left out fits.
    assert_eq!(fit(all.clone(), 20).text, "Left out: 8");
    assert_eq!(fit(all.clone(), 11).text, "Left out: 8");
    assert_eq!(fit(all, 10).text, "");
    assert_eq!(fit(Vec::new(), 0).text, "");
}

#[test]
fn no_section_starves_the_others() {
    let long: Vec<String> =
        (0..200).map(|n| format!("convention {n} {}", "x".repeat(80))).collect();
    let map: Vec<String> = (0..200).map(|n| format!("src/file_{n}.rs: fn f")).collect();
    let all = vec![
        Material::first_first(SectionName::Conventions, long, 0),
        Material::first_first(SectionName::RepoMap, map, 0),
        of(SectionName::Position, &["Step 3"]),
    ];
    let pack = fit(all, 4_000);
    let told: Vec<_> = pack.sections.iter().map(|section| section.items.len()).collect();
    assert!(told[0] > 20 && told[1] >= 5 && told[2] == 1, "{told:?}");
    assert!(pack.chars > 3_800, "{} of 4000", pack.chars);
}

#[test]
fn what_is_left_out_is_named_as_far_as_there_is_room() {
    let titles: Vec<_> = (0..9).map(|n| format!("Title {n}")).collect();
    let items = titles.iter().map(|title| format!("{title}: {}", "x".repeat(100))).collect();
    let far = vec!["one journal".to_owned(), "no threads".to_owned()];
    let all = vec![
        Material::last_first(SectionName::Conventions, items, 0).named(titles, Vec::new()),
        Material::first_first(SectionName::Decisions, Vec::new(), 2).named(Vec::new(), far),
        Material::first_first(SectionName::Notes, Vec::new(), 3),
    ];
    let end = |chars_max| {
        let pack = fit(all.clone(), chars_max);
        assert!(pack.chars <= chars_max, "{}", pack.text);
        pack.text.split("## Left out\n").nth(1).unwrap_or_default().to_owned()
    };
    let rest = "\n- 2 decisions: one journal; no threads\n- 3 notes";
    let (mut some, mut every) = (0, 0);
    for chars_max in 300..420 {
        let told = end(chars_max);
        let Some(names) = told.strip_prefix("- 7 conventions: ") else { continue };
        let Some(names) = names.strip_suffix(rest) else { continue };
        let whole = names.strip_suffix("; …");
        let of: Vec<_> = whole.unwrap_or(names).split("; ").collect();
        assert_eq!(of, (0..of.len()).map(|n| format!("Title {}", 6 - n)).collect::<Vec<_>>());
        assert_eq!(whole.is_none(), of.len() == 7, "{told}");
        if whole.is_some() { some += 1 } else { every += 1 }
    }
    assert!(some > 0 && every > 0, "{some} {every}");
    assert_eq!(
        end(100_000),
        "- 2 decisions: one journal; no threads\n- 3 notes",
        "all that was asked for is told"
    );
    assert_eq!(end(56), "- 9 conventions\n- 2 decisions\n- 3 notes");
}

#[test]
fn the_newest_two_summaries_go_in_before_all_else() {
    let long = |what: &str, count: usize, chars: usize| -> Vec<String> {
        (0..count).map(|n| format!("{what} {n} {}", "x".repeat(chars))).collect()
    };
    let all = vec![
        Material::first_first(SectionName::Conventions, long("convention", 50, 100), 0),
        Material::last_first(SectionName::Summaries, long("summary", 6, 450), 0),
    ];
    let told = |chars_max| {
        let pack = fit(all.clone(), chars_max);
        pack.sections.iter().map(|section| section.items.len()).collect::<Vec<_>>()
    };
    assert_eq!(told(3_000)[1], 2);
    let [conventions, summaries] = told(1_200).try_into().unwrap();
    assert!(conventions > 3 && summaries == 1, "half is for all: {conventions}, {summaries}");
}
