//! Every length the last segment can be cut to, and every segment that can be missing.

use annals_journal_format::scan::Verdict;

use super::sample::{Sample, survey};
use crate::parallel::{each, is_full};

#[test]
fn every_truncation_is_a_torn_tail_or_a_loss_that_is_told() {
    let sample = Sample::new(2, if is_full() { 60 << 10 } else { 16 << 10 }, 14 << 10);
    let all = sample.sequences();
    let mut cuts = Vec::new();
    for (segment, it) in sample.segments.iter().enumerate() {
        cuts.extend((0..it.end).map(|len| (segment, len)));
    }
    let last = sample.segments.len() - 1;
    let count = each(&cuts, |(segment, len)| {
        let it = &sample.segments[*segment];
        let disk = sample.with(*segment, &it.bytes[..*len]);
        crate::case::named(
            || format!("segment {segment} of {last} cut to {len}"),
            || {
                let survey = survey(&disk);
                let whole = |sequence: &u64| {
                    let lies = it.frames.iter().find(|it| it.header.sequence.0 == *sequence);
                    lies.is_none_or(|frame| frame.end <= *len)
                };
                let read: Vec<u64> = survey.entries.iter().map(|(sequence, _)| *sequence).collect();
                assert!(read.iter().all(whole), "a record that is not there");
                let at_commit_end =
                    it.frames.iter().any(|frame| frame.end == *len && frame.header.is_last());
                if *segment < last {
                    // The successor vouches for all of it: what is whole is read, the rest told.
                    let frames_whole: Vec<u64> = all.iter().copied().filter(whole).collect();
                    if *len >= 4096 {
                        assert_eq!(read, frames_whole);
                    }
                    let told = survey.findings.iter().any(|it| it.verdict.is_loss());
                    assert!(told, "{:?}", survey.findings);
                } else if !at_commit_end && *len > 4096 {
                    assert!(!survey.findings.is_empty(), "half a commit and no word of it");
                }
            },
        );
        1
    });
    println!("{count} truncations");
    assert!(count > 10_000);
}

#[test]
fn a_missing_segment_is_told() {
    let sample = Sample::new(3, 40 << 10, 12 << 10);
    assert!(sample.segments.len() > 2);
    for missing in 0..sample.segments.len() - 1 {
        let mut rest = sample.clone();
        rest.segments.remove(missing);
        let disk = rest.with(usize::MAX, &[]);
        let survey = survey(&disk);
        let told = |verdict| survey.findings.iter().any(|it| it.verdict == verdict);
        assert!(told(Verdict::SegmentMissing), "{missing}: {:?}", survey.findings);
    }
}
