//! `annals tour`: the whole path once, on a small crate of its own, each claim checked as it is made.

mod steps;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{CliError, Context, Exit, Result, shown};

/// Watch a demo: record, ask, remember, damage, salvage, rebuild
///
/// In a folder of its own the tour makes a small crate with a real error, runs `cargo check` through
/// the recorder, repairs the code and checks again, shows the log, what agents remember in branches and
/// what the repository keeps for the next one, damages a copy of the journal by
/// one bit and salvages it, deletes execution_log.db and rebuilds it, and proves by digest that
/// nothing differs. It works offline, and needs cargo. It exits with 1 if any step fails.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Keep everything in this new or empty folder [default: a temporary one, removed at the end]
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_write()?;
    must_have_cargo()?;
    let kept = args.keep.is_some();
    let folder = match args.keep {
        Some(folder) => folder,
        None => std::env::temp_dir().join(format!("annals-tour-{}", std::process::id())),
    };
    let folder = made(&folder)?;
    let toured = steps::all(&folder, context);
    if kept {
        return finish(toured, &folder, true, context);
    }
    if toured.is_ok() {
        std::fs::remove_dir_all(&folder)
            .map_err(|source| CliError::io("remove", &folder, source))?;
    }
    finish(toured, &folder, false, context)
}

fn finish(toured: Result<()>, folder: &Path, kept: bool, context: &mut Context) -> Result<Exit> {
    let place = shown(folder);
    if let Err(error) = toured {
        context.output.note(format_args!("what the tour made is in {place}"));
        return Err(error);
    }
    context.output.blank()?;
    if kept {
        context.output.line(format_args!("Everything lies in {place}:"))?;
        context
            .output
            .line("  crate/                   the crate, its execution_log.db and its .annals/")?;
        context.output.line(
            "  damaged/, salvaged/      the journal with one bit flipped, and what was saved of it",
        )?;
        context.output.line(format_args!("Look around: annals --dir {place}/crate show 1"))?;
    } else {
        context
            .output
            .line("All of it was in a temporary folder, removed now; --keep DIR keeps it.")?;
    }
    context.output.line("Next, in a project of your own: annals enable")?;
    Ok(Exit::Fine)
}

/// Without cargo nothing is begun.
fn must_have_cargo() -> Result<()> {
    for program in ["cargo", "rustc"] {
        let asked = Command::new(program).arg("--version").stdin(Stdio::null()).output();
        let why = match asked {
            Ok(output) if output.status.success() => continue,
            // rustup stands for both, also where it has no toolchain.
            Ok(output) => format!("{program}: {}", said(&output.stderr)),
            Err(error) => format!("{program}: {error}"),
        };
        return Err(CliError::NoCargo { why });
    }
    Ok(())
}

/// The line that tells what is missing: an error's, behind which a backtrace may come; else the last one.
fn said(printed: &[u8]) -> String {
    let printed = String::from_utf8_lossy(printed);
    let mut lines = printed.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines.clone().find(|line| line.starts_with("error"));
    // A panic's place stands before its words.
    let panicked = || lines.clone().skip_while(|line| !line.contains("panicked at")).nth(1);
    let line = error.or_else(panicked).or_else(|| lines.next_back());
    line.unwrap_or("it ended with an error").chars().take(200).collect()
}

/// The folder, made where it is missing; one that holds something already is refused.
fn made(folder: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(folder).map_err(|source| CliError::io("make", folder, source))?;
    let folder = folder.canonicalize().map_err(|source| CliError::io("find", folder, source))?;
    let mut inside = folder.read_dir().map_err(|source| CliError::io("read", &folder, source))?;
    if inside.next().is_some() {
        return Err(CliError::NotEmpty { path: folder });
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn what_is_missing_is_told_and_not_where_it_was_noticed() {
        let panic = "thread 'main' panicked at src/a.rs:1:\nno home directory\nstack backtrace:\n  13: <unknown>\n";
        for (printed, expect) in [
            ("error: no toolchain\nhelp: run rustup default stable\n", "error: no toolchain"),
            (panic, "no home directory"),
            ("error: no home\n\n  0: <unknown>\n  13: <unknown>\n", "error: no home"),
            ("nothing works\n", "nothing works"),
            ("", "it ended with an error"),
        ] {
            assert_eq!(said(printed.as_bytes()), expect);
        }
    }
}
