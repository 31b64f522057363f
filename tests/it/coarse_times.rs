//! A file system whose times are whole seconds: what is changed within one has the times that it had.

use std::fs;
use std::process::Command;

use rusqlite::Connection;

use crate::project::Project;
use crate::skipped::skipped;

/// A file system of such times, mounted; gone with this.
struct Mounted<'p>(&'p Project);

impl<'p> Mounted<'p> {
    /// `None` where nobody may mount here.
    fn of(project: &'p Project) -> Option<Self> {
        let image = project.path("image");
        fs::File::create(&image).and_then(|file| file.set_len(64 << 20)).expect("room");
        fs::create_dir(project.path("mounted")).expect("a folder");
        let ran = |program: &str, words: &[&str]| {
            let mut command = Command::new(program);
            command.args(words).current_dir(project.root());
            command.output().is_ok_and(|ran| ran.status.success())
        };
        let is_made = ran("mkfs.ext4", &["-q", "-I", "128", "image"]);
        (is_made && ran("mount", &["-o", "loop", "image", "mounted"])).then_some(Self(project))
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        // A folder of a test that stays mounted is told by who removes it.
        drop(Command::new("umount").arg(self.0.path("mounted")).output());
    }
}

#[test]
fn a_store_that_another_program_changes_within_a_second_is_met() {
    let outer = Project::empty();
    let Some(_mounted) = Mounted::of(&outer) else {
        return skipped(
            "nobody may mount a file system here: no store was changed within a second",
        );
    };
    let annals = |arguments: &[&str]| {
        crate::project::Ran::of(outer.command().current_dir(outer.path("mounted")).args(arguments))
    };
    annals(&["init"]).code(0);
    for round in 0..3 {
        annals(&["run", "--", "false"]).code(1);
        annals(&["failures"]).code(0).says("false");
        let other = Connection::open(outer.path("mounted/.annals/index.db")).expect("opened");
        let forged = "UPDATE executions SET exit_code = 0, outcome = (SELECT outcome FROM executions \
                      WHERE exit_code = 0 UNION ALL SELECT 0 LIMIT 1) WHERE exit_code = 1";
        other.execute_batch(forged).expect("changed");
        drop(other);
        let told = annals(&["failures"]);
        assert!(
            told.out().contains("false") || !told.err().is_empty(),
            "round {round}: {}",
            told.out()
        );
        annals(&["repair"]).code(0);
    }
    annals(&["rebuild", "--check"]).code(0);
}
