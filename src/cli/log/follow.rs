//! `annals log --follow`: what comes, until the reader leaves or somebody ends it.

use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::cli::export::events;
use crate::cli::{Context, Exit, Result, catch_up, journals};
use crate::event::Sequence;
use crate::execution::query::LogFilter;
use crate::execution::replay::{Walk, Window};
use crate::journal::growth::Growth;
use crate::journal::{Bookmark, JournalError, JournalReader, Project, Reading, Source};

/// How often the journal's end is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Looks after which stores are fed though nothing grew: calls whose owner died are closed by that.
const LOOKS_UNTIL_SWEPT: u32 = 25;

/// Prints calls that end after the event `newest`.
pub(super) fn calls(
    project: &Project,
    filter: &LogFilter,
    mut newest: u64,
    context: &mut Context,
) -> Result<Exit> {
    let mut followed = Followed::begin(project)?;
    loop {
        catch_up::catch_up_to_ask(project, context);
        let after =
            LogFilter { last: usize::MAX >> 1, after: Some(Sequence(newest)), ..filter.clone() };
        let page = catch_up::stores(project, context)?.log(&after)?;
        newest = page.executions.iter().map(|row| row.sequence).fold(newest, u64::max);
        super::print(&page.executions, false, false, context)?;
        context.output.flush()?;
        if let Some(exit) = followed.wait(LOOKS_UNTIL_SWEPT, context)? {
            return Ok(exit);
        }
    }
}

/// Prints every event from `from` on, or that comes from now on, as it is on disk.
pub(super) fn all_events(
    project: &Project,
    from: Option<Sequence>,
    context: &mut Context,
) -> Result<Exit> {
    let mut followed = Followed::begin(project)?;
    let source = Source::of(project.root())?;
    let dir = project.journal_dir();
    let end = followed.reader.mark().sequence;
    let mut next = from.unwrap_or(Sequence(end.0 + 1));
    loop {
        // Where nobody can write to it, what is read is all there is.
        let durable = journals::durable(&source, Reading::Live);
        let through = durable.map_or(followed.reader.mark().sequence, |it| it);
        if through >= next {
            let window = Window { from: Some(next), through: Some(through), ..Window::default() };
            let mut walk = Walk::events(&dir, Reading::Live, window)?;
            while let Some(step) = walk.next() {
                events::print_line(&step?, walk.contents(), &mut context.output)?;
            }
            next = Sequence(through.0 + 1);
        }
        context.output.flush()?;
        if let Some(exit) = followed.wait(u32::MAX, context)? {
            return Ok(exit);
        }
    }
}

/// A journal that is followed, and who reads what is printed of it.
struct Followed {
    dir: PathBuf,
    growth: Growth,
    reader: JournalReader,
    id: [u8; 16],
    /// The last commit that was there.
    end: Option<Bookmark>,
    stop: Arc<AtomicBool>,
}

impl Followed {
    fn begin(project: &Project) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // Refused by the operating system, the signal does what it does by default; so does a second one.
            drop(signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop)));
            drop(signal_hook::flag::register(signal, Arc::clone(&stop))); // as above
        }
        let dir = project.journal_dir();
        let reader = JournalReader::open(&dir)?;
        let (growth, id, end) = (Growth::of(&dir)?, reader.id(), reader.end());
        Ok(Self { dir, growth, reader, id, end, stop })
    }

    /// Waits until there may be something new; how to end, where it is over.
    fn wait(&mut self, looks_max: u32, context: &mut Context) -> Result<Option<Exit>> {
        for _ in 0..looks_max {
            if self.is_over() {
                return Ok(Some(Exit::Fine));
            }
            if self.growth.look()? {
                break;
            }
        }
        if self.is_another()? {
            let dir = super::super::shown(&self.dir);
            context.output.note(format_args!(
                "{dir} is not the journal that was followed any more: it was replaced, or its end was cut. Next: \
                 annals verify"
            ));
            return Ok(Some(Exit::Contradicted));
        }
        Ok(None)
    }

    /// Whether what was followed is not in it.
    fn is_another(&mut self) -> Result<bool, JournalError> {
        self.reader.refresh()?;
        let had = self.end.take();
        if self.reader.id() != self.id || had.as_ref().is_some_and(|it| !self.reader.has(it)) {
            return Ok(true);
        }
        self.end = self.reader.end().or(had);
        Ok(false)
    }

    /// Whether somebody ended it, or nobody reads it any more; asked for a while.
    fn is_over(&self) -> bool {
        let out = io::stdout();
        let mut reads = [PollFd::from_borrowed_fd(out.as_fd(), PollFlags::empty())];
        let wait = Timespec { tv_sec: 0, tv_nsec: i64::from(LOOK_EVERY.subsec_nanos()) };
        // A signal ends the waiting; what cannot be asked is written to, and tells then.
        let asked = poll(&mut reads, Some(&wait));
        let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
        self.stop.load(Ordering::Relaxed) || asked.is_ok() && reads[0].revents().intersects(gone)
    }
}
