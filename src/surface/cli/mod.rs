//! The command line.

mod exit;
mod run;
