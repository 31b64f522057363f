//! What was asked for on the command line.

use std::path::PathBuf;

use crate::BenchError;

pub const USAGE: &str =
    "usage: annals-benches COMMAND [--rounds N] [--count N] [--dir DIR] [--large]

  append     durable appends, one thread and eight      processes  four processes, one journal
  buffered   appends in batches                         verify     every frame's CRC; the chain
  replay     decoded events                             rebuild    execution_log.db from nothing
  graph      codegraph.db from nothing; both stores side by side
  queries    every question at a million executions
  open       writer and reader, by size of journal      import     real transcripts
  hook       one recorded call, process start to exit   memory     prompts, searches, forks, at size
  repo-map   the map of a tree of 50 000 files, from nothing and again
  debug      every question at a hundred thousand debug sessions
  redact     transcripts, sources and hostile texts, MiB a round: --count
  checks     outputs of compilers and test runners, MiB a round: --count
  all        everything above
  table      everything that has a floor or a limit, and one table of what was reached

  --rounds N   rounds that count (5)
  --count N    events, executions or calls a round (each command has its own default)
  --dir DIR    where to work (the system's folder for temporary files); must be a real disk
  --behind N   hook: executions in the journal before (0)
  --branches N, --archival N
               memory: branches (10 000) and records (1 000 000)
  --calls      one more round each, in which strace counts system calls and flushes
  --large      open: also a journal of 10 GiB";

/// What was asked for on the command line.
#[derive(Clone, Debug)]
pub struct Request {
    pub command: String,
    /// What a child process of a benchmark is given.
    pub rest: Vec<String>,
    pub rounds: usize,
    pub count: Option<u64>,
    pub dir: PathBuf,
    pub large: bool,
    /// System calls are counted.
    pub calls: bool,
    /// Executions that lie behind what is measured.
    pub behind: Option<u64>,
    /// Branches and records of a memory.
    pub branches: Option<u64>,
    pub archival: Option<u64>,
}

impl Request {
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, BenchError> {
        let usage = || BenchError::Usage(USAGE.into());
        let mut request = Self {
            command: words.next().ok_or_else(usage)?,
            rest: Vec::new(),
            rounds: 5,
            count: None,
            dir: std::env::temp_dir(),
            large: false,
            calls: false,
            behind: None,
            branches: None,
            archival: None,
        };
        if request.command.starts_with("child-") {
            request.rest = words.collect();
            return Ok(request);
        }
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|n| n.parse::<u64>().ok()).ok_or_else(usage);
            match word.as_str() {
                "--rounds" => request.rounds = number()?.max(1) as usize,
                "--count" => request.count = Some(number()?.max(1)),
                "--behind" => request.behind = Some(number()?),
                "--branches" => request.branches = Some(number()?.max(1)),
                "--archival" => request.archival = Some(number()?),
                "--dir" => request.dir = words.next().ok_or_else(usage)?.into(),
                "--large" => request.large = true,
                "--calls" => request.calls = true,
                _ => return Err(usage()),
            }
        }
        Ok(request)
    }

    /// A folder of its own below the work folder, gone when it is dropped.
    pub fn folder(&self) -> Result<tempfile::TempDir, BenchError> {
        tempfile::Builder::new()
            .prefix("annals-bench-")
            .tempdir_in(&self.dir)
            .map_err(BenchError::io("making a work folder"))
    }
}
