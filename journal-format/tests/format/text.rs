//! FORMAT.md and the program say the same: every table is held to the constants.

use annals_journal_format::frame::{CrcSeed, Draft, Flags};
use annals_journal_format::frame::{commit_bytes, encode_commit, kind, layout};
use annals_journal_format::lock::TailSlot;
use annals_journal_format::scan::Verdict;
use annals_journal_format::scan::verdict::{Evidence, classify};
use annals_journal_format::segment::{Predecessor, SegmentHeader};
use annals_journal_format::{Chain, JournalId, Mark, Offset, SegmentNumber, Sequence};
use annals_journal_format::{chain, limits};

const TEXT: &str = include_str!("../../FORMAT.md");

pub fn section(heading: &str) -> &'static str {
    let start = TEXT.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
    let body = &TEXT[start + heading.len() + 2..];
    let end = body.find("\n## ").into_iter().chain(body.find("\n### ")).min();
    &body[..end.unwrap_or(body.len())]
}

/// The rows `at  width  field` of a section, whose offsets must follow from the widths.
pub fn fields(heading: &str) -> Vec<(usize, usize, &'static str)> {
    let rows: Vec<(usize, usize, &str)> = section(heading)
        .lines()
        .filter_map(|line| {
            let (at, rest) = line.strip_prefix("    ")?.trim_start().split_once(' ')?;
            let (width, field) = rest.trim_start().split_once("  ")?;
            Some((at.parse().ok()?, width.parse().ok()?, field.trim()))
        })
        .collect();
    assert!(rows.len() > 3, "{heading}: {rows:?}");
    for pair in rows.windows(2) {
        assert_eq!(pair[0].0 + pair[0].1, pair[1].0, "{heading}: {pair:?}");
    }
    rows
}

pub fn place(rows: &[(usize, usize, &str)], name: &str) -> std::ops::Range<usize> {
    let (at, width, _) = rows
        .iter()
        .find(|(_, _, field)| field.starts_with(name))
        .unwrap_or_else(|| panic!("no field {name}"));
    *at..at + width
}

#[test]
fn the_header_page_lies_as_the_text_says() {
    let rows = fields("### 2.1 The header page");
    let header = SegmentHeader {
        journal: JournalId([0x11; 16]),
        number: SegmentNumber(0x2222),
        first_sequence: Sequence(0x3333),
        nonce: [0x44; 16],
        previous: Predecessor {
            sequence: Sequence(0x5555),
            end: Offset(0x6666),
            chain: Chain([0x77; 32]),
        },
    };
    let page = header.to_page();
    assert_eq!(page.len() as u64, limits::HEADER_PAGE_BYTES);
    let expected: [(&str, Vec<u8>); 12] = [
        ("magic", b"\x89ANNALS\n".to_vec()),
        ("format version", 1_u32.to_le_bytes().to_vec()),
        ("bytes in this copy", 256_u32.to_le_bytes().to_vec()),
        ("compatible", vec![0; 4]),
        ("journal id", vec![0x11; 16]),
        ("segment number", 0x2222_u64.to_le_bytes().to_vec()),
        ("first sequence", 0x3333_u64.to_le_bytes().to_vec()),
        ("nonce", vec![0x44; 16]),
        ("predecessor's last sequence", 0x5555_u64.to_le_bytes().to_vec()),
        ("predecessor's end", 0x6666_u64.to_le_bytes().to_vec()),
        ("predecessor's chain", vec![0x77; 32]),
        ("CRC", crc32fast::hash(&page[..252]).to_le_bytes().to_vec()),
    ];
    for (name, bytes) in expected {
        assert_eq!(page[place(&rows, name)], bytes, "{name}");
        let second = place(&rows, name);
        assert_eq!(page[2048 + second.start..2048 + second.end], bytes, "{name}, second copy");
    }
    assert_eq!(rows.last().map(|row| row.0 + row.1), Some(256));
}

