//! `annals run`: runs a command, records it, answers with its exit code.

mod capture;
mod child;
mod signals;
#[cfg(test)]
mod tests;
