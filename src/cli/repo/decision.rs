//! `annals repo decision`: adds, edits, lists and removes decisions.

use super::work::{Doing, Listed, Remove};
use crate::cli::memory::or_given;
use crate::cli::rows::short;
use crate::cli::{Context, Result};
use crate::output::time;
use crate::repo::entry::{Decision, DecisionGiven};

/// Decisions made for the repository, and why
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Add a decision
    Add(Add),
    /// Change a decision; what is not given stays
    Edit(Edit),
    /// Decisions, oldest first
    List,
    /// Remove a decision (the journal keeps it)
    Remove(Remove),
}

#[derive(clap::Args, Debug)]
struct Add {
    /// What was decided, one line
    summary: String,
    /// Why; - reads it from standard input
    #[arg(value_name = "WHY", allow_hyphen_values = true)]
    rationale: String,
    /// A file, a folder or a pattern that it is about, from the repository's top; may be repeated
    #[arg(long = "path", value_name = "PATH")]
    paths: Vec<String>,
    /// Its id: letters, digits and . _ : - [default: a new UUID]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Edit {
    /// Its id
    id: String,
    /// What was decided, one line
    #[arg(long, value_name = "SUMMARY", required_unless_present_any = ["rationale", "paths", "no_paths"])]
    summary: Option<String>,
    /// Why; - reads it from standard input
    #[arg(long = "why", value_name = "WHY", allow_hyphen_values = true)]
    rationale: Option<String>,
    /// A file, a folder or a pattern that it is about from now on; may be repeated
    #[arg(long = "path", value_name = "PATH", conflicts_with = "no_paths")]
    paths: Vec<String>,
    /// It is about no path any more
    #[arg(long)]
    no_paths: bool,
}

impl Args {
    pub fn doing(self) -> Result<Doing<DecisionGiven>> {
        Ok(match self.what {
            What::Add(Add { summary, rationale, paths, id }) => Doing::Add(DecisionGiven {
                id,
                summary: Some(summary),
                rationale: Some(or_given(rationale)?),
                impacted_paths: Some(paths),
            }),
            What::Edit(Edit { id, summary, rationale, paths, no_paths }) => {
                Doing::Edit(DecisionGiven {
                    id: Some(id),
                    summary,
                    rationale: rationale.map(or_given).transpose()?,
                    impacted_paths: (no_paths || !paths.is_empty()).then_some(paths),
                })
            }
            What::List => Doing::List(Box::new(|_| true)),
            What::Remove(which) => Doing::Remove(which),
        })
    }
}

impl Listed for Decision {
    const TITLES: &'static [&'static str] = &["id", "decided", "paths", "summary", "why"];
    const NONE: &'static str = "No decision yet. Next: annals repo decision add SUMMARY WHY";

    fn cells(self, context: &Context) -> Vec<String> {
        let decided = time::local(self.created_ms, &context.zone);
        let (paths, why) = (short(&self.impacted_paths.join(" ")), short(&self.rationale));
        vec![self.id, decided, paths, self.summary, why]
    }
}
