//! `annals debug analyse`: what is wrong.

use super::work;
use crate::cli::{CliError, Context, Exit};
use crate::event::{Analysis, RootCause, SimilarIssue};

/// Record what is wrong, and what is to be done about it
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// The attempt that it is about [default: the last]
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
    /// All of it as JSON in the schema's shape; - reads it from standard input
    #[arg(long, value_name = "JSON", conflicts_with_all = ["root_cause", "fix_strategy", "category", "confidence", "related", "similar"])]
    analysis: Option<String>,
    /// What the failures come from, 20 characters or more
    #[arg(long, value_name = "TEXT", required_unless_present = "analysis")]
    root_cause: Option<String>,
    /// What is to be done about it, 20 characters or more
    #[arg(long, value_name = "TEXT", required_unless_present = "analysis")]
    fix_strategy: Option<String>,
    /// What kind of mistake it is: null_undefined_access, type_mismatch, logic_error, off_by_one …
    #[arg(long, value_name = "CATEGORY", value_parser = crate::cli::debug::root_cause)]
    category: Option<RootCause>,
    /// How sure this is, 0 to 1
    #[arg(long, value_name = "NUMBER")]
    confidence: Option<f64>,
    /// Another failure of the same cause; may be repeated
    #[arg(long, value_name = "TEST")]
    related: Vec<String>,
    /// A similar issue, as JSON: {"session_id", "file", "resolution"}; may be repeated
    #[arg(long, value_name = "JSON")]
    similar: Vec<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let analysis = match &args.analysis {
        Some(json) => crate::cli::debug::json("analysis", json)?,
        None => {
            let similar =
                args.similar.iter().map(|it| crate::cli::debug::json("similar_past_issues", it));
            let similar = similar.collect::<Result<Vec<SimilarIssue>, _>>()?;
            Analysis {
                root_cause: args.root_cause.unwrap_or_default(),
                root_cause_category: args.category,
                fix_strategy: args.fix_strategy.unwrap_or_default(),
                confidence: args.confidence,
                related_failures: (!args.related.is_empty()).then_some(args.related),
                similar_past_issues: (!similar.is_empty()).then_some(similar),
            }
        }
    };
    let done = work::on(&args.session, context, |writer, session| {
        writer.analyse(session, args.attempt, analysis)
    })?;
    let sentence = format!("Recorded an analysis in debug session {}", done.session);
    let next = format!("annals debug fix {} --description TEXT", done.session);
    work::tell(done, &sentence, &next, context)?;
    Ok(Exit::Fine)
}
