//! Frames dropped, doubled, swapped and spliced in by someone who also makes every CRC right:
//! what is left to tell is the chain.

use annals_journal_format::Offset;
use annals_journal_format::frame::{CrcSeed, layout};
use annals_journal_format::storage::sim::Random;

use super::sample::{Frame, Sample, Segment, verify_findings};
use crate::parallel::{each, is_full};

/// Makes the sums of a frame right for the place it now has.
fn reseal(frame: &mut [u8], seed: &CrcSeed, at: usize) {
    let offset = Offset(at as u64);
    let header = seed.crc(offset, &frame[layout::PAYLOAD_LEN_AT..layout::HEADER_BYTES]);
    frame[layout::HEADER_CRC_AT..layout::PAYLOAD_LEN_AT].copy_from_slice(&header.to_le_bytes());
    let crc_at = frame.len() - layout::END_BYTES + layout::END_CRC_AT;
    let sum = seed.crc(offset, &frame[..crc_at]);
    frame[crc_at..].copy_from_slice(&sum.to_le_bytes());
}

/// Lays frames one after the other, each with its sums right.
fn lay(it: &Segment, frames: Vec<Vec<u8>>) -> Vec<u8> {
    let seed = CrcSeed::new(&it.header.nonce);
    let mut bytes = it.bytes[..it.frames[0].start].to_vec();
    for mut frame in frames {
        let at = bytes.len();
        reseal(&mut frame, &seed, at);
        bytes.extend(frame);
    }
    let len = it.bytes.len().max(bytes.len() + 1024);
    bytes.resize(len, 0);
    bytes
}

fn bytes_of(it: &Segment, frame: &Frame) -> Vec<u8> {
    it.bytes[frame.start..frame.end].to_vec()
}

#[test]
fn forged_frames_with_every_sum_right_break_the_chain() {
    let sample = Sample::new(6, 40 << 10, 24 << 10);
    let foreign = Sample::new(7, 12 << 10, 24 << 10);
    let seeds: Vec<u64> = (0..if is_full() { 20_000 } else { 2_000 }).collect();
    let last = sample.segments.len() - 1;
    let count = each(&seeds, |seed| {
        let mut random = Random::new(*seed);
        let segment = random.below(last as u64 + 1) as usize;
        let it = &sample.segments[segment];
        let mut frames: Vec<_> = it.frames.iter().map(|frame| bytes_of(it, frame)).collect();
        // The last commit of all has nothing behind it that could tell.
        let room = frames.len() as u64 - 4;
        let at = random.below(room) as usize;
        let act = seed % 5;
        match act {
            0 => drop(frames.remove(at)),
            1 => frames.insert(at, frames[at].clone()),
            2 => {
                let second = random.below(room) as usize;
                if frames[at] == frames[second] {
                    return 0;
                }
                frames.swap(at, second);
            }
            3 => {
                let from = &foreign.segments[0];
                let pick = random.below(from.frames.len() as u64) as usize;
                frames[at] = bytes_of(from, &from.frames[pick]);
            }
            _ => {
                // One byte of a payload, or of a header's time.
                let frame = &mut frames[at];
                frame[layout::TIME_AT] ^= 1;
            }
        }
        let disk = sample.with(segment, &lay(it, frames));
        crate::case::named(
            || format!("act {act} at frame {at} of segment {segment}, seed {seed}"),
            || assert!(!verify_findings(&disk).is_empty(), "no word of it"),
        );
        1
    });
    println!("{count} forgeries");
    assert!(count > 1_500);
}
