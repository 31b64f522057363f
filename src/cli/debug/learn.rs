//! `annals debug learn`: what was learnt.

use super::work;
use crate::cli::{CliError, Context, Exit};
use crate::debug::{DebugError, LearnGiven};
use crate::event::{ErrorPattern, Learnings, TemplateTally};

/// Record what was learnt; a session that passes after a failure does so by itself
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// All of it as JSON in the schema's shape; - reads it from standard input
    #[arg(long, value_name = "JSON", conflicts_with_all = ["pattern", "recurring", "issues", "recommend"])]
    learnings: Option<String>,
    /// The name of a pattern of errors
    #[arg(long, value_name = "NAME", required_unless_present_any = ["learnings", "recurring", "issues", "recommend"])]
    pattern: Option<String>,
    /// The pattern's category, by which templates are found
    #[arg(long, value_name = "CATEGORY", requires = "pattern")]
    category: Option<String>,
    /// How often the pattern was seen
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    frequency: u64,
    /// What is to be done about the pattern
    #[arg(long, value_name = "TEXT", requires = "pattern")]
    fix_template: Option<String>,
    /// How often the template was tried and worked, as 3/4
    #[arg(long, value_name = "WORKED/TRIED", requires = "fix_template")]
    tried: Option<String>,
    /// A test that failed again and again, as JSON: {"test", "occurrences", "resolution", "notes"};
    /// may be repeated
    #[arg(long, value_name = "JSON")]
    recurring: Vec<String>,
    /// Something about the code that is not as it should be, as JSON: {"issue", "location",
    /// "severity", "addressed"}; may be repeated
    #[arg(long = "issue", value_name = "JSON")]
    issues: Vec<String>,
    /// A recommendation for what is to come; may be repeated
    #[arg(long, value_name = "TEXT")]
    recommend: Vec<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let session = args.session.clone();
    let given = given(args)?;
    let done = work::on(&session, context, |writer, session| writer.learn(session, given))?;
    let sentence = format!("Recorded what was learnt in debug session {}", done.session);
    let next = format!("annals debug show {}", done.session);
    work::tell(done, &sentence, &next, context)?;
    Ok(Exit::Fine)
}

fn given(args: Args) -> Result<LearnGiven, CliError> {
    if let Some(json) = &args.learnings {
        let learnings = crate::cli::debug::json("learnings", json)?;
        return Ok(LearnGiven { learnings, tallies: Vec::new() });
    }
    let mut tallies = Vec::new();
    if let (Some(pattern), Some(tried)) = (&args.pattern, &args.tried) {
        tallies.push(tally(pattern, tried)?);
    }
    let pattern = args.pattern.map(|pattern| ErrorPattern {
        pattern,
        category: args.category,
        frequency: args.frequency,
        fix_template: args.fix_template,
        effectiveness: None,
    });
    let recurring =
        args.recurring.iter().map(|it| crate::cli::debug::json("recurring_failures", it));
    let recurring = recurring.collect::<Result<Vec<_>, _>>()?;
    let issues = args.issues.iter().map(|it| crate::cli::debug::json("code_quality_issues", it));
    let issues = issues.collect::<Result<Vec<_>, _>>()?;
    let learnings = Learnings {
        patterns_identified: pattern.map(|pattern| vec![pattern]),
        recurring_failures: (!recurring.is_empty()).then_some(recurring),
        code_quality_issues: (!issues.is_empty()).then_some(issues),
        recommendations: (!args.recommend.is_empty()).then_some(args.recommend),
    };
    Ok(LearnGiven { learnings, tallies })
}

fn tally(pattern: &str, tried: &str) -> Result<TemplateTally, CliError> {
    let read = tried.split_once('/').and_then(|(worked, tried)| {
        let (successes, trials) = (worked.parse().ok()?, tried.parse().ok()?); // no numbers: refused
        let pattern = pattern.to_owned();
        (successes <= trials && trials > 0).then_some(TemplateTally { pattern, successes, trials })
    });
    read.ok_or_else(|| {
        let why = format!("{tried:?} is no number of successes, /, and at least as many trials");
        DebugError::Field { field: "tried".to_owned(), why }.into()
    })
}
