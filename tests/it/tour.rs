//! The README's first command.

use crate::project::Project;

#[test]
fn the_tour_holds() {
    let project = Project::empty();
    let kept = project.path("kept");
    let mut command = project.command();
    // Cargo finds its toolchain through the developer's own HOME.
    command.env_remove("HOME").envs(std::env::var_os("HOME").map(|home| ("HOME", home)));
    command.args(["tour", "--keep"]).arg(&kept);
    crate::project::Ran::of(&mut command).code(0).says("E0425").says("Every step held.");
    let project = kept.join("crate");
    let dir = project.to_string_lossy();
    let shown = Project::empty().annals(["--dir", &dir, "show", "1", "--json"]).code(0).json();
    let artifacts = shown["artifacts"].as_array().expect("a list");
    let found = artifacts.iter().find(|artifact| artifact["artifact_type"] == "diagnostics");
    assert_eq!(found.expect("diagnostics")["content"][0]["code"], "E0425");
    assert_eq!(shown["tool"], "lsp_check");
    Project::empty().annals(["tour", "--keep", &dir]).code(2).says("not empty");
}

#[test]
fn without_cargo_it_says_so_and_begins_nothing() {
    let project = Project::empty();
    let fake = project.write("bin/cargo", "#!/bin/sh\necho 'error: no toolchain' >&2; exit 1\n");
    std::fs::set_permissions(&fake, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("it may be run");
    for (path, why) in [("/nonexistent", "No such file"), ("bin", "error: no toolchain")] {
        let mut command = project.command();
        command.env("PATH", project.path(path)).args(["tour", "--keep", "kept"]);
        crate::project::Ran::of(&mut command).code(5).says("needs").says(why).says("rustup.rs");
        assert!(!project.path("kept").exists());
    }
}
