//! What Rust's test harness prints, alone (`cargo test`) and under nextest.

mod block;
mod build;
mod cargo;
mod nextest;
mod panic;
mod totals;

pub use cargo::CargoTest;
pub use nextest::Nextest;
