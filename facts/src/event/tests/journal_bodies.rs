//! Generated facts about the journal itself.

use proptest::collection::vec;
use proptest::prelude::*;

use super::check_bodies::checks_body;
use super::round_trip::{maybe, text, texts};
use crate::event::*;

pub(super) fn journal_body() -> impl Strategy<Value = Body> {
    prop_oneof![
        (text(), text(), text(), text()).prop_map(|(machine, project, root, version)| {
            Body::JournalCreated(JournalCreated { machine, project, root, version })
        }),
        (any::<[u64; 4]>(), text(), maybe(), any::<Option<(u64, u64)>>()).prop_map(
            |([segment, offset, bytes_cut, bytes_lost], verdict, quarantined, lost)| {
                Body::RecoveryPerformed(RecoveryPerformed {
                    segment,
                    offset,
                    verdict,
                    bytes_cut,
                    quarantined,
                    bytes_lost,
                    lost,
                })
            }
        ),
        (
            any::<[[u8; 16]; 2]>(),
            vec(any::<(u64, [u8; 32])>(), 0..4),
            vec(any::<(u64, [u8; 32])>(), 0..4),
            vec(any::<(u64, [u8; 32])>(), 0..2),
            text(),
            text(),
            maybe(),
        )
            .prop_map(|([order, journal], records, beside, links, reason, by, rule)| {
                let record = |(sequence, leaf)| RedactedRecord { sequence, leaf };
                let records = records.into_iter().map(record).collect();
                let beside = beside.into_iter().map(record).collect();
                let link = |(sequence, chain)| ChainLink { sequence, chain };
                let links = links.into_iter().map(link).collect();
                Body::PayloadRedacted(PayloadRedacted {
                    order: OrderId(order),
                    journal,
                    records,
                    beside,
                    links,
                    reason,
                    by,
                    rule,
                })
            }),
        (any::<[u8; 16]>(), any::<[u64; 4]>(), vec(text(), 0..3), vec(text(), 0..3)).prop_map(
            |(order, [before_ms, records, first_sequence, last_sequence], sessions, paths)| {
                Body::RetentionApplied(RetentionApplied {
                    order: OrderId(order),
                    before_ms,
                    sessions,
                    paths,
                    records,
                    first_sequence,
                    last_sequence,
                })
            }
        ),
        (text(), any::<u64>(), any::<[u8; 32]>(), text()).prop_map(
            |(origin, tree_size, root, key)| {
                Body::CheckpointSigned(CheckpointSigned { origin, tree_size, root, key })
            }
        ),
        (text(), any::<[u8; 32]>(), any::<u64>()).prop_map(|(store, digest, items)| {
            Body::MemoryAdopted(MemoryAdopted { store, digest, items })
        }),
        (text(), any::<u64>(), any::<[u8; 32]>(), any::<u64>(), any::<Option<u64>>()).prop_map(
            |(change, seen_sequence, seen_chain, end_sequence, shared_sequence)| {
                Body::HistoryContradicted(HistoryContradicted {
                    change,
                    seen_sequence,
                    seen_chain,
                    end_sequence,
                    shared_sequence,
                })
            }
        ),
        moved(),
        (texts(), text()).prop_map(|(tools, by)| Body::ToolsDeclared(ToolsDeclared { tools, by })),
        checks_body(),
    ]
}

fn moved() -> impl Strategy<Value = Body> {
    let segment = (any::<[u64; 6]>(), any::<[[u8; 32]; 3]>()).prop_map(
        |([segment, first, last, bytes, stored_bytes, tree_size], [sha256, manifest, root])| {
            ArchivedSegment {
                segment,
                first,
                last,
                bytes,
                stored_bytes,
                sha256,
                manifest,
                tree_size,
                root,
            }
        },
    );
    let source = (any::<[u8; 16]>(), text(), any::<[u64; 2]>(), any::<[u8; 32]>()).prop_map(
        |(journal, project, [last, size], root)| MergedSource {
            journal,
            project,
            last,
            size,
            root,
        },
    );
    let run = (any::<u32>(), any::<u64>(), any::<u64>())
        .prop_map(|(source, first, count)| MergedRun { source, first, count });
    let change =
        (any::<u32>(), any::<[u8; 32]>()).prop_map(|(record, leaf)| MergedChange { record, leaf });
    prop_oneof![
        (text(), vec(segment.clone(), 0..3)).prop_map(|(to, segments)| {
            Body::SegmentsArchived(SegmentsArchived { to, segments })
        }),
        (text(), vec(segment, 0..3)).prop_map(|(from, segments)| {
            Body::SegmentsFetched(SegmentsFetched { from, segments })
        }),
        (vec(source, 0..3), vec(run, 0..3), vec(any::<u8>(), 0..9), vec(change, 0..3)).prop_map(
            |(sources, runs, flags, changed)| {
                Body::JournalsMerged(JournalsMerged { sources, runs, flags, changed })
            }
        ),
    ]
}
