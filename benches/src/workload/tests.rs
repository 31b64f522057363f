//! The workload is what TARGETS says, and the floor reads it as the program does.

use annals::internal::event::{self, Body, Content};

use super::{events, execution};
use crate::floor::decode_borrowed;

#[test]
fn the_mix_is_the_one_that_is_promised() {
    let all: Vec<_> = (0..4_000).map(execution).collect();
    let share = |count: usize| count * 100 / all.len();
    assert!(all.iter().all(|one| (100..=660).contains(&one.arguments.len())));
    assert!((27..=33).contains(&share(all.iter().filter(|one| one.stdout.is_some()).count())));
    assert!((8..=12).contains(&share(all.iter().filter(|one| one.diagnostics.is_some()).count())));
    let stdout = all.iter().filter_map(|one| one.stdout.as_ref());
    assert!(stdout.clone().all(|text| (200..=8 << 10).contains(&text.len())));
    for one in &all {
        for json in [Some(&one.arguments), one.diagnostics.as_ref()].into_iter().flatten() {
            serde_json::from_str::<serde_json::Value>(json).unwrap();
        }
    }
}

#[test]
fn the_same_index_gives_the_same_execution() {
    assert_eq!(execution(77).events(), execution(77).events());
    assert_ne!(execution(77).id, execution(78).id);
}

#[test]
fn the_borrowed_floor_decodes_what_the_program_encodes() {
    for pair in events(200) {
        for one in pair {
            let mut payload = Vec::new();
            event::encode(&one, &mut payload).unwrap();
            let some = match &one.body {
                Body::ExecutionStarted(started) => started.arguments.0.len(),
                Body::ExecutionFinished(finished) => {
                    assert!(!matches!(finished.closing.stdout, Some(Content::Blob { .. })));
                    finished.tool.len()
                }
                _ => 0,
            };
            let read = decode_borrowed(one.body.kind().0, &payload).unwrap();
            assert_eq!(read, one.envelope.at_ms + some as u64);
        }
    }
}
