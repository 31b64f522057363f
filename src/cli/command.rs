//! Every command, and what each owes to who calls it where the journal is damaged.

use super::{
    Context, Exit, Result, archive, blame, bundle, check_proof, checkpoint, checks, claim,
    completions, debug, diff, disable, enable, export, failures, fetch, forget, gate, hook, import,
    init, inspect, key, log, man, memory, merge, pack, phases, pipe, prove, query, rebuild, record,
    redact, repair, replay, repo, report, run, salvage, scan, seal, search, seen, session,
    sessions, show, sql, stats, status, step, timeline, tool, tour, trace, trust, tui, verify,
};

use crate::store::evidence::Wants;

/// What a command owes to who calls it where the journal is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// What it prints is an answer: the line, before it is printed, and exit 3.
    Answer,
    /// The line. Its exit code is its own, unless a part of it answers and asks.
    Line,
    /// It tells in its own words, or has no journal, or one of its own.
    Own,
}

/// An enum of subcommands: of each its arguments, and the function that does it.
macro_rules! verbs {
    ($vis:vis enum $name:ident { $($(#[$of:meta])* $verb:ident($args:ty) => $run:path,)* }) => {
        #[derive(clap::Subcommand, Debug)]
        #[allow(clippy::large_enum_variant, reason = "a command line has one of them")]
        $vis enum $name {
            $($(#[$of])* $verb($args),)*
        }

        impl $name {
            fn run(
                self,
                context: &mut $crate::cli::Context,
            ) -> Result<$crate::cli::Exit, $crate::cli::CliError> {
                match self {
                    $(Self::$verb(args) => $run(args, context),)*
                }
            }
        }
    };
}
pub(super) use verbs;

/// Commands: the name, the module that has its `Args` and does it, and its duty.
macro_rules! commands {
    ($($(#[$meta:meta])* $name:ident($module:ident) $duty:ident,)*) => {
        #[derive(clap::Subcommand, Debug)]
        pub enum Command {
            $($(#[$meta])* $name($module::Args),)*
        }

        impl Command {
            pub fn run(self, context: &mut Context) -> Result<Exit> {
                match self {
                    $(Self::$name(args) => $module::run(args, context),)*
                }
            }

            pub fn duty(&self) -> Duty {
                match self {
                    $(Self::$name(_) => Duty::$duty,)*
                }
            }
        }
    };
}

impl Command {
    /// Which stores of a copy it asks; `None` where it may ask none.
    pub fn wants(&self) -> Option<Wants> {
        match self {
            Self::Log(args) if args.grep.is_none() => Some(Wants::Index),
            Self::Sessions(_) | Self::Failures(_) | Self::Timeline(_) | Self::Stats(_) => {
                Some(Wants::Index)
            }
            Self::Log(_) | Self::Show(_) => Some(Wants::Executions),
            _ => None,
        }
    }
}

commands! {
    Enable(enable) Line,
    Disable(disable) Line,
    Init(init) Line,
    Run(run) Line,
    Record(record) Line,
    Import(import) Line,
    Session(session) Line,
    Sessions(sessions) Answer,
    Log(log) Answer,
    Show(show) Answer,
    Search(search) Answer,
    Failures(failures) Answer,
    Checks(checks) Answer,
    Query(query) Answer,
    Timeline(timeline) Answer,
    Trace(trace) Answer,
    Diff(diff) Answer,
    Blame(blame) Answer,
    Replay(replay) Line,
    Gate(gate) Answer,
    Step(step) Line,
    Claim(claim) Answer,
    Tui(tui) Line,
    Memory(memory) Line,
    Repo(repo) Line,
    Debug(debug) Line,
    Context(pack) Answer,
    Stats(stats) Answer,
    Pipe(pipe) Line,
    Export(export) Answer,
    Sql(sql) Answer,
    Tour(tour) Own,
    Status(status) Own,
    Trust(trust) Line,
    Verify(verify) Own,
    Seen(seen) Own,
    Key(key) Own,
    Seal(seal) Line,
    Checkpoint(checkpoint) Line,
    Prove(prove) Own,
    CheckProof(check_proof) Own,
    Repair(repair) Own,
    Salvage(salvage) Own,
    Scan(scan) Line,
    Redact(redact) Line,
    Forget(forget) Line,
    Bundle(bundle) Answer,
    Report(report) Answer,
    Archive(archive) Line,
    Fetch(fetch) Line,
    Merge(merge) Own,
    Rebuild(rebuild) Answer,
    #[command(hide = true)]
    Hook(hook) Own,
    #[command(hide = true)]
    Inspect(inspect) Own,
    #[command(hide = true)]
    Phases(phases) Line,
    #[command(hide = true)]
    Tool(tool) Line,
    #[command(hide = true)]
    Completions(completions) Own,
    #[command(hide = true)]
    Man(man) Own,
}
