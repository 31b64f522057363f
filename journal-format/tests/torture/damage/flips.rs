//! Every single bit, flipped.

use annals_journal_format::limits::HEADER_PAGE_BYTES;
use annals_journal_format::scan::Verdict;
use annals_journal_format::segment::SegmentHeader;

use super::sample::{Sample, survey, verify_findings};
use crate::parallel::{each, is_full};

/// Whether a byte of the segment is used by nothing.
fn is_unused(sample: &Sample, segment: usize, at: usize) -> bool {
    let it = &sample.segments[segment];
    if at < HEADER_PAGE_BYTES as usize {
        return !SegmentHeader::used_ranges().iter().any(|range| range.contains(&at));
    }
    at >= it.end
}

fn flip(sample: &Sample, segment: usize, at: usize) -> u64 {
    let it = &sample.segments[segment];
    let all = sample.sequences();
    let frame = it.frames.iter().find(|frame| (frame.start..frame.end).contains(&at));
    for bit in 0..8 {
        let mut bytes = it.bytes.clone();
        bytes[at] ^= 1 << bit;
        let disk = sample.with(segment, &bytes);
        let case = || format!("segment {segment} byte {at} bit {bit} in {frame:?}");
        crate::case::named(case, || {
            let survey = survey(&disk);
            let read: Vec<u64> = survey.entries.iter().map(|(sequence, _)| *sequence).collect();
            let Some(frame) = frame else {
                assert_eq!(read, all, "a header's second copy or unused bytes cost nothing");
                if !is_unused(sample, segment, at) {
                    let verdicts: Vec<_> = survey.findings.iter().map(|it| it.verdict).collect();
                    assert_eq!(verdicts, [Verdict::HeaderCopyDamaged]);
                }
                return;
            };
            let sequence = frame.header.sequence.0;
            let others: Vec<u64> = all.iter().copied().filter(|it| *it != sequence).collect();
            assert_eq!(read, others, "every other record is still read");
            let named: Vec<_> =
                survey.findings.iter().filter(|it| it.verdict == Verdict::Damage).collect();
            assert_eq!(named.len(), 1, "{:?}", survey.findings);
            assert_eq!(named[0].at.offset.0 as usize, frame.start);
            let lost = named[0].lost.map(|(first, last)| (first.0, last.0));
            assert_eq!(lost, Some((sequence, sequence)));
        });
    }
    8
}

#[test]
fn every_flipped_bit_is_found_and_costs_its_record_alone() {
    let (bytes, segment_bytes) = if is_full() { (60 << 10, 32 << 10) } else { (7 << 10, 12 << 10) };
    let sample = Sample::new(1, bytes, segment_bytes);
    assert!(sample.segments.len() > 1, "one segment only");
    assert_eq!(verify_findings(&sample.with(0, &sample.segments[0].bytes)), []);
    let mut places = Vec::new();
    for (segment, it) in sample.segments.iter().enumerate() {
        for at in 0..it.bytes.len() {
            // Bytes that nothing uses are all alike: some of them will do.
            if !is_unused(&sample, segment, at) || at % 61 == 0 {
                places.push((segment, at));
            }
        }
    }
    let flips = each(&places, |(segment, at)| flip(&sample, *segment, *at));
    println!("{flips} flips");
    assert!(flips > 50_000, "only {flips} flips");
}
