//! Commands: what a surface asks for. Nothing here prints or reads the environment.

pub mod diagnostics;
pub mod infer;
