//! Content that was recorded before is referred to, and read back whole.

use std::collections::BTreeSet;

use super::*;
use crate::event::limits::{INLINE_BYTES_MAX, REPEATED_BYTES_MIN};
use crate::event::{Content, OrderId};
use crate::execution::query::{Reference, Stores};
use crate::execution::{import_recorder, live_recorder};
use crate::journal::redaction;
use crate::store::catch_up::catch_up;
use crate::store::rebuild::rebuild;
use crate::store::{JournalFeed, StorePlaces};

/// Text that compression cannot make small.
fn text(len: usize, seed: u64) -> Vec<u8> {
    let block = |at: usize| blake3::hash(&[seed, at as u64].map(u64::to_le_bytes).concat());
    let text: String = (0..=len / 64).map(|at| block(at).to_hex().to_string()).collect();
    text.into_bytes()[..len].to_vec()
}

impl Scene {
    /// A call and its end, which printed this.
    fn printed(&self, source: Source, name: &str, printed: &[u8]) -> [Event; 2] {
        let at_ms = now();
        let (execution, started) = self.started(source, at_ms, name);
        let mut finished = self.finished(source, at_ms, execution);
        if let Body::ExecutionFinished(body) = &mut finished.body {
            body.closing.stdout = Some(Content::Inline(printed.to_vec()));
        }
        [started, finished]
    }

    fn contents(&self) -> Vec<Content> {
        self.recorded().iter().flat_map(|event| event.body.contents().cloned()).collect()
    }

    fn places(&self) -> StorePlaces {
        crate::stores::places(self.project.root())
    }

    fn stdout(&self, ordinal: u64) -> String {
        let stores = Stores::open(&self.places()).unwrap();
        let detail = stores.show(&Reference::Ordinal(ordinal)).unwrap();
        let (_, json) = detail.artifacts.into_iter().next().unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        value["text"].as_str().unwrap().to_owned()
    }

    fn catch_up(&self) {
        let feed = JournalFeed::of(&self.project).unwrap();
        let report = catch_up(&self.places(), &feed);
        assert!(report.stores.iter().all(|store| store.outcome.is_ok()), "{report:?}");
    }
}

#[test]
fn what_was_printed_before_is_kept_once() {
    for (len, kept_once) in [
        (REPEATED_BYTES_MIN - 1, false),
        (REPEATED_BYTES_MIN, true),
        (INLINE_BYTES_MAX - 1, true),
        (INLINE_BYTES_MAX, false),
    ] {
        for mode in ["live", "import", "a recorder each"] {
            let scene = scene();
            let printed = text(len, 1);
            let source = if mode == "import" { Source::Import } else { Source::Live };
            let begin = || match mode {
                "import" => import_recorder(&scene.project),
                _ => live_recorder(&scene.project),
            };
            let mut recorder = begin();
            for name in ["a", "b", "c"] {
                recorder.record(scene.printed(source, name, &printed).to_vec()).unwrap();
                if mode == "a recorder each" {
                    recorder.finish().unwrap();
                    scene.catch_up();
                    recorder = begin();
                }
            }
            recorder.finish().unwrap();
            let contents = scene.contents();
            let repeated: Vec<bool> =
                contents.iter().map(|c| matches!(c, Content::Repeated { .. })).collect();
            assert_eq!(repeated, [false, kept_once, kept_once], "{mode}, {len} bytes");
            let reader = scene.project.reader().unwrap();
            for content in &contents {
                assert_eq!(reader.bytes(content).unwrap(), printed, "{mode}, {len} bytes");
            }
            scene.catch_up();
            for ordinal in 1..=3 {
                assert_eq!(scene.stdout(ordinal).as_bytes(), printed, "{mode}, {len} bytes");
            }
            let feed = JournalFeed::of(&scene.project).unwrap();
            let report =
                rebuild(&scene.places(), &feed, &[], crate::store::rebuild::RebuildMode::Check);
            assert!(!report.unwrap().differs(), "{mode}, {len} bytes");
        }
    }
}

#[test]
fn what_was_redacted_meanwhile_is_kept_itself_again() {
    for mode in ["live", "import"] {
        let scene = scene();
        let printed = text(5_000, 1);
        let (mut recorder, source) = match mode {
            "import" => (import_recorder(&scene.project), Source::Import),
            _ => (live_recorder(&scene.project), Source::Live),
        };
        for name in ["a", "b"] {
            recorder.record(scene.printed(source, name, &printed).to_vec()).unwrap();
        }
        scene.project.journal().unwrap().sync().unwrap();
        let last = scene.project.journal().unwrap().watermark().sequence;
        let reader = scene.project.reader().unwrap();
        let goes = BTreeSet::from([Sequence(last.0 - 2)]);
        let plan = redaction::plan(&reader, &goes, &goes).unwrap();
        assert_eq!(plan.referrers, [last], "{mode}");
        let order = plan.order(OrderId([7; 16]), now(), "me".into(), "leaked".into(), None);
        redaction::begin(&scene.project, &order).unwrap();
        redaction::carry_out(&scene.project).unwrap();
        for name in ["c", "d"] {
            recorder.record(scene.printed(source, name, &printed).to_vec()).unwrap();
        }
        recorder.finish().unwrap();
        let repeated: Vec<bool> =
            scene.contents().iter().map(|c| matches!(c, Content::Repeated { .. })).collect();
        assert_eq!(repeated, [false, true], "{mode}");
        let reader = scene.project.reader().unwrap();
        for content in &scene.contents() {
            assert_eq!(reader.bytes(content).unwrap(), printed, "{mode}");
        }
    }
}

#[test]
fn what_is_only_alike_is_kept_itself() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let mut other = text(5_000, 1);
    other[4_999] ^= 1;
    for (name, printed) in [("a", text(5_000, 1)), ("b", other), ("c", text(5_001, 1))] {
        recorder.record(scene.printed(Source::Live, name, &printed).to_vec()).unwrap();
    }
    assert!(scene.contents().iter().all(|content| matches!(content, Content::Inline(_))));
}

#[test]
fn a_reference_to_what_is_not_there_is_an_anomaly_and_no_error() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let printed = text(5_000, 1);
    recorder.record(scene.printed(Source::Live, "a", &printed).to_vec()).unwrap();
    let (hash, len) = (*blake3::hash(&printed).as_bytes(), 5_000);
    // The first is what init recorded; then one that comes later, one beyond the end, itself.
    for (name, sequence) in [("b", 1), ("c", 7), ("d", 1 << 40), ("e", 12)] {
        let mut events = scene.printed(Source::Live, name, b"");
        for content in events[1].body.contents_mut() {
            *content = Content::Repeated { sequence, hash, len };
        }
        recorder.record(events.to_vec()).unwrap();
    }
    scene.catch_up();
    let stores = Stores::open(&scene.places()).unwrap();
    assert_eq!(stores.counts().unwrap().ok, 5);
    for ordinal in 2..=5 {
        assert!(stores.show(&Reference::Ordinal(ordinal)).unwrap().artifacts.is_empty());
    }
    let errors = std::fs::read_to_string(scene.project.errors_path()).unwrap();
    assert_eq!(errors.matches("repeat those of event @").count(), 4, "{errors}");
}
