//! `annals debug similar`, `templates`: what looked like this before, and what helps.

use serde::Serialize;

use super::{Result, print, work};
use crate::cli::rows::{self, short};
use crate::cli::{Context, Exit};
use crate::debug::query::{FixTemplate, Similar, SimilarAsked, cause_of};
use crate::event::{ErrorType, RootCause};
use crate::output::wire::OfJournal;
use crate::parse::check::cause::Cause;

const NOTHING_LIKE_IT: &str = "Nothing like it was recorded before.";

/// Similar failures from before, what helped, and why they match
///
/// Same error type counts 2, the same cause 5 (names, texts, numbers and paths
/// left out; of an assertion the test is part), the same function of the same
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
    /// Say what was compared: the causes of both, and where they are
    #[arg(long)]
    explain: bool,
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
            let told = |it| OfJournal::of(one.journal, Explained::of(it, &asked));
            Ok(found.into_iter().map(told).collect())
        })?
    } else {
        let asked = std::slice::from_ref(&asked);
        super::rows(context, |view| {
            let found = view.similar(asked, None, args.number)?.into_iter();
            Ok(found.map(|it| Explained::of(it, asked)).collect())
        })?
    };
    let plain = |it: OfJournal<Explained>| OfJournal { journal: it.journal, row: it.row.similar };
    if !args.explain {
        let found: Vec<_> = found.into_iter().map(plain).collect();
        if context.output.as_json_list(&found)? {
        } else if found.is_empty() {
            context.output.line(NOTHING_LIKE_IT)?;
        } else {
            print::similar(&found, context)?;
        }
        return Ok(Exit::Fine);
    }
    if context.output.as_json_list(&found)? {
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line(NOTHING_LIKE_IT)?;
    }
    for it in found {
        let Compared { asked, found } = it.row.compared.clone();
        print::similar(&[plain(it)], context)?;
        print::line(&format!("  cause there: {}", cause(&found)), context)?;
        let asked = asked.map_or_else(|| "none was told".to_owned(), |it| cause(&it));
        print::line(&format!("  cause here: {asked}"), context)?;
    }
    Ok(Exit::Fine)
}

/// A failure that is alike, with what was compared.
#[derive(Serialize)]
struct Explained {
    #[serde(flatten)]
    similar: Similar,
    compared: Compared,
}

#[derive(Clone, Serialize)]
struct Compared {
    asked: Option<Cause>,
    found: Cause,
}

impl Explained {
    fn of(similar: Similar, asked: &[SimilarAsked]) -> Self {
        let mut causes = asked.get(similar.asked).map(SimilarAsked::causes).unwrap_or_default();
        let found = cause_of(&similar.failure);
        let same = causes.iter().position(|it| it.key() == found.key());
        // Of a message alone there is one of each type.
        let at = same.or((causes.len() == 1).then_some(0));
        let asked = at.map(|at| causes.swap_remove(at));
        Self { similar, compared: Compared { asked, found } }
    }
}

fn cause(it: &Cause) -> String {
    let place = it.place.as_deref().map(|place| format!(" in {place}")).unwrap_or_default();
    let counts = if it.is_general { " (the same anywhere)" } else { " (the same there alone)" };
    format!("{}{place}{counts}", it.kind)
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
