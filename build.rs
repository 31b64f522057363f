//! How the program is linked. The debug one where it is to run: the tests start it tens of thousands of times, and a
//! third of each start would go into moving it. A release stays where the system puts it, and is made small with
//! what its linker and the system's loader can do: which that is, a trial says, so that any linker links it.

use std::env::var;
use std::fs;
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
    let mut arguments = Vec::new();
    // For another machine nobody here can say what its loader can do.
    if var("TARGET") == var("HOST") {
        // Where no call goes by way of a table (`.cargo/config.toml`), what is left of it is closed all the same.
        arguments.push(vec!["-Wl,-z,relro,-z,now".to_owned()]);
        if is("CARGO_CFG_TARGET_ENV", "gnu")
            && !var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|it| it.contains("crt-static"))
        {
            arguments.extend(with_system(&folder));
        }
        // What is moved at a start, packed; functions that are the same, once.
        arguments
            .extend(["-Wl,-z,pack-relative-relocs", "-Wl,--icf=all"].map(|it| vec![it.to_owned()]));
        let script = folder.join("no-unwinding.ld");
        if fs::write(&script, NO_UNWINDING).is_ok() {
            arguments.push(vec![format!("-Wl,-T,{}", script.display())]);
        }
    }
    // Each beside those before it: one may not go with another.
    let mut taken = Vec::new();
    for mut argument in arguments {
        let before = taken.len();
        taken.append(&mut argument);
        if are_taken(&taken, &folder) != Some(true) {
            taken.truncate(before);
        }
    }
    taken.iter().for_each(|it| println!("cargo::rustc-link-arg-bin=annals={it}"));
}

/// What the system's libraries are called, and the archives that the compiler has of each.
const SYSTEM: [(&str, &[&str]); 7] = [
    ("c", &["libc.a"]),
    ("dl", &["libdl.a"]),
    ("gcc_s", &["libgcc_eh.a", "libgcc.a"]),
    ("m", &["libm.a"]),
    ("pthread", &["libpthread.a"]),
    ("rt", &["librt.a"]),
    ("util", &["libutil.a"]),
];

/// With the system's libraries in the program, where the compiler has archives of them: finding, mapping and binding them
/// takes a sixth of a hook. It still lies elsewhere each time. Compilers ask for each library by its name
/// as one to be loaded: under that name, where they look first, a script stands for its archives.
fn with_system(folder: &Path) -> Option<Vec<String>> {
    let scripts = folder.join("system");
    fs::create_dir_all(&scripts).ok()?;
    for (name, archives) in SYSTEM {
        let found = archives.iter().map(|archive| {
            let asked =
                Command::new("cc").arg(format!("-print-file-name={archive}")).output().ok()?;
            let path = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
            path.is_absolute().then(|| path.display().to_string())
        });
        let found: Option<Vec<_>> = found.collect();
        fs::write(scripts.join(format!("lib{name}.so")), format!("GROUP ( {} )", found?.join(" ")))
            .ok()?;
    }
    Some(vec!["-static-pie".to_owned(), format!("-L{}", scripts.display())])
}

/// Whether a program that is linked so comes to be and runs.
fn are_taken(arguments: &[String], folder: &Path) -> Option<bool> {
    let (source, program) = (folder.join("trial.rs"), folder.join("trial"));
    fs::write(&source, "fn main() { println!(\"{:?}\", std::env::args()) }").ok()?;
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
