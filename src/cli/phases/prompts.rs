//! `annals phases prompts`: the texts that prompts are put together from.

use std::path::PathBuf;

use serde::Serialize;

use crate::cli::{Context, Exit, Result, shown};
use crate::journal::Project;
use crate::output::escape;
use crate::phases::prompt::{Prompts, TEXTS};

/// List the prompt templates, or write them to a folder to edit
///
/// A text in the folder that `[phases] prompts` of .annals/config.toml names stands in for the built-in
/// one of the same path.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write them into this folder; nothing that is there is written over
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct PromptText {
    path: &'static str,
    /// Whether a file of the user's stands in for the built-in text.
    changed: bool,
    text: String,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let source = context.sources()?.into_iter().next();
    // Of a journal alone there is no config: the built-in texts are all there are.
    let project = source.and_then(|source| source.root).map(|root| Project::open(&root));
    let folder = project.transpose()?.and_then(|project| {
        let folder = project.config().phases.prompts.as_ref()?;
        Some(project.root().join(folder))
    });
    let prompts = Prompts::new(folder);
    if let Some(folder) = args.export {
        let count = prompts.export(&folder)?;
        context.output.line(format_args!("{count} texts are in {}", shown(&folder)))?;
        return Ok(Exit::Fine);
    }
    for remark in prompts.remarks()? {
        context.output.note(escape::line(&remark));
    }
    let mut texts = Vec::new();
    for (path, _) in TEXTS {
        let (text, changed) = prompts.find(path)?;
        texts.push(PromptText { path, changed, text });
    }
    if context.output.as_json_list(&texts)? {
        return Ok(Exit::Fine);
    }
    for text in texts {
        let mark = if text.changed { "  (yours)" } else { "" };
        context.output.line(format_args!("{}{mark}", text.path))?;
    }
    Ok(Exit::Fine)
}
