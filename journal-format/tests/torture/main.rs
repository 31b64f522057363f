//! Trials of the journal: on a simulated disk, on damaged bytes, and against SIGKILL.
//!
//! `tests/README.md` says what each shows, and how to run the long form.

mod case;
mod chase;
#[path = "../child/mod.rs"]
mod child;
mod crash;
mod damage;
mod faults;
mod history;
mod image;
mod parallel;
mod recovery_crash;
mod schedules;
mod script;
mod sigkill;
