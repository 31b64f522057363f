//! Which of the processes above a hook is its agent, by what is seen of them while the hook runs.
//!
//! Between the two may be shells and scripts that were started for this hook alone, and that end with it:
//! taken for the agent, one of them would tell a living one gone. A shell has the hook in its command line,
//! or the pipe that the hook reads or writes as its own, where an agent has the other end. A script that reads
//! what it is told, and asks the hook through pipes of its own, is young, and was given an input that nobody
//! above it has. An agent that looks like that is overlooked for as long as it is young: its calls stay open
//! meanwhile.

use std::fs;
use std::path::PathBuf;

use super::ancestor::Process;

/// What was found.
pub struct Found {
    /// How far above the hook it is.
    pub at: usize,
    /// It cannot have been started for this hook.
    pub is_firm: bool,
}

/// What is seen of a process.
struct Seen {
    process: Process,
    /// It has the agent's own name.
    is_named: bool,
    /// It is a shell whose command line calls a hook.
    is_hooks_shell: bool,
    /// The pipe that it reads; `None` for anything else. A shell script has a file there while a command of
    /// it reads one.
    input: Option<PathBuf>,
    output: Option<PathBuf>,
}

/// The agent among the processes above this one, nearest first; `name` is that of its program. Where all
/// of them may have been started for the hook it is the outermost, the last that one would take for gone.
pub fn agent(above: &[Process], name: &str) -> Option<Found> {
    let own = Seen::of(Process::own()?, name);
    let seen: Vec<Seen> = above.iter().map(|process| Seen::of(*process, name)).collect();
    let is_young = |it: &Seen| !it.process.is_older_than(own.process);
    let is_handed_on = |it: &Seen| {
        it.is_hooks_shell
            || it.input.is_some() && it.input == own.input
            || it.output.is_some() && it.output == own.output
    };
    let is_for_this = |at: usize| {
        let it = &seen[at];
        let had = |other: &&Seen| other.input == it.input;
        let given = at + seen[at..].iter().take_while(had).count() - 1;
        let is_given = it.input.is_some() && given + 1 < seen.len();
        is_given && !it.is_named && is_young(&seen[given])
    };
    let at = (0..seen.len()).find(|at| !is_handed_on(&seen[*at]) && !is_for_this(*at));
    match at {
        Some(at) => {
            let is_firm = seen[at].is_named || !is_young(&seen[at]);
            Some(Found { at, is_firm })
        }
        None => Some(Found { at: above.len().checked_sub(1)?, is_firm: false }),
    }
}

impl Seen {
    fn of(process: Process, name: &str) -> Self {
        let pipe = |number: u32| {
            // What another user runs is not shown, and is no shell of this hook's.
            let place = fs::read_link(format!("/proc/{}/fd/{number}", process.pid())).ok()?;
            let is_pipe =
                ["pipe:", "socket:"].iter().any(|it| place.to_string_lossy().starts_with(it));
            is_pipe.then_some(place)
        };
        // `sh -c LINE`, `bash -lc LINE`
        let is_hooks_shell = match process.words().get(1..) {
            Some([flags, line, ..]) => {
                let is_line = flags.starts_with('-') && flags.ends_with('c');
                is_line && line.contains("hook") && !line.contains('\n')
            }
            _ => false,
        };
        Self {
            process,
            is_named: process.is_named(name),
            is_hooks_shell,
            input: pipe(0),
            output: pipe(1),
        }
    }
}
