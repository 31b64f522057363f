//! Every kind of event: its bytes, its texts, and what hostile bytes make of it.

mod document;
mod fixtures;
mod grounding_bodies;
mod hostile;
mod round_trip;
mod samples;
mod texts;
