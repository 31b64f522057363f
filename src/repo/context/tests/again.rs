//! When a pack that was made before is told again, and when it is not.

use std::fs;

use super::{BUILD, Ground};
use crate::repo::context::{ContextAsked, context};

fn packs(ground: &Ground) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(ground.path(".annals/packs")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|it| it == "pack")).collect()
}

/// Puts a mark into every pack that is kept, as if it had been made with it.
fn mark(ground: &Ground, asked: &ContextAsked) {
    let project = ground.project();
    let seen = super::super::refresh_tree(&project).unwrap().inputs;
    let mut told = context(&project, asked, BUILD).unwrap();
    told.pack.text = "kept".to_owned();
    let settings = &project.config().repo;
    let asked = crate::repo::pack::PackAsked {
        repo: None,
        current: Some(crate::repo::identify(project.root()).unwrap().origin()),
        session: crate::repo::pack::PackSession::Newest,
        chars_max: asked.chars_max.unwrap_or(settings.context_max_chars as usize),
        paths: asked.paths.clone(),
        summaries_max: settings.context_summaries as usize,
        map: true,
        prompt: None,
    };
    let key = super::super::PackKey::of(&project, &asked, Some(seen), BUILD).unwrap();
    super::super::KeptPacks::of(&project).keep(&key, &told);
}

#[test]
fn a_kept_pack_is_told_again_until_anything_that_it_depends_on_changes() {
    let ground = Ground::new(&[("a.rs", "fn a() {}\n")]);
    ground.note("first");
    let asked = ContextAsked::default();
    let first = ground.text();
    assert_eq!(ground.text(), first);
    let kept = |expect: bool, what: &str| {
        assert_eq!(ground.text() == "kept", expect, "{what}");
        // Without what is kept it is the same as with it.
        let with = ground.text();
        if !expect {
            fs::remove_dir_all(ground.path(".annals/packs")).unwrap();
            assert_eq!(ground.text(), with, "{what}");
        }
        mark(&ground, &asked);
    };
    mark(&ground, &asked);
    kept(true, "nothing changed");
    ground.note("second");
    kept(false, "an event");
    ground.write(".annals/config.toml", "[repo]\ncontext_summaries = 7\n");
    kept(false, "the settings");
    ground.write(".annals/config.toml", "[repo]\ncontext_summaries = 7 \n");
    kept(false, "the settings, only as they are written");
    ground.write("a.rs", "fn b() {}\n");
    kept(false, "the tree");
    kept(true, "nothing since");
    let told = |asked: &ContextAsked, build: &str| {
        context(&ground.project(), asked, build).unwrap().pack.text
    };
    assert_ne!(told(&asked, "another build"), "kept");
    let fewer = ContextAsked { chars_max: Some(100), ..asked.clone() };
    let about = ContextAsked { paths: vec!["a.rs".to_owned()], ..asked.clone() };
    let newest = ContextAsked { summaries_max: Some(3), ..asked.clone() };
    let no_map = ContextAsked { no_map: true, ..asked.clone() };
    for other in [fewer, about, newest, no_map] {
        assert_ne!(told(&other, BUILD), "kept", "{other:?}");
    }
}

#[test]
fn a_broken_pack_is_made_anew_and_few_are_kept() {
    let ground = Ground::new(&[]);
    ground.note("first");
    let first = ground.text();
    let [path] = packs(&ground).try_into().unwrap();
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(71) {
        let mut broken = whole.clone();
        broken[at] ^= 1;
        fs::write(&path, &broken).unwrap();
        assert_eq!(ground.text(), first, "byte {at}");
        fs::write(&path, &whole[..at]).unwrap();
        assert_eq!(ground.text(), first, "cut at {at}");
    }
    // Another's pack under this name.
    ground.ask(&ContextAsked { chars_max: Some(15), ..ContextAsked::default() });
    let other = packs(&ground).into_iter().find(|it| *it != path).unwrap();
    fs::copy(&other, &path).unwrap();
    assert_eq!(ground.text(), first);
    for chars_max in 0..66 {
        ground.ask(&ContextAsked {
            chars_max: Some(chars_max),
            no_map: true,
            ..ContextAsked::default()
        });
    }
    assert!(packs(&ground).len() <= 64, "{}", packs(&ground).len());
}
