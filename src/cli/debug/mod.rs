//! `annals debug`: what was tried on a file that is broken, and what helped (spec 002).

mod attempt;
mod attempt_lines;
mod documents;
mod flaky;
mod infer;
mod print;
mod record;
mod run;
mod sessions;
mod similar;
mod work;

use std::fs::File;
use std::io;
use std::io::{ErrorKind, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::command::verbs;
use super::memory::or_given;
use super::{CliError, Context, Exit, Result, catch_up};
use crate::debug::given_json;
use crate::debug::limits::SNAPSHOT_BYTES_MAX;
use crate::debug::query::DebugView;
use crate::event::{DebugSessionId, DebugStatus, ErrorType, RootCause, TemplateRef, Verification};
use crate::execution::query::QueryError;
use crate::output::wire::OfJournal;

/// Debug memory: attempts, analyses, fixes, and what was learnt
///
/// `annals debug run FILE -- cargo test` does it all by itself: each run of the tests is an attempt; similar
/// earlier failures are shown, with what helped. A session that is not named is the one that was
/// worked on last.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

verbs! { enum What {
    Run(run::Args) => run::run,
    List(sessions::ListArgs) => sessions::list,
    Show(sessions::ShowArgs) => sessions::show,
    Similar(similar::SimilarArgs) => similar::similar,
    Templates(similar::TemplatesArgs) => similar::templates,
    Flaky(flaky::Args) => flaky::run,
    Escalations(sessions::EscalationsArgs) => sessions::escalations,
    Open(sessions::OpenArgs) => sessions::open,
    Attempt(attempt::Args) => attempt::run,
    Analyse(record::AnalyseArgs) => record::analyse,
    Fix(record::FixArgs) => record::fix,
    Verify(record::VerifyArgs) => record::verify,
    Learn(record::LearnArgs) => record::learn,
    Close(sessions::CloseArgs) => sessions::close,
    Infer(infer::Args) => infer::run,
    Import(documents::ImportArgs) => documents::import,
    Export(documents::ExportArgs) => documents::export,
    Validate(documents::ValidateArgs) => documents::validate,
    Expire(documents::ExpireArgs) => documents::expire,
} }

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    match args.what {
        Some(what) => what.run(context),
        None => sessions::overview(context),
    }
}

/// One journal's debug memory.
pub struct Look<'v> {
    /// The journal's name, where there are several.
    pub journal: Option<&'v str>,
    pub view: DebugView<'v>,
}

/// Looks at every journal that was asked about, as of `--at` where that was given.
pub fn each<T>(
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>) -> Result<Vec<T>>,
) -> Result<Vec<T>> {
    let opened = catch_up::open_all(context)?;
    let mut found = Vec::new();
    for one in &opened {
        found.extend(look(&Look { journal: one.name.as_deref(), view: one.stores.debug() })?);
    }
    Ok(found)
}

/// What every journal that was asked about has, under its name.
pub fn rows<T>(
    context: &mut Context,
    mut look: impl FnMut(DebugView<'_>) -> Result<Vec<T>, QueryError>,
) -> Result<Vec<OfJournal<T>>> {
    each(context, |one| {
        let found = look(one.view)?.into_iter();
        Ok(found.map(|it| OfJournal::of(one.journal, it)).collect())
    })
}

/// Looks at one session in every journal that has it.
pub fn session<T>(
    named: &str,
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>, DebugSessionId) -> Result<Vec<T>>,
) -> Result<Vec<T>> {
    let (mut missing, mut is_there) = (None, false);
    let found = each(context, |one| match one.find(named) {
        Err(error @ QueryError::NoDebugSession { .. }) => {
            missing = Some(error);
            Ok(Vec::new())
        }
        found => {
            let found = found?;
            is_there = true;
            look(one, found)
        }
    })?;
    match missing {
        Some(error) if !is_there => Err(work::missing(error)),
        _ => Ok(found),
    }
}

impl Look<'_> {
    fn find(&self, named: &str) -> Result<DebugSessionId, QueryError> {
        let found = self.view.resolve(named)?;
        // An id that was given whole may be of no session.
        match self.view.session(found)? {
            Some(_) => Ok(found),
            None => Err(QueryError::NoDebugSession { text: named.to_owned() }),
        }
    }
}

// The code at an attempt: its hash, and where it is wanted, the code itself.

const CHUNK_BYTES: usize = 64 << 10;

/// A file as it was read.
pub struct Code {
    /// SHA-256, hexadecimal digits.
    pub hash: String,
    /// `None` where it was not wanted, or is too large to be kept.
    pub snapshot: Option<Vec<u8>>,
}

impl Code {
    pub fn of(path: &Path, wants_snapshot: bool) -> io::Result<Self> {
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file"));
        }
        let mut file = File::open(path)?;
        let (mut hash, mut kept) = (Sha256::new(), wants_snapshot.then(Vec::new));
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let count = match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hash.update(&chunk[..count]);
            if let Some(bytes) = &mut kept {
                bytes.extend_from_slice(&chunk[..count]);
            }
            kept = kept.filter(|bytes| bytes.len() <= SNAPSHOT_BYTES_MAX);
        }
        let hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { hash, snapshot: kept })
    }
}

/// All of a file, `-`: of standard input. At most so many bytes.
pub fn bytes(path: &Path, bytes_max: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let mut from = std::io::stdin().lock().take(bytes_max + 1);
        from.read_to_end(&mut bytes).map_err(CliError::Input)?;
    } else {
        let opened =
            std::fs::File::open(path).map_err(|error| CliError::io("read", path, error))?;
        let mut from = opened.take(bytes_max + 1);
        from.read_to_end(&mut bytes).map_err(|error| CliError::io("read", path, error))?;
    }
    match bytes.len() as u64 > bytes_max {
        true => Err(CliError::TooLarge { path: path.to_owned(), bytes_max }),
        false => Ok(bytes),
    }
}

/// JSON in the contract's shape, given as it is or as `-` for standard input.
pub fn json<T: DeserializeOwned>(field: &str, given: &str) -> Result<T> {
    Ok(given_json(field, &or_given(given.to_owned())?)?)
}

// The words of the contract's schema on a command line.

fn one_of<T: Copy>(
    text: &str,
    found: Option<T>,
    all: impl Iterator<Item = &'static str>,
) -> Result<T, String> {
    found.ok_or_else(|| {
        let all: Vec<_> = all.collect();
        format!("{text} is none of {}", all.join(", "))
    })
}

macro_rules! words {
    ($($name:ident: $type:ty),*) => {
        $(pub fn $name(text: &str) -> Result<$type, String> {
            one_of(text, <$type>::parse(text), <$type>::ALL.iter().map(|it| it.as_str()))
        })*
    };
}

words!(root_cause: RootCause, error_type: ErrorType, status: DebugStatus, verification: Verification);

pub fn template(text: &str) -> Result<TemplateRef, String> {
    let (session, pattern) = text.split_once(':').unwrap_or((text, ""));
    match DebugSessionId::parse(session) {
        Some(session) if !pattern.is_empty() => {
            Ok(TemplateRef { session, pattern: pattern.to_owned() })
        }
        _ => Err("must be SESSION:PATTERN, as `annals debug templates` has them".to_owned()),
    }
}
