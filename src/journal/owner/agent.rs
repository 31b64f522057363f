//! The process of an agent whose hooks are answered: once it is gone nobody finishes its calls.
//!
//! Nobody tells a hook which process its agent is: its parent may be the agent, or a shell that the
//! agent started for this hook alone. `above.rs` judges by one hook. The nearest process that two firings
//! had above them was started for neither, which makes it sure.
//!
//! `.annals/owners/{session}.agent` has them, the agent first, with the boot and the process
//! namespace, without which a number says nothing. Nothing is waited for and no store is opened.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use super::ancestor::{self, Process};
use crate::event::SessionId;
use crate::journal::{derived_file, enclosure};

/// More than any file of ours holds.
const BYTES_MAX: u64 = 4 << 10;
/// Files that one look goes through.
const FILES_MAX: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Lives,
    Gone,
    /// Nobody said which process it is, or it cannot be seen from here.
    Unknown,
}

struct Told {
    place: String,
    /// Two hooks had it as an ancestor.
    is_sure: bool,
    /// A digest of what the hook was fired for: of one firing, several may be told.
    fired: String,
    agent: Process,
    ancestors: Vec<Process>,
}

/// Notes the process of the agent that this hook works for, whose program has this name; nothing where it
/// is known already. Gives whether the session goes on after an agent that surely is no more.
/// `fired` is what the hook is fired for.
pub fn note(owners: &Path, session: SessionId, name: &str, fired: &str) -> bool {
    let path = path(owners, session);
    let told = Told::read(&path);
    let mut ancestors = Vec::new();
    for ancestor in ancestor::ancestors() {
        if let Some(told) = &told
            && told.is_sure
            && told.agent == ancestor
        {
            return false;
        }
        ancestors.push(ancestor);
    }
    let Some(place) = ancestor::place() else { return false };
    let is_gone = |told: &Told| told.is_sure && told.standing(Some(&place)) == Standing::Gone;
    let goes_on = told.as_ref().is_some_and(is_gone);
    // Of another boot, or of a process that ended for sure: the session goes on in another one.
    let told = told.filter(|told| told.place == place && (!told.is_sure || told.agent.lives()));
    let Some(found) = self::agent(&ancestors, name) else { return goes_on };
    let had = |told: &Told| ancestors.iter().position(|it| told.ancestors.contains(it));
    let shared = told.as_ref().and_then(had);
    let fired = blake3::hash(fired.as_bytes()).to_hex().to_string();
    let is_the_agent = |told: &Told, at: usize| match at.cmp(&found.at) {
        Ordering::Less => told.fired != fired,
        Ordering::Equal => true,
        // Another agent may be below what the one before was below.
        Ordering::Greater => !found.is_firm || told.agent.lives(),
    };
    let shared = told.as_ref().zip(shared).filter(|(told, at)| is_the_agent(told, *at));
    let at = shared.map_or(found.at, |(_, at)| at);
    let is_sure = shared.is_some() && at <= found.at;
    let text = Told { place, is_sure, fired, agent: ancestors[at], ancestors }.text();
    // Without the file the session's calls stay open until it ends, as before.
    drop(derived_file::replace(&path, text.as_bytes()));
    goes_on
}

pub fn forget(owners: &Path, session: SessionId) {
    // A file that stays is looked at again.
    drop(enclosure::remove(&path(owners, session)));
}

pub fn standing(owners: &Path, session: SessionId) -> Standing {
    match Told::read(&path(owners, session)) {
        Some(told) => told.standing(ancestor::place().as_deref()),
        None => Standing::Unknown,
    }
}

/// The sessions whose agent is gone, but for the one that asks: a look at a folder that has a file for
/// each agent that runs.
pub fn gone(owners: &Path, but: Option<SessionId>) -> Vec<SessionId> {
    let Ok(names) = enclosure::names(owners) else { return Vec::new() };
    // What is no file of ours has no agent.
    let names = names.into_iter().filter_map(|(name, _)| name.into_string().ok());
    let sessions = names.filter_map(|name| SessionId::parse(name.strip_suffix(".agent")?));
    let mut here = None;
    let is_gone = |session: &SessionId| {
        let here = here.get_or_insert_with(ancestor::place);
        let told = Told::read(&path(owners, *session));
        told.is_some_and(|told| told.standing(here.as_deref()) == Standing::Gone)
    };
    let others = sessions.filter(|session| Some(*session) != but);
    others.take(FILES_MAX).filter(is_gone).collect()
}

fn path(owners: &Path, session: SessionId) -> PathBuf {
    owners.join(format!("{session}.agent"))
}

impl Told {
    fn read(path: &Path) -> Option<Self> {
        let bytes = derived_file::read(path, BYTES_MAX)?;
        let mut lines = std::str::from_utf8(&bytes).ok()?.lines();
        let place = lines.next()?.to_owned();
        let (sure, fired) = lines.next()?.split_once(' ')?;
        let is_sure = match sure {
            "sure" => true,
            "likely" => false,
            _ => return None,
        };
        let agent = Process::parse(lines.next()?)?;
        let ancestors = lines.map(Process::parse).collect::<Option<Vec<_>>>()?;
        Some(Self { place, is_sure, fired: fired.to_owned(), agent, ancestors })
    }

    fn text(&self) -> String {
        let sure = if self.is_sure { "sure" } else { "likely" };
        let mut text = format!("{}\n{sure} {}\n{}\n", self.place, self.fired, self.agent);
        self.ancestors.iter().for_each(|ancestor| text.push_str(&format!("{ancestor}\n")));
        text
    }

    /// A process of this machine's last boot is gone with it. From another machine, or another process
    /// namespace, nothing can be seen.
    fn standing(&self, here: Option<&str>) -> Standing {
        let Some(here) = here else { return Standing::Unknown };
        let machine = |place: &str| place.split(' ').next().map(str::to_owned);
        let boot = |place: &str| place.split(' ').nth(1).map(str::to_owned);
        if machine(&self.place) != machine(here) {
            return Standing::Unknown;
        }
        if boot(&self.place) != boot(here) {
            return Standing::Gone;
        }
        match (self.place == here, self.agent.lives()) {
            (false, _) => Standing::Unknown,
            (true, true) => Standing::Lives,
            (true, false) => Standing::Gone,
        }
    }
}

// Which of the processes above a hook is its agent, by what is seen of them while the hook runs.
//
// Between the two may be shells and scripts that were started for this hook alone, and that end with it:
// taken for the agent, one of them would tell a living one gone. A shell has the hook in its command line,
// or the pipe that the hook reads or writes as its own, where an agent has the other end. A script that reads
// what it is told, and asks the hook through pipes of its own, is young, and was given an input that nobody
// above it has. An agent that looks like that is overlooked for as long as it is young: its calls stay open
// meanwhile.

pub struct Found {
    pub at: usize,
    /// It cannot have been started for this hook.
    pub is_firm: bool,
}

struct Seen {
    process: Process,
    is_named: bool,
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
