//! `annals debug similar`, `templates`: what looked like this before, and what helps.

use super::{Result, print, work};
use crate::cli::rows::{self, short};
use crate::cli::{Context, Exit};
use crate::debug::query::{FixTemplate, SimilarAsked};
use crate::event::{ErrorType, RootCause};
use crate::output::wire::OfJournal;

const NOTHING_LIKE_IT: &str = "Nothing like it was recorded before.";

/// Similar failures from before, what helped, and why they match
///
/// Same error type counts 2, the same message 5 (numbers and paths left out), the same function of the same
/// file 3 (the file alone 1), the same test 2.
#[derive(clap::Args, Debug)]
pub struct SimilarArgs {
    /// The debug session whose last failures are asked about: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", conflicts_with_all = ["error_type", "message", "test", "file", "function"])]
    session: Option<String>,
    /// Failures of this type: AssertionError, TypeError …
    #[arg(long, value_name = "TYPE", value_parser = super::error_type)]
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

pub fn similar(args: SimilarArgs, context: &mut Context) -> Result<Exit> {
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
        super::session(session, context, |one, session| {
            let Some(document) = one.view.document(session)? else { return Ok(Vec::new()) };
            let asked = SimilarAsked::last_of(&document);
            let found = one.view.similar(&asked, Some(session), args.number)?;
            Ok(found.into_iter().map(|it| OfJournal::of(one.journal, it)).collect())
        })?
    } else {
        let asked = std::slice::from_ref(&asked);
        super::rows(context, |view| view.similar(asked, None, args.number))?
    };
    if context.output.as_json_list(&found)? {
    } else if found.is_empty() {
        context.output.line(NOTHING_LIKE_IT)?;
    } else {
        print::similar(&found, context)?;
    }
    Ok(Exit::Fine)
}

/// The contract's own query: sessions with failures of a type in files like a pattern.
fn of_type(error_type: ErrorType, file: &str, context: &mut Context) -> Result<Exit> {
    let found = super::rows(context, |view| view.find_similar_failures(error_type, file))?;
    print::sessions(found, NOTHING_LIKE_IT, context)
}

/// Fixes that helped in over 7 of 10 trials, by category, best first
#[derive(clap::Args, Debug)]
pub struct TemplatesArgs {
    /// A category of patterns: a root cause (null_undefined_access, off_by_one …), an error type, or one
    /// of one's own [default: all root causes and error types]
    category: Option<String>,
    /// How many of a category
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    number: usize,
}

pub fn templates(args: TemplatesArgs, context: &mut Context) -> Result<Exit> {
    let categories = match args.category {
        Some(category) => vec![category],
        None => RootCause::ALL
            .iter()
            .map(|it| it.as_str())
            .chain(ErrorType::ALL.iter().map(|it| it.as_str()))
            .map(str::to_owned)
            .collect(),
    };
    let found = super::rows(context, |view| {
        let mut found = Vec::new();
        for category in &categories {
            found.extend(view.get_fix_templates(category, args.number)?);
        }
        Ok(found)
    })?;
    let none = "No template has helped often enough yet. Next: annals debug run FILE -- COMMAND";
    let titles = ["category", "pattern", ">worked", "template", "learnt in"];
    let cells = |it: FixTemplate, _: &Context| {
        let worked = match (it.tally, it.effectiveness) {
            (Some((worked, trials)), _) => format!("{worked} of {trials}"),
            (None, Some(share)) => format!("{} %", print::percent(share * 100.0)),
            (None, None) => String::new(),
        };
        let template = short(&it.fix_template.unwrap_or_default());
        let category = it.category.unwrap_or_default();
        (None, [category, it.pattern, worked, template, it.session.to_string()])
    };
    rows::listed(found, &titles, none, cells, context)
}
