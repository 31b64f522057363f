//! The small crate the tour works on, broken and repaired.

use std::io;
use std::path::Path;

/// The broken line; rustc says E0425 of `totl`.
const BROKEN: &str = "    std::process::exit(totl);\n";
const REPAIRED: &str = "    std::process::exit(total);\n";

/// Its own workspace: whatever folder it lies in is not asked.
const MANIFEST: &str = "\
[package]
name = \"tour\"
version = \"0.1.0\"
edition = \"2021\"

[workspace]
";

/// Writes the crate with its fault.
pub fn write_broken(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("src"))?;
    std::fs::write(folder.join("Cargo.toml"), MANIFEST)?;
    write_main(folder, BROKEN)
}

/// Repairs the fault.
pub fn repair(folder: &Path) -> io::Result<()> {
    write_main(folder, REPAIRED)
}

fn write_main(folder: &Path, line: &str) -> io::Result<()> {
    let text = format!("fn main() {{\n    let total: i32 = [1, -1].iter().sum();\n{line}}}\n");
    std::fs::write(folder.join("src/main.rs"), text)
}
