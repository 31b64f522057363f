//! A stranger's folder: whose it is, what its settings would run, and what came with a clone.

mod origin;
mod owner;
mod settings;
