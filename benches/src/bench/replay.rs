//! Replay: every event of a journal, checked and decoded.

use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use annals::internal::event::Sequence;
use annals::internal::journal::{JournalReader, ReplayItem};

use crate::BenchError;
use crate::floor::{Segments, WalkedFrame, decode_borrowed};
use crate::harness::{Contest, timed};
use crate::request::Request;
use crate::workload::filled_journal;
use annals_journal_format::Chain;
use annals_journal_format::chain::link;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(100_000);
    let folder = request.folder()?;
    let journal = folder.path().join("journal");
    drop(filled_journal(&journal, count, None)?);
    let segments = Segments::map(&journal)?;
    let mut contest = Contest::new("replay", count as f64 * 2.0, "events");
    contest.enter("floor: crc32fast + bincode, borrowed &str", || {
        timed(|| {
            for frame in segments.records() {
                black_box(crc32fast::hash(frame.bytes));
                black_box(decode_borrowed(frame.kind, frame.payload)?);
            }
            Ok(())
        })
    });
    contest.enter("annals (chain and all, owned events)", || {
        timed(|| match replayed(&journal)? {
            events if events == count * 2 => Ok(()),
            _ => Err(BenchError::Wrong { path: journal.clone() }),
        })
    });
    contest.aim(0.7);
    contest.enter("crc32fast + bincode, owned", || {
        timed(|| {
            segments.records().try_for_each(|frame| {
                black_box(crc32fast::hash(frame.bytes));
                owned(&frame)
            })
        })
    });
    contest.enter("limit: both passes, and the chain, on a core each", || {
        timed(|| {
            std::thread::scope(|scope| {
                let checking = scope.spawn(|| {
                    segments.records().for_each(|frame| {
                        black_box(crc32fast::hash(frame.bytes));
                    });
                    segments.maps().flat_map(|it| it.chunks(1 << 20)).for_each(|block| {
                        black_box(link(Chain([0; 32]), block));
                    });
                });
                segments.records().try_for_each(|it| owned(&it))?;
                checking.join().map_err(|_| BenchError::Thread)
            })
        })
    });
    contest.limit();
    contest.run(request.rounds, out).map(drop)
}

fn owned(frame: &WalkedFrame<'_>) -> Result<(), BenchError> {
    let kind = annals::internal::event::Kind(frame.kind);
    let event = annals::internal::event::decode(kind, 1, frame.payload);
    drop(black_box(event.map_err(BenchError::program("decoding"))?));
    Ok(())
}

/// Replays a journal; how many events that were.
pub(super) fn replayed(journal: &Path) -> Result<u64, BenchError> {
    let reader = JournalReader::open(journal).map_err(BenchError::program("opening"))?;
    let mut events = 0;
    for item in reader.replay(Sequence(1), None) {
        if let ReplayItem::Event(event) = item.map_err(BenchError::program("replaying"))? {
            black_box(event);
            events += 1;
        }
    }
    Ok(events)
}
