//! What was asked for on the command line.

use std::path::{Path, PathBuf};

use crate::BenchError;

pub const USAGE: &str =
    "usage: annals-benches COMMAND [--rounds N] [--count N] [--dir DIR] [--large] [--quick]

  append     durable appends, one thread and eight      processes  four processes, one journal
  buffered   appends in batches                         verify     every frame's CRC; the chain
  replay     decoded events                             rebuild    execution_log.db from nothing
  graph      codegraph.db from nothing; both stores side by side
  queries    every question at a million executions, cold and warm
  open       writer and reader, by size of journal      import     real transcripts
  hook       one recorded call, process start to exit
  memory     prompts, searches and forks in a large memory, cold and warm
  repo-map   the map of a tree of 50 000 files, from nothing and again
  debug      every question at a hundred thousand debug sessions, cold and warm
  redact     transcripts, sources and hostile texts, MiB a round: --count
  checks     outputs of compilers and test runners, MiB a round: --count
  size       journal and stores of real sessions against their transcripts
  copy       the first question of a bundle and of copies
  search     full-text search in real sessions, cold and warm
  build      the first command of the README, with nothing built
  scaling    what grows with the number of executions, and what must not
  all        everything above but build and scaling
  table      everything that has a floor or a limit, and one table of what was reached

  --rounds N   rounds that count (5)
  --count N    events, executions or calls a round (each command has its own default)
  --dir DIR    where to work (the system's folder for temporary files); must be a real disk
  --behind N   hook: executions in the journal before (0)
  --branches N, --archival N
               memory: branches (10 000) and records (1 000 000)
  --calls      one more round each, in which strace counts system calls and flushes
  --large      open: also a journal of 10 GiB; scaling: also 10 000 000 executions
  --quick      smaller counts and fewer rounds: whether it runs, not how fast it is
  --data DIR   where transcripts for development lie (../shared/data beside the workspace)
  --sessions DIR
               size, copy, search: unpacked sessions, instead of the archive in --data
  --out FILE   table: also written to this file; scaling: the drawing
  --log FILE   scaling: what was measured, to go on from (annals-scaling.jsonl in --dir)";

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
    pub quick: bool,
    /// System calls are counted.
    pub calls: bool,
    /// Executions that lie behind what is measured.
    pub behind: Option<u64>,
    /// Branches and records of a memory.
    pub branches: Option<u64>,
    pub archival: Option<u64>,
    pub data: PathBuf,
    pub sessions: Option<PathBuf>,
    pub out: Option<PathBuf>,
    pub log: Option<PathBuf>,
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
            quick: false,
            calls: false,
            behind: None,
            branches: None,
            archival: None,
            data: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
            sessions: None,
            out: None,
            log: None,
        };
        if request.command.starts_with("child-") {
            request.rest = words.collect();
            return Ok(request);
        }
        let mut rounds = None;
        while let Some(word) = words.next() {
            match word.as_str() {
                "--large" => request.large = true,
                "--quick" => request.quick = true,
                "--calls" => request.calls = true,
                _ => {
                    let value = words.next().ok_or_else(usage)?;
                    let number = || value.parse::<u64>().map_err(|_| usage());
                    match word.as_str() {
                        "--rounds" => rounds = Some(number()?.max(1) as usize),
                        "--count" => request.count = Some(number()?.max(1)),
                        "--behind" => request.behind = Some(number()?),
                        "--branches" => request.branches = Some(number()?.max(1)),
                        "--archival" => request.archival = Some(number()?),
                        "--dir" => request.dir = value.into(),
                        "--data" => request.data = value.into(),
                        "--sessions" => request.sessions = Some(value.into()),
                        "--out" => request.out = Some(value.into()),
                        "--log" => request.log = Some(value.into()),
                        _ => return Err(usage()),
                    }
                }
            }
        }
        request.rounds = rounds.unwrap_or(if request.quick { 3 } else { 5 });
        Ok(request)
    }

    /// How many of something: as asked, else `full`, and a tenth of that where it is to be quick.
    pub fn count_or(&self, full: u64) -> u64 {
        self.count.unwrap_or(if self.quick { full.div_ceil(10) } else { full })
    }

    /// A folder of its own below the work folder, gone when it is dropped.
    pub fn folder(&self) -> Result<tempfile::TempDir, BenchError> {
        tempfile::Builder::new()
            .prefix("annals-bench-")
            .tempdir_in(&self.dir)
            .map_err(BenchError::io("making a work folder"))
    }
}
