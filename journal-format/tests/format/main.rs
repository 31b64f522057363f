//! The format as others meet it: its text, its fixtures, a reader in another language, and a
//! reader at a writer's heels.

mod bundle;
mod chase;
mod fixtures;
mod leaf;
mod left_out;
mod python;
mod sample;
#[path = "../../../tests/it/skipped.rs"]
mod skipped;
mod text;
mod witness;
