//! `annals key`: the key that signs checkpoints.

use serde::Serialize;

use super::command::verbs;
use super::{CliError, Context, Exit, Result};
use crate::journal::project::home;
use crate::journal::tlog::{Keys, is_name};

/// Make, show or change the key that signs checkpoints
///
/// An ed25519 key, in `~/.config/annals/signing.key` (mode 0600, outside of every project). Give others the public
/// line that `show` prints: `annals verify --checkpoint FILE --key LINE` believes nobody else.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

verbs! {
    enum Verb {
        /// Make a key, where there is none
        New(New) => new,
        /// Print the public key
        Show(None) => show,
        /// Make another key in the place of the one there is
        ///
        /// Prints a note, signed by both, that says so. What the old one signed stays valid by its public line,
        /// which `signing.pub` beside the key keeps.
        Rotate(None) => rotate,
    }
}

#[derive(clap::Args, Debug)]
struct None {}

#[derive(clap::Args, Debug)]
struct New {
    /// Who signs, without spaces and + [default: user and machine]
    #[arg(long)]
    name: Option<String>,
}

#[derive(Serialize)]
struct Shown {
    name: String,
    /// As signed notes write it.
    public: String,
    path: String,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.verb.run(context)
}

fn keys() -> Result<Keys> {
    let what = "there is no home folder for keys: set HOME";
    Keys::of_user().ok_or(CliError::Refused { what })
}

fn new(args: New, context: &mut Context) -> Result<Exit> {
    let name = match args.name {
        Some(name) => name,
        Option::None => format!("annals@{}", home::machine_label()).replace(['+', ' '], "-"),
    };
    if !is_name(&name) {
        return Err(CliError::Refused {
            what: "a key's name has no spaces and no +, and at most 200 bytes",
        });
    }
    keys()?.make(&name)?;
    show(None {}, context)
}

fn show(_: None, context: &mut Context) -> Result<Exit> {
    let keys = keys()?;
    let what = "there is no key yet: annals key new";
    let key = keys.secret()?.ok_or(CliError::Refused { what })?.public();
    let (name, public) = (key.name().to_owned(), key.to_string());
    let path = keys.path().to_string_lossy().into_owned();
    if !context.output.as_json(&Shown { name, public: public.clone(), path })? {
        context.output.line(public)?;
    }
    Ok(Exit::Fine)
}

fn rotate(_: None, context: &mut Context) -> Result<Exit> {
    let (_, note) = keys()?.rotate()?;
    context.output.line(note.to_string().trim_end())?;
    Ok(Exit::Fine)
}
