//! README is short, its links lead somewhere, and what the pages name exists.

use std::path::{Path, PathBuf};

use crate::project::Project;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const README_LINES_MAX: usize = 200;

/// README, and the pages that it leads to.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = std::fs::read_dir(Path::new(ROOT).join("docs")).expect("docs");
    let mut pages: Vec<PathBuf> = folder.map(|it| it.expect("a page").path()).collect();
    // A picture is no page.
    pages.retain(|it| it.extension().is_some_and(|it| it == "md"));
    pages.push(Path::new(ROOT).join("README.md"));
    let read = |page: PathBuf| (page.clone(), std::fs::read_to_string(page).expect("a page"));
    pages.into_iter().map(read).collect()
}

#[test]
fn the_front_door_is_short_and_every_page_is_led_to() {
    let pages = pages();
    let (_, readme) = pages.last().expect("README");
    assert!(readme.lines().count() <= README_LINES_MAX);
    for (page, _) in &pages {
        let name = page.strip_prefix(ROOT).expect("below the root").to_string_lossy();
        assert!(name == "README.md" || readme.contains(&format!("({name})")), "{name}");
    }
}

#[test]
fn every_link_leads_to_a_file() {
    for (page, text) in pages() {
        for link in text.split("](").skip(1) {
            let (to, _) = link.split_once(')').expect("the end of a link");
            // Behind `#` stands a heading; alone, one of the page itself.
            let file = to.split('#').next().filter(|file| !file.is_empty());
            let target = file.map_or_else(|| page.clone(), |file| page.with_file_name(file));
            assert!(target.is_file(), "{}: {to}", page.display());
        }
    }
}

/// The verb, and of one with verbs of its own those as well.
#[test]
fn every_command_shown_is_one_that_exists() {
    let project = Project::new();
    let mut asked = std::collections::BTreeSet::new();
    for (page, text) in pages() {
        let shown = text.lines().filter_map(|line| line.strip_prefix("    $ "));
        let calls = shown.flat_map(|line| line.split("annals ").skip(1));
        for call in calls {
            let verbs = call.split(' ').take_while(|word| {
                !word.is_empty() && word.chars().all(|it| it.is_ascii_lowercase() || it == '-')
            });
            let verbs: Vec<&str> =
                verbs.take(2).take_while(|word| !word.starts_with('-')).collect();
            if verbs.is_empty() || !asked.insert(verbs.join(" ")) {
                continue;
            }
            println!("{}: annals {call}", page.display());
            project.annals(verbs.iter().copied().chain(["--help"])).code(0);
        }
    }
    assert!(asked.len() > 30, "{asked:?}");
}
