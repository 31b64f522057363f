//! The `annals` program itself, as users have it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::BenchError;

/// The `annals` program that was built beside this one.
#[derive(Clone, Debug)]
pub struct Program(PathBuf);

impl Program {
    /// Builds it first where cargo runs us, so that it is never an old one that is measured.
    pub fn find() -> Result<Self, BenchError> {
        let own = std::env::current_exe().map_err(BenchError::io("finding this program"))?;
        let path = own.with_file_name("annals");
        if let Some(cargo) = std::env::var_os("CARGO") {
            let mut build = Command::new(cargo);
            build.args(["build", "--quiet", "--package", "annals", "--bin", "annals"]);
            if !cfg!(debug_assertions) {
                build.arg("--release");
            }
            let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            let status = build.current_dir(workspace).status();
            let status = status.map_err(BenchError::io("building annals"))?;
            if !status.success() {
                let command = "cargo build --bin annals".into();
                return Err(BenchError::Child { command, status: status.to_string() });
            }
        }
        if !path.exists() {
            return Err(BenchError::Usage(format!(
                "{} is not there: run `cargo build --release` first",
                path.display()
            )));
        }
        Ok(Self(installed(&path)?))
    }

    /// The program that a hook is held against.
    pub fn floor() -> Result<PathBuf, BenchError> {
        let own = std::env::current_exe().map_err(BenchError::io("finding this program"))?;
        installed(&own.with_file_name("floor-hook"))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A call in a project's folder, untouched by the caller's surroundings.
    pub fn in_project(&self, root: &Path) -> Command {
        let mut command = Command::new(&self.0);
        command.current_dir(root).env_remove("ANNALS_DIR").env_remove("ANNALS_SESSION");
        command
    }

    /// A new project.
    pub fn init(&self, root: &Path) -> Result<(), BenchError> {
        std::fs::create_dir_all(root).map_err(BenchError::io("making a project's folder"))?;
        super::watched(self.in_project(root).arg("init"), &[0]).map(drop)
    }
}

/// A copy, as an install makes it. A linker writes page by page, and what lies so in memory is mapped page by page: a
/// start of the program takes a third more until it was read from the disk again.
fn installed(program: &Path) -> Result<PathBuf, BenchError> {
    let failed = BenchError::io("copying a program");
    let copy = || {
        let folder = program.with_file_name("installed");
        std::fs::create_dir_all(&folder)?;
        let name = program.file_name().unwrap_or_default();
        let (copy, new) = (folder.join(name), folder.join(name).with_extension("new"));
        std::fs::copy(program, &new)?;
        std::fs::rename(&new, &copy)?;
        Ok(copy)
    };
    copy().map_err(failed)
}
