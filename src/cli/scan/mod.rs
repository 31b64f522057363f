//! `annals scan`: where secrets are, in any file or journal.

mod journal;
mod tally;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{CliError, Context, Exit, Result, with_causes};
use crate::journal::Source;
use crate::journal::scan::{Entry, Hit, Tree, scan_stream};
use crate::journal::trust::Settings;
use crate::journal::withheld::{self, Withheld};
use crate::redact::Redactor;
use crate::redact::value::KeptValues;
use tally::{Secret, Tally};

pub use journal::project_of;

/// Find secrets in files, folders and journals
///
/// Prints the place and the rule, nothing of the secret.
///
/// Looks with the rules that keep secrets out of the journal, a project's own patterns included, and for
/// what was redacted before. A
/// folder is looked through whole, hidden files too; links are not followed, devices and FIFOs not
/// opened. Of a journal (also a lone segment or a bundle) every event is looked at, content beside it
/// included; stores and binary files by their bytes; what is compressed is not unpacked. A file of any
/// size is read in bounded memory.
///
/// The exit code is 0 where nothing was found, 1 where something was, 3 where a journal is damaged, 5
/// where something could not be read (the rest is looked at all the same).
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files, folders, projects, journals, segments, bundles; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Print at most this many findings; the rest is counted
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    pub max_findings: u64,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let redactor = redactor(context)?;
    let mut scan = Scan {
        tally: Tally::new(args.max_findings),
        progress: progress(),
        redactor: &redactor,
        evidence: context.evidence,
    };
    for path in &args.paths {
        scan.path(path, context)?;
    }
    scan.progress.finish_and_clear();
    scan.tally.close(context)
}

/// The built-in rules, those of the project that was named or lies above, and what was redacted before.
fn redactor(context: &Context) -> Result<Redactor> {
    let source = match context.given {
        true => Some(Source::of(&context.start)?),
        false => Source::find(&context.start)?,
    };
    redactor_of(source)
}

/// The same, with the patterns of this project.
pub fn redactor_of(source: Option<Source>) -> Result<Redactor> {
    let settings = source.and_then(|source| source.root).map(|root| Settings::of(&root));
    let patterns = settings.as_ref().map_or(&[][..], Settings::patterns);
    Ok(Redactor::new(patterns).knowing(withheld()?))
}

/// What was redacted before is found wherever it is.
fn withheld() -> Result<Option<Arc<KeptValues>>> {
    let read = Withheld::of_user().map(|it| it.as_ref().map(Withheld::values));
    read.map_err(|source| CliError::io("read", &withheld::file().unwrap_or_default(), source))
}

struct Scan<'r> {
    redactor: &'r Redactor,
    tally: Tally,
    progress: ProgressBar,
    evidence: bool,
}

impl Scan<'_> {
    fn path(&mut self, path: &Path, context: &mut Context) -> Result<()> {
        if path == Path::new("-") {
            return self.stream("-", &mut io::stdin().lock(), context);
        }
        let tree = match Tree::of(path) {
            Ok(tree) => tree,
            Err(source) => return self.unreadable(path, &source, context),
        };
        for entry in tree {
            match entry {
                Entry::Unreadable { path, source } => self.unreadable(&path, &source, context)?,
                Entry::Journal { path } => self.journal(&path, context)?,
                Entry::File { path, mut file } => {
                    let named = self.named(&path, context)?;
                    self.stream(&named, &mut file, context)?;
                }
            }
        }
        Ok(())
    }

    /// What a path is called here: a secret may be in its name too, which is a finding.
    fn named(&mut self, path: &Path, context: &mut Context) -> Result<String> {
        let shown = self.redactor.redact_text(&path.to_string_lossy());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for one in self.redactor.find(name.as_bytes()) {
            self.tally.found(
                Secret {
                    rule: one.rule.to_owned(),
                    path: shown.clone(),
                    place: "name",
                    offset: one.range.start as u64,
                    bytes: one.range.len() as u64,
                    next: "revoke it where it was issued, then rename the file".to_owned(),
                    ..Secret::default()
                },
                context,
            )?;
        }
        Ok(shown)
    }

    fn stream(&mut self, named: &str, input: &mut dyn Read, context: &mut Context) -> Result<()> {
        let mut failed = Ok(());
        let (tally, progress) = (&mut self.tally, &self.progress);
        let mut input = Counted { input, progress };
        let read = scan_stream(self.redactor, &mut input, &mut |hit| {
            if failed.is_ok() {
                failed = progress.suspend(|| tally.found(of_file(named, hit), context));
            }
        });
        failed?;
        self.tally.told.files += 1;
        match read {
            Ok(bytes) => self.tally.told.bytes += bytes,
            Err(error) => self.tally.unreadable(named, with_causes(&error), context),
        }
        Ok(())
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error, context: &mut Context) -> Result<()> {
        let shown = self.redactor.redact_text(&path.to_string_lossy());
        self.tally.unreadable(&shown, with_causes(error), context);
        Ok(())
    }
}

fn of_file(named: &str, hit: Hit) -> Secret {
    Secret {
        rule: hit.rule,
        path: named.to_owned(),
        place: "bytes",
        line: Some(hit.line),
        column: Some(hit.column),
        offset: hit.offset,
        bytes: hit.bytes,
        next: "revoke it where it was issued, then take it out of the file".to_owned(),
        ..Secret::default()
    }
}

struct Counted<'a> {
    input: &'a mut dyn Read,
    progress: &'a ProgressBar,
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(into)?;
        self.progress.inc(read as u64);
        Ok(read)
    }
}

fn progress() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    // The template is fixed text; were it wrong, the line would only look plainer.
    if let Ok(style) = ProgressStyle::with_template("scanning {bytes} {bytes_per_sec}") {
        bar.set_style(style);
    }
    bar
}
