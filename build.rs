//! How the program is linked: where it is to run, since a hook starts it for every call of an agent's, and the tests tens of
//! thousands of times. A release is made small with what its linker and the system's loader can do: which that is, a
//! trial says, so that any linker links it.

use std::env::var;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Nothing unwinds where a panic ends the program: the tables for that are a tenth of it.
const NO_UNWINDING: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame) *(.eh_frame_hdr) *(.gcc_except_table .gcc_except_table.*) } } INSERT AFTER .text;";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| var(name).is_ok_and(|it| it == value);
    if !is("CARGO_CFG_TARGET_OS", "linux") {
        return;
    }
    if is("PROFILE", "debug") {
        println!("cargo::rustc-link-arg-bin=annals=-no-pie");
        return;
    }
    let Ok(folder) = var("OUT_DIR").map(PathBuf::from) else { return };
    // Linked to lie where it says, as Go links: to move it takes a fifth of every start. Where calls go by way of no table
    // (`.cargo/config.toml`), what is left of it is closed as any other is; functions that are the same, once.
    let every = ["-no-pie", "-Wl,-z,relro,-z,now", "-Wl,--icf=all"];
    let mut arguments = every.map(str::to_owned).to_vec();
    let script = folder.join("no-unwinding.ld");
    if std::fs::write(&script, NO_UNWINDING).is_ok() {
        arguments.push(format!("-Wl,-T,{}", script.display()));
    }
    // For another machine nobody here can say what its loader can do.
    if var("TARGET") != var("HOST") {
        return;
    }
    if is("CARGO_CFG_TARGET_ENV", "gnu") {
        link_unwinder();
    }
    // Each beside those before it: one may not go with another.
    let mut taken = Vec::new();
    for argument in arguments {
        taken.push(argument);
        if are_taken(&taken, &folder) != Some(true) {
            taken.pop();
        }
    }
    taken.iter().for_each(|it| println!("cargo::rustc-link-arg-bin=annals={it}"));
}

/// The unwinder that nothing uses but a panic's last words, out of the compiler's archive where there is one: as a
/// library of its own it takes a tenth of what a start does beside the least.
fn link_unwinder() {
    let Ok(asked) = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output() else { return };
    let path = PathBuf::from(String::from_utf8_lossy(&asked.stdout).trim());
    if path.is_file()
        && let Some(folder) = path.parent()
    {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Whether a program that is linked so comes to be and runs.
fn are_taken(arguments: &[String], folder: &Path) -> Option<bool> {
    let (source, program) = (folder.join("trial.rs"), folder.join("trial"));
    std::fs::write(&source, "fn main() { println!(\"{:?}\", std::env::args()) }").ok()?;
    let target = var("TARGET").ok()?;
    let mut compile = Command::new(var("RUSTC").ok()?);
    compile.arg(&source).arg("-o").arg(&program).args(["--target", &target, "-Cpanic=abort"]);
    compile.args(arguments.iter().map(|it| format!("-Clink-arg={it}")));
    if let Ok(linker) = var("RUSTC_LINKER") {
        compile.arg(format!("-Clinker={linker}"));
    }
    let flags = var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    compile.args(flags.split('\x1f').filter(|it| !it.is_empty()));
    let is_linked = compile.output().ok()?.status.success();
    Some(is_linked && Command::new(&program).output().ok()?.status.success())
}
