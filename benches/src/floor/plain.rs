//! The workload's two events encoded by bincode alone, as it derives it.

use annals::internal::event::{Body, Event};
use bincode::Encode;
use bincode::config::{Configuration, LittleEndian, Varint};

use crate::BenchError;

const CONFIG: Configuration<LittleEndian, Varint> = bincode::config::standard();

/// Appends an event's payload.
pub fn encode_plain(event: &Event, out: &mut Vec<u8>) -> Result<(), BenchError> {
    put(&event.envelope, out)?;
    match &event.body {
        Body::ExecutionStarted(started) => put(started, out),
        Body::ExecutionFinished(finished) => put(finished, out),
        _ => Err(BenchError::Usage("no event of the workload".to_owned())),
    }
}

fn put(value: &impl Encode, out: &mut Vec<u8>) -> Result<(), BenchError> {
    bincode::encode_into_std_write(value, out, CONFIG)
        .map(drop)
        .map_err(BenchError::program("encoding"))
}
