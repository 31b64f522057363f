//! What Rust's test harness prints, alone (`cargo test`) and under nextest.

mod block;
mod build;
mod cargo;
mod harness;
mod list;
mod loose;
mod names;
mod nextest;
mod panic;
mod run;
mod told;
mod totals;

pub use cargo::CargoTest;
pub use nextest::Nextest;
