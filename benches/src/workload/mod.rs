//! The workload everyone uses: executions with arguments of 100–600 B of JSON, 30 % with stdout of
//! 0.2–8 KiB, 10 % with diagnostics, from a fixed seed; about 1.7 KB an execution.
//!
//! An execution is two events (started, finished). Where a figure is per execution, one append is
//! one execution: one commit of both.

mod debugged;
mod execution;
mod journal;
mod linked;
mod random;
mod remembered;
mod text;
mod transcripts;

#[cfg(test)]
mod tests;

use annals::internal::event::Event;

pub use debugged::Debugged;
pub use execution::Execution;
pub use journal::{create_journal, create_writer, entropy, filled_journal};
pub use linked::{HOT_CODE, HOT_PATH, HOT_SYMBOL, Linked};
pub use random::Random;
pub use remembered::{CHAIN, Remembered};
pub use transcripts::{bytes_of, lean_transcripts, replicate, transcripts_in};

use crate::BenchError;

const SEED: u64 = 0x616E_6E61_6C73;

/// The `index`th execution of the workload.
pub fn execution(index: u64) -> Execution {
    Execution::generate(SEED, index)
}

/// The `index`th execution of the workload for questions.
pub fn linked(index: u64) -> Linked {
    Linked::generate(SEED, index)
}

/// The first `count` executions' events, in pairs.
pub fn events(count: u64) -> Vec<[Event; 2]> {
    (0..count).map(|index| execution(index).events()).collect()
}

/// The events' payload bytes, each in its own buffer.
pub fn payload_pairs(events: &[[Event; 2]]) -> Result<Vec<[Vec<u8>; 2]>, BenchError> {
    let encode = |event: &Event| {
        let mut bytes = Vec::new();
        annals::internal::event::encode(event, &mut bytes)
            .map_err(BenchError::program("encoding"))?;
        Ok(bytes)
    };
    events.iter().map(|[first, second]| Ok([encode(first)?, encode(second)?])).collect()
}

/// The events' payload bytes, a pair in one buffer: what a floor writes for one execution.
pub fn payloads(events: &[[Event; 2]]) -> Result<Vec<Vec<u8>>, BenchError> {
    Ok(payload_pairs(events)?.iter().map(|pair| pair.concat()).collect())
}
