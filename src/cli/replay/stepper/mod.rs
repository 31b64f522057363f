//! A replay stepped by key on a terminal.

mod keys;
pub mod page;
mod track;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::end::Ended;
use super::{Line, SCROLLED, text};
use crate::cli::journals::Named;
use crate::cli::{CliError, Context, Exit, Result};
use crate::execution::replay::Window;
use keys::{Action, Typed};
use page::{Page, Screen};
use track::Track;

/// How often a signal is looked for while nobody presses a key.
const LOOK_EVERY: Duration = Duration::from_millis(150);
/// Steps searched between two looks at the keyboard.
const SEARCHED_AT_ONCE: u64 = 256;

struct Stepper<'a> {
    named: &'a Named,
    context: &'a mut Context,
    screen: Screen,
    track: Track<'a>,
    /// Only failures, and what was lost.
    failures: bool,
    sought: String,
    scroll: usize,
    /// What the last key did not find.
    note: String,
    ended: Option<Ended>,
    at_end: bool,
    stop: Arc<AtomicBool>,
}

/// Steps through a journal until somebody leaves, or it is told to end.
pub fn run(named: &Named, window: Window, context: &mut Context) -> Result<Exit> {
    let stop = Arc::default();
    for signal in [SIGTERM, SIGHUP, SIGINT] {
        // Refused by the operating system, the signal does what it does by default.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    let track = Track::open(named, window)?;
    context.output.flush()?;
    let screen = Screen::enter().map_err(CliError::from)?;
    let mut stepper = Stepper {
        named,
        context,
        screen,
        track,
        failures: false,
        sought: String::new(),
        scroll: 0,
        note: String::new(),
        ended: None,
        at_end: false,
        stop,
    };
    let done = stepper.steps();
    let Stepper { screen, ended, context, .. } = stepper;
    drop(screen);
    done?;
    let Some(ended) = ended else { return Ok(Exit::Fine) };
    ended.print(&named.journal, context)?;
    Ok(ended.exit())
}

impl Stepper<'_> {
    fn steps(&mut self) -> Result<()> {
        if !self.forward()? {
            self.end()?;
        }
        loop {
            self.draw()?;
            let Some(action) = self.wait()? else { return Ok(()) };
            self.note.clear();
            match action {
                Action::Leave => return Ok(()),
                Action::Next if self.at_end => {}
                Action::Next => {
                    if !self.forward()? {
                        self.end()?;
                    }
                }
                Action::Back => self.back()?,
                Action::Scroll(by) => self.scroll = self.scroll.saturating_add_signed(by),
                Action::First => self.go(1)?,
                Action::Failures => {
                    self.failures = !self.failures;
                    if self.failures && !self.track.is_failure() && !self.forward()? {
                        "no failure after this".clone_into(&mut self.note);
                    }
                }
                Action::Type(what) => {
                    if let Some(text) = self.typed(what)? {
                        self.entered(what, text)?;
                    }
                }
                Action::Again => self.search()?,
                Action::Redraw => {}
            }
        }
    }

    /// Waits for a key; `None` where a signal says to end.
    fn wait(&mut self) -> Result<Option<Action>> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Some(action) = keys::action(LOOK_EVERY).map_err(CliError::Input)? {
                return Ok(Some(action));
            }
        }
    }

    /// The next step that is wanted; `false` where there is none.
    fn forward(&mut self) -> Result<bool> {
        let before = self.track.number();
        while self.track.next()? {
            if !self.failures || self.track.is_failure() {
                self.scroll = 0;
                return Ok(true);
            }
            if self.track.number().is_multiple_of(SEARCHED_AT_ONCE) && keys::cancelled()? {
                "stopped".clone_into(&mut self.note);
                return Ok(true);
            }
        }
        if self.failures && before > 0 {
            self.track.go(before)?;
        }
        Ok(false)
    }

    fn back(&mut self) -> Result<()> {
        self.scroll = 0;
        if std::mem::replace(&mut self.at_end, false) {
            return Ok(());
        }
        let to = match self.failures {
            true => self.track.failure_before(self.track.number()),
            false => self.track.number().checked_sub(1).filter(|number| *number > 0),
        };
        match to {
            Some(number) => self.track.go(number),
            None => {
                "this is the first".clone_into(&mut self.note);
                Ok(())
            }
        }
    }

    fn go(&mut self, number: u64) -> Result<()> {
        (self.scroll, self.at_end) = (0, false);
        self.track.go(number.max(1))?;
        if self.track.number() < number {
            self.note = format!("there are {} steps", self.track.number());
        }
        Ok(())
    }

    /// Verifies what was walked, once.
    fn end(&mut self) -> Result<()> {
        if self.failures && self.track.number() > 0 {
            "no failure after this; f shows all".clone_into(&mut self.note);
            return Ok(());
        }
        if self.ended.is_none() {
            self.screen.say("verifying the journal …")?;
            let (steps, unshown) = (self.track.number(), self.track.unshown());
            let window = self.track.window();
            self.ended = Some(Ended::of(self.named, window, steps, unshown, &self.context.cache)?);
        }
        (self.at_end, self.scroll) = (true, 0);
        Ok(())
    }

    fn typed(&mut self, what: Typed) -> Result<Option<String>> {
        let mut text = String::new();
        loop {
            self.screen.ask(what.prompt(), &text)?;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            match keys::typed(LOOK_EVERY, &mut text).map_err(CliError::Input)? {
                None => {}
                Some(true) => return Ok(Some(text)),
                Some(false) => return Ok(None),
            }
        }
    }

    fn entered(&mut self, what: Typed, text: String) -> Result<()> {
        match what {
            Typed::Step => match text.trim().parse() {
                Ok(number) => self.go(number),
                Err(_) => {
                    "give a step's number".clone_into(&mut self.note);
                    Ok(())
                }
            },
            Typed::Search => {
                if !text.is_empty() {
                    self.sought = text.to_lowercase();
                }
                self.search()
            }
        }
    }

    /// The next step that has the text, from the one after this on.
    fn search(&mut self) -> Result<()> {
        let before = self.track.number();
        if self.sought.is_empty() {
            return Ok(());
        }
        self.screen.say("searching … (Esc stops)")?;
        while self.track.next()? {
            if self.tells(&self.sought) {
                (self.scroll, self.at_end) = (0, false);
                return Ok(());
            }
            let searched = self.track.number() - before;
            if searched.is_multiple_of(SEARCHED_AT_ONCE) && keys::cancelled()? {
                break;
            }
        }
        self.track.go(before.max(1))?;
        self.note = format!("no {:?} after this", self.sought);
        Ok(())
    }

    fn tells(&self, sought: &str) -> bool {
        let Some(step) = self.track.step() else { return false };
        let told = text::told(step, self.track.contents(), SCROLLED, &self.context.zone);
        let has = |line: &Line| line.text.to_lowercase().contains(sought);
        has(&told.head) || told.lines.iter().any(has)
    }

    fn draw(&mut self) -> Result<()> {
        let (columns, rows) = self.screen.size();
        let page = match (&self.ended, self.at_end, self.track.step()) {
            (Some(ended), true, _) => Page::end(ended, &self.named.journal),
            (_, _, Some(step)) => {
                let told = text::told(step, self.track.contents(), SCROLLED, &self.context.zone);
                Page::step(told)
            }
            _ => Page::default(),
        };
        let title = format!("Replay of {}", crate::cli::shown(&self.named.journal));
        let title = if self.failures { format!("{title}  [failures only]") } else { title };
        let (lines, scroll) =
            page.lines(&title, &self.note, columns, rows, self.scroll, &self.context.output);
        self.scroll = scroll;
        Ok(self.screen.draw(&lines)?)
    }
}
