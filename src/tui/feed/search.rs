//! The search, as `annals search` does it, brought into the state.

use super::super::{Found, FoundRow, List, Said, State, TuiError};
use super::Feed;
use crate::cli::CliError;
use crate::cli::search::understood;
use crate::event::Ordered;
use crate::execution::query::Reference;
use crate::journal::clock;
use crate::output::time;
use crate::search::{Order, search, snippet, whole};

/// Hits that are listed, the best.
const HITS_MAX: usize = 100;
/// Of a text, the letters that are shown in the list.
const SNIPPET_CHARS: usize = 160;

impl Feed {
    /// The best of all that matches; of the session that is shown, where one is.
    pub(super) fn search(&self, state: &mut State) -> Result<(), TuiError> {
        let words = state.found.words.clone();
        let mut asked = understood(&words).map_err(Box::new)?;
        let shown = state.session.as_ref();
        if let (None, Some(row)) = (&asked.session, shown) {
            asked.session = Some(row.session.id.to_string());
        }
        let zone = &state.shown.zone;
        let since = asked.since.as_deref().map(|it| time::parse(it, clock::now_ms(), zone));
        let since = since.transpose().map_err(|error| Box::new(CliError::from(error)))?;
        let not_looked_for = asked.not_looked_for();
        let mut found = Found { words, not_looked_for, ..Found::default() };
        let mut rows = Vec::new();
        for (at, journal) in self.journals.iter().enumerate() {
            if shown.is_some_and(|row| row.journal != at) {
                continue;
            }
            let texts = journal.texts();
            let reader = texts.reader().map_err(Box::new)?;
            let asks = |index: &_| search(index, &asked, since, Order::Ranked, (0, HITS_MAX));
            let (page, _) = texts.ask(asks).map_err(Box::new)?;
            found.turns += page.turns;
            found.or_more |= page.is_more;
            for hit in page.hits {
                let snippet = snippet(&reader, hit.sequence, hit.part, &asked, SNIPPET_CHARS)?;
                rows.push(FoundRow { journal: at, name: journal.name(), hit, snippet });
            }
        }
        rows.order_by(|one, other| other.hit.score.total_cmp(&one.hit.score));
        rows.truncate(HITS_MAX);
        found.hits = List { items: rows, at: 0 };
        state.list_found(found);
        Ok(())
    }

    /// The chosen one of what was found: its call whole, or its text.
    pub(super) fn hit(&self, state: &mut State) -> Result<(), TuiError> {
        let Some(row) = state.found.hits.chosen().cloned() else { return Ok(()) };
        let Some(journal) = self.journals.get(row.journal) else { return Ok(()) };
        if row.is_of_call() {
            let reference = Reference::Sequence(row.hit.sequence);
            let execution = journal.ask(|stores| Ok(stores.show(&reference)?))?.summary;
            let row = super::Row { journal: row.journal, name: row.name, execution };
            // It goes back to the list, also from the one before.
            state.screen = super::super::Screen::Found;
            return self.detail(row, state);
        }
        let reader = journal.texts().reader().map_err(Box::new)?;
        let text = whole(&reader, row.hit.sequence, row.hit.part)?;
        state.say(Said::of(&row, &text, &state.shown.zone));
        Ok(())
    }
}
