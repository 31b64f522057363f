//! The call logs and the logs of experiments against histories: caught up, rebuilt, killed, changed
//! by hand.

mod history;
mod wounds;

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use proptest::prelude::*;

use self::history::{any_logged_history, asked, logged_history};
use super::history::{NOW_MS, event};
use super::places;
use crate::event::{Body, BranchForked, Content, MemoryDoor, MemoryOrigin};
use crate::leash::Leash;
use crate::phases::prompt::Prompt;
use crate::store::catch_up::catch_up;
use crate::store::catch_up::tests::catch_up_by;
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{Digest, StoreName, StorePlaces, store_digest};

const FOLDERS: [StoreName; 2] = [StoreName::MEMORY_LOGS, StoreName::EXPERIMENTS];
const PROJECT: &str = "ANNALS_TEST_KILLED_LOGS";
/// Kills of one run of the test.
const KILLS: u64 = 16;

/// The digests of both; nothing for one that is not made.
fn digests(places: &StorePlaces) -> [Option<Digest>; 2] {
    FOLDERS.map(|store| {
        let is_made = places.path(store).exists();
        is_made.then(|| store_digest(places, store).unwrap())
    })
}

fn rebuilt(places: &StorePlaces, feed: &MemoryFeed) {
    let stores = [&[StoreName::INDEX][..], &FOLDERS].concat();
    rebuild(places, feed, &stores, RebuildMode::Replace).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(16),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Batches of 1, 7 and 1000, with the program ended and started again at random prefixes.
    #[test]
    fn logs_caught_up_equal_those_rebuilt(
        history in any_logged_history(),
        stops in prop::collection::vec(0..16_usize, 0..4),
        batch in prop::sample::select(&[1_u64, 7, 1000][..]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (live, anew) = (places(&folder.path().join("live")), places(&folder.path().join("anew")));
        let mut stops = stops;
        stops.sort_unstable();
        stops.push(history.commits.len());
        for stop in stops {
            let shown = history.up_to(stop);
            let report = catch_up_by(&live, &shown, batch);
            prop_assert!(report.is_current(), "{report:?}");
            rebuilt(&anew, &shown);
            prop_assert_eq!(digests(&live), digests(&anew));
            let checked = rebuild(&live, &shown, &FOLDERS, RebuildMode::Check).unwrap();
            prop_assert!(checked.stores.iter().all(|store| store.same == Some(true)), "{checked:?}");
        }
        // Nothing of any name got out, and nothing was left.
        let beside = std::fs::read_dir(folder.path()).unwrap().count();
        prop_assert_eq!(beside, 2);
    }
}

#[test]
fn a_prompts_log_is_what_the_model_read() {
    let mut prompt = Prompt::default();
    prompt.set("Introduction", "Hello,\n\nyou.\n\n");
    prompt.set_parts(
        "Instructions",
        vec![
            ("Response format".to_owned(), "# JSON\n".to_owned()),
            ("B".to_owned(), " ".to_owned()),
        ],
    );
    prompt.set("Empty", "");
    prompt.set("Code", "fn main() {\n    \"\\u{1}\"\n}");
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let sections = Content::Inline(prompt.json().into_bytes());
    let mut feed = MemoryFeed::new(1);
    feed.commit(vec![event(NOW_MS, None, asked("draft_attempt1", sections))]);
    assert!(catch_up(&places, &feed).is_current());
    let log = places
        .path(StoreName::EXPERIMENTS)
        .join("run/logs/0-exp/prompt_logs/s/draft_attempt1_round0.md");
    assert_eq!(std::fs::read_to_string(log).unwrap(), prompt.markdown());
}

/// A fold that remembers something for a later event has lost it where catching up ended in between.
#[test]
fn a_branch_made_by_itself_in_another_commit_says_nothing_of_the_next() {
    let forked = |parent: Option<&str>, branch: &str, auto_created| {
        let by = MemoryDoor::Api;
        let origin = MemoryOrigin { by, run: None, node: None, phase: None, execution: None };
        let (parent, branch) = (parent.map(str::to_owned), branch.to_owned());
        let body =
            BranchForked { branch, parent, node: None, auto_created, copied_from: None, origin };
        event(NOW_MS, None, Body::BranchForked(body))
    };
    let folder = tempfile::tempdir().unwrap();
    let (live, anew) = (places(&folder.path().join("live")), places(&folder.path().join("anew")));
    let mut feed = MemoryFeed::new(1);
    feed.commit(vec![forked(None, "a", true)]);
    assert!(catch_up(&live, &feed).is_current());
    feed.commit(vec![forked(Some("a"), "b", false)]);
    assert!(catch_up(&live, &feed).is_current());
    rebuilt(&anew, &feed);
    assert_eq!(digests(&live), digests(&anew));
}

/// Not a test of its own: what the test below starts, and kills.
#[test]
fn killed_logger() {
    let Ok(project) = env::var(PROJECT) else { return };
    let (places, feed) = (crate::stores::places(Path::new(&project)), logged_history());
    loop {
        for shown in (0..=feed.commits.len()).step_by(5) {
            let report = catch_up_by(&places, &feed.up_to(shown), 3);
            // Of a history that was longer before, the rest is not there any more.
            assert!(shown < feed.commits.len() || report.is_current(), "{report:?}");
        }
        drop(rebuild(&places, &feed, &FOLDERS, RebuildMode::Replace));
    }
}

#[test]
fn a_projector_killed_at_any_moment_leaves_logs_that_catch_up_to_the_same_digest() {
    let folder = tempfile::tempdir().unwrap();
    let feed = logged_history();
    let (live, anew) = (places(&folder.path().join("live")), places(&folder.path().join("anew")));
    rebuilt(&anew, &feed);
    let whole = digests(&anew);
    assert!(whole.iter().all(Option::is_some));
    let mut met = 0;
    for kill in 0..KILLS {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "store::catch_up::tests::logs::killed_logger"])
            .env(PROJECT, folder.path().join("live"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Leash::of)
            .unwrap();
        std::thread::sleep(Duration::from_millis(40 + kill * 37 % 260));
        child.kill().unwrap();
        child.wait().unwrap();
        // Whatever is there can be read.
        met += digests(&live).iter().flatten().count();
        if kill % 4 == 3 {
            let report = catch_up(&live, &feed);
            assert!(report.is_current(), "{report:?}");
            assert_eq!(digests(&live), whole, "kill {kill}");
        }
    }
    assert!(met > 0, "no kill came while there was anything");
}
