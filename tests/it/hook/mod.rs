//! Agents' hooks, played through the real program: the gate, the record, and every bad surrounding.

mod doors;
mod hostile;
mod play;
mod script;
mod twice;
