//! `annals memory embed`: vectors of records, by the settings' command.

use std::time::Duration;

use super::{OriginArgs, operate};
use crate::cli::recorded::settled;
use crate::cli::{Context, Exit, Result, catch_up, counted};
use crate::memory::Memory;
use crate::output::escape;

/// Make vectors of archived records, so that a search finds what means the same
///
/// By the command that `embed` in [memory] of the settings names (allowed by `annals trust`): of each line
/// {"text": …} on its input it prints a line {"vector": [numbers], "model": its name}. The vectors are recorded;
/// a rebuild runs no command. Records that have one are left as they are.
#[derive(clap::Args, Debug)]
pub struct Embed {
    /// Also of records that have one: by another model
    #[arg(long)]
    again: bool,
    /// How long it may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    within: u64,
    #[command(flatten)]
    origin: OriginArgs,
}

impl Embed {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        // The index knows then which have one.
        operate(&self.origin, context, |_| Ok(()))?;
        let project = context.project()?;
        catch_up::settle_project(&project, context);
        let done = Memory::open(&project)?.embed(
            &self.origin.asker(context),
            self.again,
            Duration::from_secs(self.within),
        );
        settled(&project, context)?;
        let done = done?;
        if !context.output.as_json(&done)? {
            let records = counted(done.embedded, "record");
            let mut said = format!("Made vectors of {records}");
            if done.embedded > 0 {
                said += &format!(" ({} numbers each, model {:?})", done.dimensions, done.model);
            }
            if done.left > 0 {
                said += &format!("; {} have none yet. Next: annals memory embed", done.left);
            }
            context.output.line(escape::line(&said))?;
        }
        Ok(if done.left > 0 { Exit::Findings } else { Exit::Fine })
    }
}
