//! Projectors: folds from events to rows.
//!
//! Same events, same rows: no clock, no randomness, no environment, no iteration over a hash map.
//! An event that a store cannot take as it is becomes an [`Anomaly`], never an abort.

use crate::execution::index::Operations;
use crate::store::{Anomaly, Cursor, Position, Rows, StoreError};

use crate::event::Recorded;

/// A fold into one store, in transactions that end with the store's cursor (R11).
pub trait Projector {
    /// Begins a transaction. Only then is the cursor to be trusted.
    fn begin(&mut self) -> Result<(), StoreError>;
    /// How far the store says it is.
    fn cursor(&self) -> Result<Option<Cursor>, StoreError>;
    /// The last rows the store really has.
    fn found_rows(&self) -> Result<Rows, StoreError>;
    /// Applies the next event; `started` is the start of the execution that it closes.
    fn apply(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Result<(), StoreError>;
    /// Notes a place in the journal that gave no event.
    fn note(&mut self, anomaly: Anomaly) -> Result<(), StoreError>;
    /// Whether closing events need their starts.
    fn wants_starts(&self) -> bool;
    /// Whether what tools printed is to be brought where it lies in a blob.
    fn wants_content(&self) -> bool;
    /// What was met since the last call, for the error log.
    fn take_anomalies(&mut self) -> Vec<Anomaly>;
    /// Ends the transaction with the position that its rows are as of.
    fn commit(&mut self, position: Position) -> Result<(), StoreError>;
    /// Ends the transaction as if it had never been.
    fn rollback(&mut self) -> Result<(), StoreError>;
    /// Where the events are that only some stores are made of, where this one keeps account of it.
    fn operations(&self) -> Result<Option<Operations>, StoreError> {
        Ok(None)
    }
    /// Ends a load: makes what comes after the rows, and closes the file.
    fn finish(self: Box<Self>) -> Result<(), StoreError>;
}
