//! `annals debug`: what was tried on a file that is broken, and what helped (spec 002).

mod analyse;
mod attempt;
mod bare;
mod close;
mod code;
mod escalations;
mod expire;
mod export;
mod fix;
mod heard;
mod import;
mod infer;
mod input;
mod learn;
mod list;
mod look;
mod open;
mod print;
mod run;
mod show;
mod similar;
mod templates;
mod validate;
mod verdict;
mod verify;
mod words;
mod work;

use super::{CliError, Context, Exit};

/// What was tried on a file that is broken, and what helped: attempts, analyses, fixes, learnings
///
/// `annals debug run FILE -- cargo test` does it all by itself: each run of the tests is an attempt; what
/// looked like it before is told with what helped then. A session that is not named is the one that was
/// worked on last.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Run(run::Args),
    List(list::Args),
    Show(show::Args),
    Similar(similar::Args),
    Templates(templates::Args),
    Escalations(escalations::Args),
    Open(open::Args),
    Attempt(Box<attempt::Args>),
    Analyse(analyse::Args),
    Fix(fix::Args),
    Verify(verify::Args),
    Learn(learn::Args),
    Close(close::Args),
    Infer(infer::Args),
    Import(import::Args),
    Export(export::Args),
    Validate(validate::Args),
    Expire(expire::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let Some(what) = args.what else { return bare::run(context) };
    match what {
        What::Run(args) => run::run(args, context),
        What::List(args) => list::run(args, context),
        What::Show(args) => show::run(args, context),
        What::Similar(args) => similar::run(args, context),
        What::Templates(args) => templates::run(args, context),
        What::Escalations(args) => escalations::run(args, context),
        What::Open(args) => open::run(args, context),
        What::Attempt(args) => attempt::run(*args, context),
        What::Analyse(args) => analyse::run(args, context),
        What::Fix(args) => fix::run(args, context),
        What::Verify(args) => verify::run(&args, context),
        What::Learn(args) => learn::run(args, context),
        What::Close(args) => close::run(args, context),
        What::Infer(args) => infer::run(&args, context),
        What::Import(args) => import::run(args, context),
        What::Export(args) => export::run(&args, context),
        What::Validate(args) => validate::run(&args, context),
        What::Expire(args) => expire::run(&args, context),
    }
}
