//! A fixed event of every kind about the journal itself.

use super::samples::free;
use crate::event::*;

fn archived() -> ArchivedSegment {
    ArchivedSegment {
        segment: 3,
        first: 251,
        last: 300,
        bytes: 70_000,
        stored_bytes: 9_000,
        sha256: [0xab; 32],
        manifest: [0xcd; 32],
        tree_size: 299,
        root: [0xef; 32],
    }
}

pub(super) fn journal_facts() -> Vec<Body> {
    vec![
        Body::JournalCreated(JournalCreated {
            machine: free("machine"),
            project: free("project"),
            root: free("root"),
            version: "0.1.0".into(),
        }),
        Body::RecoveryPerformed(RecoveryPerformed {
            segment: 3,
            offset: 70_000,
            verdict: "torn tail".into(),
            bytes_cut: 300,
            quarantined: Some("0000000003-000000070000-0.bin".into()),
            bytes_lost: 700,
            lost: Some((41, 300)),
        }),
        Body::PayloadRedacted(PayloadRedacted {
            order: OrderId([0x0d; 16]),
            journal: [0x1e; 16],
            records: vec![
                RedactedRecord { sequence: 3, leaf: [0xab; 32] },
                RedactedRecord { sequence: 251, leaf: [0xcd; 32] },
            ],
            beside: vec![RedactedRecord { sequence: 4, leaf: [0xef; 32] }],
            links: vec![ChainLink { sequence: 3, chain: [0x12; 32] }],
            reason: free("reason"),
            by: free("by"),
            rule: Some(free("rule")),
        }),
        Body::CheckpointSigned(CheckpointSigned {
            origin: free("origin"),
            tree_size: u64::MAX,
            root: [0xab; 32],
            key: "key".into(),
        }),
        Body::MemoryAdopted(MemoryAdopted { store: free("store"), digest: [0xcd; 32], items: 7 }),
        Body::HistoryContradicted(HistoryContradicted {
            change: "cut".into(),
            seen_sequence: 300,
            seen_chain: [0xef; 32],
            end_sequence: 40,
            shared_sequence: Some(40),
        }),
        Body::RetentionApplied(RetentionApplied {
            order: OrderId([0x0e; 16]),
            before_ms: 1_735_689_600_000,
            sessions: vec![free("session")],
            paths: vec![free("path")],
            records: 12,
            first_sequence: 3,
            last_sequence: 251,
        }),
        Body::SegmentsArchived(SegmentsArchived { to: free("to"), segments: vec![archived()] }),
        Body::SegmentsFetched(SegmentsFetched { from: free("from"), segments: vec![archived()] }),
        Body::JournalsMerged(JournalsMerged {
            sources: vec![MergedSource {
                journal: [0x0c; 16],
                project: free("project"),
                last: 300,
                size: 299,
                root: [0xab; 32],
            }],
            runs: vec![MergedRun { source: 0, first: 2, count: 2 }],
            flags: vec![1, 2],
            changed: vec![MergedChange { record: 1, leaf: [0xcd; 32] }],
        }),
    ]
}
