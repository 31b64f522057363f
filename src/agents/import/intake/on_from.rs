//! Going on in transcripts from where the import before stopped.

use super::reader::GoneOn;
use super::{ImportRequest, Run};
use crate::agents::import::read_on::{Look, Stops};
use crate::agents::import::source_file::SourceFile;
use crate::agents::import::stream::Feed;
use crate::agents::import::{ImportError, Result};
use crate::journal::id;

impl ImportRequest {
    pub(super) fn reads_on(&self) -> bool {
        !self.whole && self.session.is_none()
    }
}

impl Run<'_> {
    /// Takes from where files that are read together are read; answers how each of them was before.
    pub(super) fn gone_on(
        &mut self,
        files: &mut [SourceFile],
        gone_on: Vec<GoneOn>,
    ) -> Vec<(usize, Option<Look>)> {
        self.carried.clear();
        let mut looks = Vec::new();
        for GoneOn { number, look, stop } in gone_on {
            looks.push((number, look));
            if let (Some(file), Some(stop)) = (files.get_mut(number), stop) {
                file.rest = Some(stop.rest);
                self.carried.push((number, stop.carried));
            }
        }
        looks
    }

    /// The first that is new of them was read: what is known of what stands before it is taken up.
    pub(super) fn carry_on(&mut self, files: &[SourceFile], names: &[String]) -> Result<()> {
        for (number, carried) in std::mem::take(&mut self.carried) {
            let rest = files.get(number).and_then(|file| file.rest.as_ref());
            let (Some(rest), Some(name)) = (rest, names.get(number)) else { continue };
            let known = match &rest.session {
                Some(native) => {
                    let id = id::session(self.ledger().agent(), native);
                    let known = self.recorder.known_session(id);
                    known.map_err(|source| ImportError::Finish { source })?
                }
                None => None,
            };
            let started = known.and_then(|known| known.started);
            self.ledger().carry_on(name, &carried, rest, started);
        }
        Ok(())
    }

    /// They were read to their ends.
    pub(super) fn note(
        &mut self,
        feed: &Feed,
        files: &[SourceFile],
        names: &[String],
        looks: &[(usize, Option<Look>)],
        stops: Option<&Stops<'_>>,
    ) {
        let (Some(stops), ledger) = (stops, self.ledger()) else { return };
        for (number, rests) in feed.rests() {
            let look = looks.iter().find(|(of, _)| *of == number).and_then(|(_, look)| *look);
            if let (Some(file), Some(name), Some(look)) =
                (files.get(number), names.get(number), look)
            {
                stops.note(file, look, rests, ledger.open_line(name), ledger.carried());
            }
        }
    }
}
