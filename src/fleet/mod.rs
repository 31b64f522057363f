//! Many machines: journals sent to one folder or bucket, what lies there told and verified, and brought from there.
//!
//! Beside the [tables](crate::stores::exported) that engines read lies `_annals/`, which they pass over: of each journal a
//! *state* (`state/JOURNAL.json`), copies of its segments as an archive has them (`segments/JOURNAL/`), and of each history
//! that is not the one that came first a state of its own (`forks/`).

mod error;
mod shared;
mod ship;
mod state;
mod status;
mod verify;

#[cfg(test)]
mod tests;

pub use error::FleetError;
pub use shared::{
    Learnt, Offer, Offered, Shared, Standing as OfferedAs, offers, others, publish, remote_name,
};
pub use ship::{Sent, Ship};
pub use status::{Standing, status};
pub use verify::{bring, verify};
