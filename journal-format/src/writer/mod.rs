//! Appending to a journal.
//!
//! A [`Writer`] serves many threads: they lay their records into a batch (`batch`), one of
//! them leads (`queue`) and carries the batch out against the journal's end (`tail`), under
//! the lock that all processes share. The files beside `tail` are its chapters:
//!
//! ```text
//! holding    what is locked meanwhile
//! hold       locked for longer than one append
//! catch_up   what others appended, from the own valid end
//! word       where the tail slot says that it ends
//! write      placing, writing, and taking back what failed
//! proven     what is known to be on disk, and telling the others
//! roll       a full segment ends and the next begins
//! fence      a failed flush closes the segment for everyone
//! redact     frames of closed segments whose payloads are destroyed
//! settle     commits whose segment was closed before they were proven
//! successor  a segment in the making
//! ```

mod active;
mod append_error;
mod appended;
mod batch;
mod catch_up;
mod fence;
mod hold;
mod holding;
mod journal_writer;
mod open;
mod open_error;
mod options;
mod proven;
mod queue;
mod record;
mod redact;
mod roll;
mod seal;
mod settle;
mod successor;
mod tail;
mod word;
mod write;

#[cfg(test)]
mod tests;

pub use append_error::AppendError;
pub use appended::Appended;
pub use hold::Hold;
pub use journal_writer::Writer;
pub use open_error::OpenError;
pub use options::{Durability, WriterOptions};
pub use record::Record;
pub use redact::{Doomed, Redacted};
pub use seal::Seal;
