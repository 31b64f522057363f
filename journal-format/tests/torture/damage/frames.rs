//! Frames dropped, doubled, swapped and spliced in: by someone who only moves bytes.

use std::collections::BTreeSet;

use annals_journal_format::storage::sim::Random;

use super::sample::{Sample, Segment, survey};
use crate::parallel::{each, is_full};

#[derive(Clone, Copy, Debug)]
enum Act {
    /// Taken out, what follows moved up.
    Drop,
    /// Overwritten with zeros.
    Zero,
    /// Twice, what follows moved down.
    Double,
    /// Exchanged with another of the segment.
    Swap,
    /// Replaced by a frame of another journal.
    Splice,
    /// Replaced by a frame of the same journal's other segment.
    Transplant,
}

const ACTS: [Act; 6] = [Act::Drop, Act::Zero, Act::Double, Act::Swap, Act::Splice, Act::Transplant];

fn tamper(act: Act, it: &Segment, other: &Segment, random: &mut Random) -> Option<Vec<u8>> {
    let pick = |segment: &Segment, random: &mut Random| {
        segment.frames[random.below(segment.frames.len() as u64) as usize]
    };
    let frame = pick(it, random);
    let range = frame.start..frame.end;
    let mut bytes = it.bytes.clone();
    match act {
        Act::Drop => drop(bytes.drain(range)),
        Act::Zero => bytes[range].fill(0),
        Act::Double => {
            let twice = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, twice);
        }
        Act::Swap => {
            let second = pick(it, random);
            let (first, second) =
                if frame.start < second.start { (frame, second) } else { (second, frame) };
            if first.start == second.start {
                return None;
            }
            let mut swapped = bytes[..first.start].to_vec();
            swapped.extend_from_slice(&bytes[second.start..second.end]);
            swapped.extend_from_slice(&bytes[first.end..second.start]);
            swapped.extend_from_slice(&bytes[first.start..first.end]);
            swapped.extend_from_slice(&bytes[second.end..]);
            bytes = swapped;
        }
        Act::Splice | Act::Transplant => {
            let foreign = pick(other, random);
            bytes.splice(range, other.bytes[foreign.start..foreign.end].to_vec());
        }
    }
    Some(bytes)
}

#[test]
fn a_frame_moved_in_any_way_is_flagged_and_delivers_nothing_wrong() {
    let sample = Sample::new(4, 30 << 10, 20 << 10);
    let foreign = Sample::new(5, 12 << 10, 20 << 10);
    let recorded: BTreeSet<u64> = sample.sequences().into_iter().collect();
    let seeds: Vec<u64> = (0..if is_full() { 30_000 } else { 3_000 }).collect();
    let count = each(&seeds, |seed| {
        let mut random = Random::new(*seed);
        let act = ACTS[*seed as usize % ACTS.len()];
        let segment = random.below(sample.segments.len() as u64) as usize;
        let it = &sample.segments[segment];
        let other = match act {
            Act::Transplant => &sample.segments[(segment + 1) % sample.segments.len()],
            _ => &foreign.segments[0],
        };
        let Some(bytes) = tamper(act, it, other, &mut random) else { return 0 };
        crate::case::named(
            || format!("{act:?} in segment {segment}, seed {seed}"),
            || {
                let survey = survey(&sample.with(segment, &bytes));
                let last = segment + 1 == sample.segments.len();
                if bytes.get(..it.end) == it.bytes.get(..it.end) && !last {
                    // Behind the end that the successor vouches for, nothing counts.
                    return;
                }
                assert!(!survey.findings.is_empty(), "no word of it");
                let read: Vec<u64> = survey.entries.iter().map(|(sequence, _)| *sequence).collect();
                assert!(read.is_sorted_by(|a, b| a < b), "{read:?}");
                assert!(read.iter().all(|sequence| recorded.contains(sequence)));
            },
        );
        1
    });
    println!("{count} moves");
    assert!(count > 2_000);
}
