//! `annals import --watch`: what logs grow by, in the foreground, until somebody ends it.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};

use super::imported;
use crate::agents::import::{ImportReport, ImportRequest, source_files};
use crate::cli::{CliError, Context, Exit, Result};
use crate::journal::Project;
use crate::output::escape;

/// How often files are looked at, and how often whether it is over.
const LOOK_EVERY: Duration = Duration::from_millis(1_000);
const STOP_EVERY: Duration = Duration::from_millis(50);

/// What tells a file from what it becomes when it is written to.
type Stand = HashMap<PathBuf, (u64, u64)>;

pub fn watch(project: &Project, request: ImportRequest, context: &mut Context) -> Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Refused by the operating system, the signal does what it does by default; so does a second one.
        drop(signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop)));
        drop(signal_hook::flag::register(signal, Arc::clone(&stop))); // as above
    }
    for path in &request.paths {
        // One that is mistyped would be waited for in silence.
        std::fs::symlink_metadata(path).map_err(|source| CliError::io("watch", path, source))?;
    }
    // Sessions of whom the logs are may still run: a call without a result is under way.
    let request = ImportRequest { ongoing: true, ..request };
    let (mut known, mut all) = (Stand::new(), Watched::default());
    while !stop.load(Ordering::Relaxed) {
        let changed = changed(&request, &mut known);
        if !changed.is_empty() {
            let part = ImportRequest { paths: changed, ..request.clone() };
            let report = imported(project, &part, context)?;
            all.add(&report, context)?;
        }
        let mut waited = Duration::ZERO;
        while waited < LOOK_EVERY && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(STOP_EVERY);
            waited += STOP_EVERY;
        }
    }
    // What is still without a result when nobody looks any more has none.
    if !known.is_empty() {
        let paths = known.into_keys().collect();
        let last = ImportRequest { paths, ongoing: false, ..request };
        let report = imported(project, &last, context)?;
        all.add(&report, context)?;
    }
    all.tell(context)
}

/// The files that are not as they were.
fn changed(request: &ImportRequest, known: &mut Stand) -> Vec<PathBuf> {
    let mut changed = Vec::new();
    for path in &request.paths {
        // A folder that is empty may have logs later.
        let files = source_files(std::slice::from_ref(path)).unwrap_or_default();
        for file in files {
            let stand = (file.bytes, file.modified_ms);
            if known.insert(file.path.clone(), stand) != Some(stand) {
                changed.push(file.path);
            }
        }
    }
    changed
}

/// What was imported since it began.
#[derive(Default)]
struct Watched {
    imports: u64,
    recorded: u64,
    exit: Option<Exit>,
    /// What was told: a document is read whole each time that it grew.
    told: HashSet<String>,
}

/// Above so many findings those before are told again.
const TOLD_MAX: usize = 10_000;

impl Watched {
    fn add(&mut self, report: &ImportReport, context: &mut Context) -> Result<()> {
        self.imports += 1;
        self.recorded += report.recorded;
        let told = super::exit(report);
        if told != Exit::Fine {
            self.exit = Some(told);
        }
        let found = report
            .findings
            .iter()
            .map(|it| format!("{}:{}: {}: {}", it.file, it.line, it.kind, it.detail));
        let skipped =
            report.skipped.iter().map(|it| format!("{}: skipped: {}", it.file, it.reason));
        if self.told.len() > TOLD_MAX {
            self.told.clear();
        }
        let mut news: Vec<String> = found.chain(skipped).collect();
        news.retain(|it| self.told.insert(it.clone()));
        if report.recorded == 0 && news.is_empty() {
            return Ok(());
        }
        if !context.output.as_json(report)? {
            let (recorded, files) = (report.recorded, report.files);
            context.output.line(format_args!("{recorded} events recorded of {files} files"))?;
            for told in news {
                context.output.line(escape::line(&told))?;
            }
        }
        context.output.flush()?;
        Ok(())
    }

    fn tell(&self, context: &mut Context) -> Result<Exit> {
        let Self { imports, recorded, .. } = self;
        context
            .output
            .note(format_args!("watched: {recorded} events recorded in {imports} imports"));
        Ok(self.exit.unwrap_or(Exit::Fine))
    }
}
