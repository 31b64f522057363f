//! Damaged bytes: each is found, named exactly, and costs no other record.

mod flips;
mod forged;
mod frames;
mod sample;
mod truncations;
