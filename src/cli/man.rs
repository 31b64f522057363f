//! `annals man`: the manual pages.

use std::path::PathBuf;

use clap::CommandFactory;

use super::{Cli, CliError, Context, Exit, Result};

/// Print the manual page, or write one a command into a folder
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write annals.1 and a page a command here instead of printing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let command = <Cli>::command();
    let Some(folder) = args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        context.output.raw(&page)?;
        return Ok(Exit::Fine);
    };
    std::fs::create_dir_all(&folder)
        .map_err(|source| CliError::io("make the folder", &folder, source))?;
    clap_mangen::generate_to(command, &folder)
        .map_err(|source| CliError::io("write pages to", &folder, source))?;
    context.output.line(format_args!("Wrote the pages to {}", super::shown(&folder)))?;
    Ok(Exit::Fine)
}
