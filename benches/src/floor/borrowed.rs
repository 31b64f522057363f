//! The workload's two events decoded without copying a byte: mirrors of `annals::internal::event`'s types.

use bincode::BorrowDecode;
use bincode::config::{Configuration, LittleEndian, Varint};

use crate::BenchError;

const CONFIG: Configuration<LittleEndian, Varint> = bincode::config::standard();

#[derive(BorrowDecode)]
#[allow(dead_code)] // decoded for its cost; only a field or two is read
struct Envelope<'a> {
    session: Option<[u8; 16]>,
    source: u32,
    at_ms: u64,
    raw_at_ms: Option<u64>,
    redactions: Vec<(&'a str, u32)>,
    redactor_version: u16,
}

#[derive(BorrowDecode)]
#[allow(dead_code)]
struct Started<'a> {
    execution: [u8; 16],
    tool: &'a str,
    native_tool: Option<&'a str>,
    call: Option<(&'a str, Option<&'a str>, &'a str)>,
    actor: Option<&'a str>,
    parent: Option<[u8; 16]>,
    arguments: &'a str,
    paths: Vec<&'a str>,
    symbols: Vec<&'a str>,
    cwd: Option<&'a str>,
    branch: Option<&'a str>,
}

#[derive(BorrowDecode)]
#[allow(dead_code)]
enum Content<'a> {
    Inline(&'a [u8]),
    Blob([u8; 32], u64),
    Truncated(&'a [u8], &'a [u8], u64),
}

#[derive(BorrowDecode)]
#[allow(dead_code)]
struct Finished<'a> {
    execution: [u8; 16],
    tool: &'a str,
    outcome: u32,
    exit_code: Option<i32>,
    duration_ms: Option<u64>,
    error: Option<&'a str>,
    stdout: Option<Content<'a>>,
    stderr: Option<Content<'a>>,
    diagnostics: Option<&'a str>,
    paths: Vec<&'a str>,
    symbols: Vec<&'a str>,
    changed: Vec<(&'a str, bool)>,
}

/// Decodes one payload; returns something of it, so that nothing is left out.
pub fn decode_borrowed(kind: u16, payload: &[u8]) -> Result<u64, BenchError> {
    let failed = || BenchError::program("decoding what it encoded");
    let (envelope, used): (Envelope<'_>, usize) =
        bincode::borrow_decode_from_slice(payload, CONFIG).map_err(failed())?;
    let body = &payload[used..];
    let some = match kind {
        0x0401 => {
            let (started, _): (Started<'_>, usize) =
                bincode::borrow_decode_from_slice(body, CONFIG).map_err(failed())?;
            started.arguments.len()
        }
        0x0402 => {
            let (finished, _): (Finished<'_>, usize) =
                bincode::borrow_decode_from_slice(body, CONFIG).map_err(failed())?;
            finished.tool.len()
        }
        _ => 0,
    };
    Ok(envelope.at_ms + some as u64)
}
