//! `annals memory`: branch memory (spec 003), for people and for agents without a pipe.

mod append;
mod apply;
mod branches;
mod consolidate;
mod del;
mod diff;
mod evict;
mod export;
pub(crate) mod fork;
mod get;
mod import;
pub(crate) mod log;
pub(crate) mod look;
mod origin;
mod pressure;
pub(crate) mod print;
mod read;
mod recall;
mod record;
mod render;
mod search;
mod set;
mod show;
pub(crate) mod stdin;
mod update;
pub(crate) mod why;
mod work;
mod write;

use super::{CliError, Context, Exit};

/// What agents remember: keys, events and records, in branches that fork
///
/// A branch sees its own and what its ancestors hold; its siblings see nothing of it. Every operation
/// is in the journal, and memory.db is rebuilt from there. What reads for an agent (get, recall, search,
/// record, read, render) is recorded as well; branches, show, diff, log, why and export record
/// nothing, and with --at or --evidence nothing does.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Branches(branches::Args),
    Show(show::Args),
    Fork(fork::Args),
    Get(get::Args),
    Set(set::Args),
    Del(del::Args),
    Append(append::Args),
    Recall(recall::Args),
    Evict(evict::Args),
    Write(write::Args),
    Update(update::Args),
    Search(search::Args),
    Record(record::Args),
    Read(read::Args),
    Apply(apply::Args),
    Render(render::Args),
    Pressure(pressure::Args),
    Consolidate(consolidate::Args),
    Diff(diff::Args),
    Log(log::Args),
    Why(why::Args),
    Import(import::Args),
    Export(export::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    context.damage.asked = args.what.asks();
    match args.what {
        What::Branches(args) => branches::run(args, context),
        What::Show(args) => show::run(args, context),
        What::Fork(args) => fork::run(args, context),
        What::Get(args) => get::run(args, context),
        What::Set(args) => set::run(args, context),
        What::Del(args) => del::run(args, context),
        What::Append(args) => append::run(args, context),
        What::Recall(args) => recall::run(args, context),
        What::Evict(args) => evict::run(args, context),
        What::Write(args) => write::run(args, context),
        What::Update(args) => update::run(args, context),
        What::Search(args) => search::run(args, context),
        What::Record(args) => record::run(args, context),
        What::Read(args) => read::run(args, context),
        What::Apply(args) => apply::run(args, context),
        What::Render(args) => render::run(args, context),
        What::Pressure(args) => pressure::run(args, context),
        What::Consolidate(args) => consolidate::run(args, context),
        What::Diff(args) => diff::run(args, context),
        What::Log(args) => log::run(args, context),
        What::Why(args) => why::run(args, context),
        What::Import(args) => import::run(args, context),
        What::Export(args) => export::run(args, context),
    }
}

impl What {
    /// Whether it answers from what is remembered, though that is recorded.
    fn asks(&self) -> bool {
        matches!(
            self,
            Self::Get(_)
                | Self::Recall(_)
                | Self::Search(_)
                | Self::Record(_)
                | Self::Read(_)
                | Self::Render(_)
                | Self::Pressure(_)
        )
    }
}