#[test]
fn a_frame_and_its_trailer_lie_as_the_text_says() {
    let text = section("## 3. A frame");
    for (at, width, name) in [
        (layout::MARKER_AT, 4, "marker: A7 4A 52 4E"),
        (layout::HEADER_CRC_AT, 4, "header CRC, over bytes 8 to 47"),
        (layout::PAYLOAD_LEN_AT, 4, "payload length"),
        (layout::KIND_AT, 2, "kind"),
        (layout::FLAGS_AT, 1, "flags"),
        (layout::VERSION_AT, 1, "version"),
        (layout::SEQUENCE_AT, 8, "sequence"),
        (layout::TIME_AT, 8, "time"),
        (layout::SALT_AT, 16, "salt"),
    ] {
        let found = text.lines().any(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some(&at.to_string())
                && words.next() == Some(&width.to_string())
                && line.trim_end().ends_with(name)
        });
        assert!(found, "{at} {width} {name}");
    }
    assert_eq!(layout::MARKER, [0xA7, 0x4A, 0x52, 0x4E]);
    assert!(text.contains(&format!("    {}      B  body", layout::HEADER_BYTES)));
    assert!(text.contains(&format!("at least {}, always", layout::FRAME_BYTES_MIN)));
    assert!(text.contains(&format!("and at least {}", layout::BODY_BYTES_MIN)));
    let rows = fields("## 4. A commit");
    let widths = [
        ("first sequence", layout::TRAILER_FIRST_SEQUENCE_AT),
        ("commit length", layout::TRAILER_COMMIT_BYTES_AT),
        ("durable", layout::TRAILER_DURABLE_AT),
        ("chain", layout::TRAILER_CHAIN_AT),
    ];
    for (name, at) in widths {
        assert_eq!(place(&rows, name).start, at, "{name}");
    }
    assert_eq!(rows.iter().map(|row| row.1).sum::<usize>(), layout::TRAILER_BYTES);
}

#[test]
fn sums_and_chain_are_taken_over_the_bytes_the_text_names() {
    let (nonce, offset) = ([7; 16], Offset(4096));
    let draft = Draft {
        kind: 9,
        version: 1,
        flags: Flags::default(),
        time_ms: 5,
        salt: [3; 16],
        stored: b"seventeen bytes!!",
        rest: &[],
    };
    let (mut bytes, previous) = (Vec::new(), Chain([8; 32]));
    let seed = CrcSeed::new(&nonce);
    let chain =
        encode_commit(&[draft], &mut bytes, &seed, offset, Sequence(4), Sequence(3), previous);
    assert_eq!(bytes.len(), commit_bytes(&[draft]));
    assert_eq!(bytes.len(), 48 + 24 + 56 + 8);
    let crc = |range: std::ops::Range<usize>| {
        let all = [&nonce[..], &4096_u64.to_le_bytes(), &bytes[range]].concat();
        crc32fast::hash(&all).to_le_bytes()
    };
    assert_eq!(bytes[4..8], crc(8..48));
    assert_eq!(bytes[bytes.len() - 4..], crc(0..bytes.len() - 4));
    assert_eq!(bytes[bytes.len() - 8..bytes.len() - 4], (bytes.len() as u32).to_le_bytes());
    let chained = [&b"annals chain v1\0"[..], &[8; 32], &bytes[..48 + 24 + 24]].concat();
    assert_eq!(chain.0, *blake3::hash(&chained).as_bytes());
    assert_eq!(bytes[48 + 24 + 24..48 + 24 + 56], chain.0);
    let first = [&b"annals chain v1\0"[..], &[0; 32], &[6; 16]].concat();
    assert_eq!(chain::genesis(JournalId([6; 16])).0, *blake3::hash(&first).as_bytes());
}

#[test]
fn flags_and_kinds_have_the_bits_and_numbers_of_the_text() {
    let text = section("### 3.2 Flags");
    let flags = [
        ("FIRST", Flags::FIRST),
        ("LAST", Flags::LAST),
        ("COMPRESSED", Flags::COMPRESSED),
        ("MASKED", Flags::MASKED),
        ("REDACTED", Flags::REDACTED),
        ("SKIPPABLE", Flags::SKIPPABLE),
    ];
    for (name, flag) in flags {
        let row = format!("      {}  {name} ", flag.0.trailing_zeros());
        assert!(text.contains(&row), "{row}");
    }
    let known: u8 = flags.iter().map(|(_, flag)| flag.0).sum();
    assert!((0..=255_u8).all(|bits| Flags(bits).is_known() == (bits & !known == 0)));
    let text = section("### 3.3 Kinds");
    assert!(text.contains(&format!("Kinds below {:04X} are events", kind::CONTROL_MIN)));
    assert!(text.contains(&format!("    {:04X}  ROLL ", kind::ROLL)));
    assert!(text.contains(&format!("    {:04X}  SEAL ", kind::SEAL)));
}

