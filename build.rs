//! Links the debug program where it is to run: the tests start it tens of thousands of times, and a third of each
//! start would go into moving it. A release stays where the system puts it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|it| it == value);
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo::rustc-link-arg-bin=annals=-no-pie");
    }
}
