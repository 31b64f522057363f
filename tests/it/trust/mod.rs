//! A stranger's folder: whose it is, what its settings would run, and what came with a clone.

mod broken;
mod copied;
mod foreign_files;
mod origin;
mod owner;
mod root;
mod settings;