#[test]
fn the_verdict_table_is_the_programs() {
    let mut seen = 0;
    for line in section("### 5.1 The table").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [row, unwritten, witnessed, after, verdict @ ..] = &words[..] else { continue };
        if row.parse::<u32>().is_err() || !["yes", "no"].contains(unwritten) {
            continue;
        }
        seen += 1;
        let either = |word: &str| match word {
            "yes" => vec![true],
            "no" => vec![false],
            _ => vec![true, false],
        };
        for witnessed in either(witnessed) {
            for commit_after in either(after) {
                let unwritten = *unwritten == "yes";
                let told = classify(Evidence { unwritten, witnessed, commit_after });
                assert_eq!(told.as_str(), verdict.join(" "), "row {row}");
            }
        }
    }
    assert_eq!(seen, 4);
}

#[test]
fn every_name_of_a_finding_is_explained() {
    let text = section("### 5.5 What is reported");
    let named = text.lines().filter(|line| line.starts_with("    ")).skip(1);
    let named: Vec<(&str, bool)> = named
        .map(|line| (line[4..].split("  ").next().unwrap().trim(), line.ends_with("yes")))
        .collect();
    let told: Vec<_> = VERDICTS.iter().map(|it| (it.as_str(), it.is_loss())).collect();
    assert_eq!(named, told);
}

/// In the order of the text.
const VERDICTS: [Verdict; 21] = [
    Verdict::Damage,
    Verdict::AcknowledgedLoss,
    Verdict::TornTail,
    Verdict::UnsyncedHole,
    Verdict::OutOfOrder,
    Verdict::ChainBroken,
    Verdict::PayloadDamaged,
    Verdict::Undecodable,
    Verdict::CommitMalformed,
    Verdict::DurableBeyond,
    Verdict::SealBroken,
    Verdict::Unordered,
    Verdict::LeafChanged,
    Verdict::HeaderDamaged,
    Verdict::HeaderCopiesDiffer,
    Verdict::SegmentMissing,
    Verdict::Foreign,
    Verdict::HeaderCopyDamaged,
    Verdict::NotRedacted,
    Verdict::PaddingNotZero,
    Verdict::TimeRunsBack,
];

#[test]
fn the_tail_slot_lies_as_the_text_says() {
    let rows = fields("### 7.1 The tail slot");
    let mark = |byte: u8| Mark { sequence: Sequence(byte.into()), chain: Chain([byte; 32]) };
    let slot = TailSlot {
        boot: [1; 16],
        journal: JournalId([2; 16]),
        segment: SegmentNumber(3),
        commit: Offset(4),
        end: Offset(5),
        mark: mark(6),
        proven_end: Offset(7),
        proven: mark(8),
        turn: 9,
    };
    let bytes = slot.to_bytes();
    let number = |value: u64| value.to_le_bytes().to_vec();
    let expected = [
        ("magic", b"ANTAIL\x01\n".to_vec()),
        ("boot id", vec![1; 16]),
        ("journal id", vec![2; 16]),
        ("segment number", number(3)),
        ("last commit's start", number(4)),
        ("last commit's end", number(5)),
        ("last commit's last sequence", number(6)),
        ("last commit's chain", vec![6; 32]),
        ("proven end", number(7)),
        ("proven sequence", number(8)),
        ("proven chain", vec![8; 32]),
        ("turn", number(9)),
        ("CRC", crc32fast::hash(&bytes[..164]).to_le_bytes().to_vec()),
    ];
    for (name, value) in expected {
        assert_eq!(bytes[place(&rows, name)], value, "{name}");
    }
    assert_eq!(rows.iter().map(|row| row.1).sum::<usize>(), TailSlot::BYTES);
    let text = section("## 7. LOCK");
    assert!(text.contains(&format!("       0    {}  tail slot", TailSlot::BYTES)));
    assert!(text.contains(&format!("    1024    {}  tail slot", TailSlot::BYTES)));
}

#[test]
fn the_limits_are_the_programs() {
    let text = section("## 9. Limits");
    for (name, value) in [
        ("sector", limits::SECTOR_BYTES),
        ("header page", limits::HEADER_PAGE_BYTES),
        ("stored payload", limits::PAYLOAD_BYTES_MAX),
        ("commit", limits::COMMIT_BYTES_MAX),
        ("frames in a commit", limits::COMMIT_FRAMES_MAX as u64),
        ("segment", limits::SEGMENT_BYTES_MAX),
        ("zero run unmasked", limits::ZERO_RUN_BYTES_MAX as u64),
        ("segments", limits::SEGMENTS_MAX as u64),
        ("bundle blobs", limits::BUNDLE_BLOBS_MAX as u64),
        ("archive block", limits::ARCHIVE_BLOCK_BYTES),
        ("archive blocks", limits::ARCHIVE_BLOCKS_MAX),
    ] {
        let row = format!("    {name:<20}{value:>12}");
        assert!(text.contains(&row), "{row}");
    }
}
