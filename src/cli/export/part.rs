//! Which part of a journal leaves.

use std::path::Path;

use crate::cli::journals::{self, Named};
use crate::cli::narrow::BoundArgs;
use crate::cli::{Context, Result};
use crate::execution::replay::Window;
use crate::journal::{Reading, clock};
use crate::output::time;

#[derive(clap::Args, Debug, Default)]
pub struct PartArgs {
    #[command(flatten)]
    pub bounds: BoundArgs,
    /// Only since then: an age (2h, 3d), a date or an RFC 3339 time
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Only until then
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
}

impl PartArgs {
    pub fn window(&self, journal: &Path, reading: Reading, context: &Context) -> Result<Window> {
        let asked = self.bounds.asked(context)?;
        let mut window = journals::window(&asked, journal, reading, context)?;
        let at = |text: &Option<String>| {
            text.as_deref()
                .map(|text| time::parse(text, clock::now_ms(), &context.zone))
                .transpose()
        };
        window.from_ms = window.from_ms.max(at(&self.since)?);
        window.through_ms = match (window.through_ms, at(&self.until)?) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Ok(window)
    }

    /// As far as nothing leaves that a loss of power could still take back.
    pub fn durable(&self, named: &Named, context: &Context) -> Result<Window> {
        let durable = journals::durable(&named.source, named.reading);
        let mut window = self.window(&named.journal, named.reading, context)?;
        window.through = match (window.through, durable) {
            (Some(through), Some(durable)) => Some(through.min(durable)),
            (through, durable) => through.or(durable),
        };
        Ok(window)
    }
}
