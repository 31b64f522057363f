//! A history to put on the disk: made from a seed, the same every time.

use annals_journal_format::storage::sim::Random;

/// One call of the writer. Records are known by their number, which travels as their time.
#[derive(Clone, Debug)]
pub enum Step {
    Append(Vec<u64>),
    Stage(Vec<u64>),
    Flush,
    Sync,
}

/// Which calls a script makes.
#[derive(Clone, Copy, Debug)]
pub enum Mix {
    /// Appends alone, each acknowledged when durable.
    Appends,
    /// Appends, stages, flushes and syncs.
    Everything,
}

/// A script of this many appends or stages, numbering its records from 1.
pub fn script(seed: u64, calls: usize, mix: Mix) -> Vec<Step> {
    let mut random = Random::new(seed);
    let mut steps = Vec::new();
    let mut number = 0;
    for _ in 0..calls {
        let records = match random.below(10) {
            0..=5 => 1,
            6..=8 => 2 + random.below(3),
            _ => 5 + random.below(8),
        };
        let numbers: Vec<u64> = (number + 1..=number + records).collect();
        number += records;
        match (mix, random.below(10)) {
            (Mix::Everything, 0..=3) => steps.push(Step::Stage(numbers)),
            _ => steps.push(Step::Append(numbers)),
        }
        if matches!(mix, Mix::Everything) {
            match random.below(12) {
                0 | 1 => steps.push(Step::Flush),
                2 => steps.push(Step::Sync),
                _ => {}
            }
        }
    }
    steps
}

/// The payload of the record with this number: mostly short, some with long runs of zeros, a few
/// of several sectors, some empty.
pub fn payload(number: u64) -> Vec<u8> {
    let mut random = Random::new(number ^ 0x5EED);
    let bytes = match random.below(40) {
        0 => 0,
        1 => 1,
        2..=29 => 16 + random.below(400),
        30..=37 => 400 + random.below(1200),
        _ => 2000 + random.below(3000),
    };
    let mut payload = vec![0; bytes as usize];
    match random.below(5) {
        // Zeros: stored masked, or a sector of them would look unwritten.
        0 => {}
        1 => payload.fill(b'a'),
        _ => random.fill(&mut payload),
    }
    payload
}
