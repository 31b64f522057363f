//! Every command, and what each owes to who calls it where the journal is damaged.

#[cfg(test)]
mod tests;

use std::ffi::OsString;

use super::{
    Context, Exit, Result, archive, blame, bundle, check_proof, checkpoint, checks, claim,
    completions, debug, diff, disable, enable, export, failures, fetch, fleet, forget, gate, hook,
    import, init, inspect, key, log, man, memory, merge, pack, phases, pipe, prove, query, rebuild,
    record, redact, repair, replay, repo, report, run, salvage, scan, seal, search, seen, session,
    sessions, ship, show, sql, stats, status, step, timeline, tool, tour, trace, trust, tui,
    verify,
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

        impl clap::Subcommand for Named {
            fn augment_subcommands(parser: clap::Command) -> clap::Command {
                parser$(.subcommand(clap::Command::new(dashed!($name))))*
            }

            fn augment_subcommands_for_update(parser: clap::Command) -> clap::Command {
                Self::augment_subcommands(parser)
            }

            fn has_subcommand(name: &str) -> bool {
                <Command as clap::Subcommand>::has_subcommand(name)
            }
        }

        /// Gives those commands what they take that are among these words: no other is asked for.
        pub fn filled(mut parser: clap::Command, words: &[OsString]) -> clap::Command {
            $(if words.iter().any(|word| word == dashed!($name)) {
                let fill = <$module::Args as clap::Args>::augment_args;
                parser = parser.mut_subcommand(dashed!($name), fill);
            })*
            parser
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

/// A command of a parser that knows all by name, and what they take of those alone that are asked for: to make a
/// whole one takes longer than most commands do.
#[derive(Debug)]
pub struct Named(pub Command);

impl clap::FromArgMatches for Named {
    fn from_arg_matches(found: &clap::ArgMatches) -> Result<Self, clap::Error> {
        Command::from_arg_matches(found).map(Self)
    }

    fn update_from_arg_matches(&mut self, found: &clap::ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(found)
    }
}

/// `CheckProof` as it is written, `check-proof`.
macro_rules! dashed {
    ($name:ident) => {{
        const LENGTH: usize = dashed::<0>(stringify!($name)).1;
        const BYTES: &[u8] = &dashed::<LENGTH>(stringify!($name)).0;
        const TEXT: &str = match str::from_utf8(BYTES) {
            Ok(text) => text,
            Err(_) => stringify!($name),
        };
        TEXT
    }};
}

/// The text, where it has room, and how long it is.
const fn dashed<const N: usize>(name: &str) -> ([u8; N], usize) {
    let (mut text, mut length, mut at) = ([0; N], 0, 0);
    while at < name.len() {
        let letter = name.as_bytes()[at];
        let dash: &[u8] = if at > 0 && letter.is_ascii_uppercase() { b"-" } else { b"" };
        if length + dash.len() < N {
            text[length] = b'-';
            text[length + dash.len()] = letter.to_ascii_lowercase();
        }
        length += dash.len() + 1;
        at += 1;
    }
    (text, length)
}

impl Command {
    /// Which stores of a copy it asks; `None` where it may ask none.
    pub fn wants(&self) -> Option<Wants> {
        match self {
            Self::Log(args) if args.grep.is_none() => Some(Wants::Index),
            Self::Sessions(args) if args.commits => Some(Wants::Executions),
            Self::Sessions(_)
            | Self::Search(_)
            | Self::Show(_)
            | Self::Failures(_)
            | Self::Timeline(_)
            | Self::Stats(_) => Some(Wants::Index),
            Self::Log(_) | Self::Diff(_) | Self::Blame(_) => Some(Wants::Executions),
            Self::Query(_) | Self::Trace(_) => Some(Wants::All),
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
    Ship(ship) Line,
    Fleet(fleet) Own,
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
