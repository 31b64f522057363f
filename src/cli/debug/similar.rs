//! `annals debug similar`: what looked like this before.

use super::{print, work};
use crate::cli::{CliError, Context, Exit};
use crate::debug::query::SimilarAsked;
use crate::event::ErrorType;
use crate::output::wire;

/// What looked like this before, and what helped then, with the reasons why it is taken for alike
///
/// Same error type counts 2, the same message 5 (numbers and paths left out), the same function of the same
/// file 3 (the file alone 1), the same test 2.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The debug session whose last failures are asked about: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", conflicts_with_all = ["error_type", "message", "test", "file", "function"])]
    session: Option<String>,
    /// Failures of this type: AssertionError, TypeError …
    #[arg(long, value_name = "TYPE", value_parser = crate::cli::debug::error_type)]
    error_type: Option<ErrorType>,
    /// Failures with this message
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    message: Option<String>,
    /// Failures of this test
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// Failures that come from this source file; with --error-type alone: from files that are LIKE it
    /// (% any letters, _ one)
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Failures that come from this function
    #[arg(long, value_name = "NAME", requires = "file")]
    function: Option<String>,
    /// How many
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 10)]
    number: usize,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let told = [&args.message, &args.test].into_iter().flatten().count();
    if let (Some(error_type), 0, None) = (args.error_type, told, &args.function) {
        return of_type(error_type, args.file.as_deref().unwrap_or("%"), context);
    }
    let asked = SimilarAsked {
        error_type: args.error_type,
        error_message: args.message.clone(),
        test_name: args.test.clone(),
        file: args.file.clone(),
        function: args.function.clone(),
    };
    let found = if asked == SimilarAsked::default() {
        let session = args.session.as_deref().unwrap_or(work::LAST);
        crate::cli::debug::session(session, context, |one, session| {
            let Some(document) = one.view.document(session)? else { return Ok(Vec::new()) };
            let mut failed = document.executions.iter().rev().filter_map(|it| it.failures.as_ref());
            let asked: Vec<_> =
                failed.next().into_iter().flatten().map(SimilarAsked::from).collect();
            let found = one.view.similar(&asked, Some(session), args.number)?;
            Ok(found.into_iter().map(|it| wire::DebugSimilar::of(it, one.journal)).collect())
        })?
    } else {
        crate::cli::debug::each(context, |one| {
            let found = one.view.similar(std::slice::from_ref(&asked), None, args.number)?;
            Ok(found.into_iter().map(|it| wire::DebugSimilar::of(it, one.journal)).collect())
        })?
    };
    if context.output.is_json() {
        context.output.json_list(&found)?;
    } else if found.is_empty() {
        context.output.line("Nothing like it was recorded before.")?;
    } else {
        print::similar(&found, context)?;
    }
    Ok(Exit::Fine)
}

/// The contract's own query: sessions with failures of a type in files like a pattern.
fn of_type(error_type: ErrorType, file: &str, context: &mut Context) -> Result<Exit, CliError> {
    let found = crate::cli::debug::each(context, |one| {
        let row = |it| wire::DebugSession::of(it, one.journal);
        let found = one.view.find_similar_failures(error_type, file)?;
        Ok(found.into_iter().map(row).collect())
    })?;
    if context.output.is_json() {
        context.output.json_list(&found)?;
    } else if found.is_empty() {
        context.output.line("Nothing like it was recorded before.")?;
    } else {
        print::sessions(&found, context)?;
    }
    Ok(Exit::Fine)
}
