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
        (texts(), text()).prop_map(|(tools, by)| Body::ToolsDeclared(ToolsDeclared { tools, by })),
        checks_body(),
    ]
}
