//! The loop: keys, time, growth, and a drawing whenever one of them changed something.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyEventKind, poll, read};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::{Ask, Feed, Following, State, draw, press};
use crate::cli::CliError;
use crate::execution::query::QueryError;
use crate::fault::{Class, Fault, Sorted};
use crate::journal::{JournalError, ProjectError, clock};
use crate::output::terminal_screen::TerminalScreen;
use crate::store::evidence::EvidenceError;
use crate::store::{FeedError, StoreError};

/// How long a key is waited for, before signals and the time are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(150);
/// How often the journal's end is looked at.
const GROWTH_EVERY: Duration = Duration::from_millis(500);
/// Keys taken between two drawings.
const KEYS_AT_ONCE: usize = 64;

/// Shows the timeline until somebody leaves. The terminal is given back however that ends.
pub fn run(mut feed: Feed, mut state: State) -> Result<(), TuiError> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGHUP, SIGINT] {
        // Refused by the operating system, the signal does what it does by default.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    feed.history(&mut state)?;
    let _screen = TerminalScreen::enter().map_err(TuiError::Terminal)?;
    let backend = CrosstermBackend::new(io::stdout());
    let mut terminal = Terminal::new(backend).map_err(TuiError::Terminal)?;
    let mut looked = Instant::now();
    let mut is_drawn = false;
    while !stop.load(Ordering::Relaxed) {
        if !is_drawn {
            let drawn = terminal.draw(|frame| {
                let area = frame.area();
                state.seen = draw(&state, area, frame.buffer_mut());
            });
            drawn.map_err(TuiError::Terminal)?;
        }
        is_drawn = true;
        for _ in 0..KEYS_AT_ONCE {
            let wait = if is_drawn { LOOK_EVERY } else { Duration::ZERO };
            let Some(event) = event(wait).map_err(TuiError::Terminal)? else { break };
            is_drawn = false;
            if let Event::Key(key) = event
                && key.kind != KeyEventKind::Release
            {
                match press(&mut state, key) {
                    Ask::Leave => return Ok(()),
                    ask => feed.answer(ask, &mut state),
                }
            }
        }
        if state.following == Following::Live && looked.elapsed() >= GROWTH_EVERY {
            is_drawn &= !feed.follow(&mut state);
            looked = Instant::now();
        }
        is_drawn &= !tick(&feed, &mut state);
    }
    Ok(())
}

fn event(wait: Duration) -> io::Result<Option<Event>> {
    if poll(wait)? { read().map(Some) } else { Ok(None) }
}

/// Lets the time go on; `true` where that changes what is shown.
fn tick(feed: &Feed, state: &mut State) -> bool {
    if !feed.is_live() {
        return false;
    }
    let before = state.since();
    state.now_ms = clock::now_ms();
    state.since() != before
}

/// Why a screen has nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    #[error("the terminal does not answer")]
    Terminal(#[source] io::Error),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Search(#[from] Box<CliError>),
}

impl Fault for TuiError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Terminal(_) => Class::Io.alone(),
            Self::Query(error) => error.sorted(),
            Self::Project(error) => error.sorted(),
            Self::Journal(error) => error.sorted(),
            Self::Feed(error) => error.sorted(),
            Self::Stores(error) => error.sorted(),
            Self::Store(error) => error.sorted(),
            Self::Search(error) => error.sorted(),
        }
    }
}
