//! The kinds of values that arguments have.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::value::RawValue;

use super::arguments::{Argument, Value};
use super::limits::ROWS_MAX;
use super::{PipeError, arguments};
use crate::cli::record::Changed;
use crate::debug::given_json;
use crate::event::{
    Analysis, Change, DebugEnvironment, DebugSessionId, DebugStatus, ErrorType, ExecutionId, Fix,
    Json, Learnings, NoteSource, PressureLevel, RootCause, TemplateTally, TestFailure, TestResults,
    Verification,
};
use crate::execution::query::After;
use crate::memory::query::{Matching, NodeScope};

/// Kinds that serde reads.
macro_rules! read {
    ($($kind:literal: $($ty:ty),+;)*) => {$($(
        impl Value for $ty {
            const KIND: &'static str = $kind;

            fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
                argument.read(raw)
            }
        }
    )+)*};
}

read! {
    "text": String, PathBuf;
    "number": u32, u64, usize, i32, i64, f64;
    "list of texts": Vec<String>;
    "list of numbers": Vec<u64>;
    "list of objects": Vec<TemplateTally>;
    "object": serde_json::Value, BTreeMap<String, String>;
}

/// Kinds of which a text is one of a few words, or has a form.
macro_rules! word {
    ($($expected:literal: $($ty:ty),+;)*) => {$($(
        impl Value for $ty {
            const KIND: &'static str = "text";

            fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
                let text: String = argument.read(raw)?;
                <$ty>::parse(&text).ok_or_else(|| argument.wrong($expected))
            }
        }
    )+)*};
}

word! {
    "must be a UUID, v4 or v7": ExecutionId;
    "must be a UUID": DebugSessionId;
    "must be any or all": Matching;
    "must be manual, agent or tool": NoteSource;
    "must be low, medium, high or critical": PressureLevel;
    "must be all, core, recall or archival": NodeScope;
    "must be one of the schema's words": DebugStatus, ErrorType, RootCause, Verification;
}

/// Kinds in the shape of the contract's schema.
macro_rules! schema {
    ($($kind:literal: $($ty:ty),+;)*) => {$($(
        impl Value for $ty {
            const KIND: &'static str = $kind;

            fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
                Ok(given_json(argument.name, raw.get())?)
            }
        }
    )+)*};
}

schema! {
    "object": Analysis, DebugEnvironment, Fix, Learnings, TestResults;
    "list of objects": Vec<TestFailure>;
}

impl Value for bool {
    const KIND: &'static str = "true or false";

    fn absent() -> Option<Self> {
        Some(false)
    }

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        argument.read(raw)
    }
}

/// A JSON object as it was written, an empty one where there is none.
impl Value for Json {
    const KIND: &'static str = "object";

    fn absent() -> Option<Self> {
        Some(Self("{}".to_owned()))
    }

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        match raw.get() {
            text if text.starts_with('{') => Ok(Self(text.to_owned())),
            _ => Err(argument.wrong("must be a JSON object")),
        }
    }
}

/// How many rows are asked for, no more than [`ROWS_MAX`].
pub struct Rows<const DEFAULT: usize>(pub usize);

impl<const DEFAULT: usize> Value for Rows<DEFAULT> {
    const KIND: &'static str = "number";

    fn absent() -> Option<Self> {
        Some(Self(DEFAULT))
    }

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        let asked: u64 = argument.read(raw)?;
        Ok(Self(usize::try_from(asked.min(ROWS_MAX)).unwrap_or(usize::MAX)))
    }
}

/// A time, Unix milliseconds; given so, or as RFC 3339 has it.
#[derive(Clone, Copy)]
pub struct Time(pub u64);

impl Value for Time {
    const KIND: &'static str = "time";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        if let Ok(ms) = raw.get().parse::<u64>() {
            return Ok(Self(ms));
        }
        let wrong = || argument.wrong("must be Unix milliseconds or an RFC 3339 time from 1970 on");
        let text: String = serde_json::from_str(raw.get()).map_err(|_| wrong())?;
        let at: jiff::Timestamp = text.parse().map_err(|_| wrong())?;
        u64::try_from(at.as_millisecond()).map(Self).map_err(|_| wrong())
    }
}

/// Where the last page ended.
impl Value for After {
    const KIND: &'static str = "text";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        Ok(argument.read::<String>(raw)?.parse()?)
    }
}

/// Files that a call changed.
impl Value for Vec<Change> {
    const KIND: &'static str = "list of objects";

    fn read(argument: &Argument, raw: &RawValue) -> Result<Self, PipeError> {
        let read: Vec<Changed> = argument.read(raw)?;
        Ok(read.into_iter().map(Change::from).collect())
    }
}

arguments! {
    /// A page of a list.
    pub struct Page {
        limit: Rows<20> = "at most so many; else 20",
        before: Option<After> = "what comes after: what `next` said of the last answer",
    }
}
