//! An operation: its name, what it takes, what it does.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Args, Argument, Caller, Entry, Pipe, PipeError, Remember};

/// An operation of the library, under the contract's name.
#[derive(Debug)]
pub struct Op {
    pub name: &'static str,
    pub about: &'static str,
    pub args: &'static [Argument],
    pub run: Run,
}

/// What an operation does.
#[derive(Debug)]
pub enum Run {
    /// It records facts that it makes at once: neighbours share a commit.
    Record(fn(&mut Pipe<'_>, &Caller, Args) -> Result<Entry, PipeError>),
    /// It works on branch memory: neighbours share a commit.
    Memory(fn(&mut Pipe<'_>, &Caller, Args) -> Result<Remember, PipeError>),
    /// Anything else.
    Do(fn(&mut Pipe<'_>, &Caller, Args) -> Result<Told, PipeError>),
}

/// What is answered to a request that was done.
#[derive(Debug)]
pub struct Told {
    pub result: Box<RawValue>,
    /// The last event that it recorded, durable by now; `None` where it recorded none.
    pub sequence: Option<u64>,
}

impl Told {
    /// A result of which nothing was recorded.
    pub fn of(result: &(impl Serialize + ?Sized)) -> Result<Self, PipeError> {
        let fault = |error: serde_json::Error| PipeError::new("io", format!("no JSON: {error}"));
        let mut result = serde_json::value::to_raw_value(result).map_err(fault)?;
        if result.get().contains('\n') {
            // JSON that a store holds as it was written: here it must be one line.
            let value: serde_json::Value = serde_json::from_str(result.get()).map_err(fault)?;
            result = serde_json::value::to_raw_value(&value).map_err(fault)?;
        }
        Ok(Self { result, sequence: None })
    }

    /// The same, recorded up to this event.
    #[must_use]
    pub fn at(self, sequence: Option<u64>) -> Self {
        Self { sequence, ..self }
    }
}
