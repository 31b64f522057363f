//! Packs of random and of hostile memories: bounded, whole, counted, and none that says what it was
//! not given.

mod fits;
mod hostile;
mod touches;
