//! Commands: what a surface asks for. Nothing here prints or reads the environment.

pub mod catch_up;
pub mod diagnostics;
pub mod feed;
pub mod infer;
pub mod rebuild;
