//! Every kind of event: its bytes, its texts, and what hostile bytes make of it.

mod check_bodies;
mod contents;
mod debug_bodies;
mod debug_samples;
mod document;
mod fixtures;
mod grounding_bodies;
mod hostile;
mod journal_bodies;
mod journal_samples;
mod memory_bodies;
mod memory_samples;
mod phase_bodies;
mod phase_samples;
mod repo_bodies;
mod repo_samples;
mod round_trip;
mod said_bodies;
mod samples;
mod state_bodies;
mod swift;
mod texts;
