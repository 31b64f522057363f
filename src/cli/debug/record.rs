//! `annals debug analyse`, `fix`, `verify`, `learn`: what a caller tells of a session.

use super::{Result, work};
use crate::cli::memory::or_given;
use crate::cli::{Context, Exit, catch_up};
use crate::debug::{DebugError, FixGiven, LearnGiven};
use crate::event::{
    Analysis, DebugSessionId, DebugStatus, ErrorPattern, Fix, Learnings, RootCause, SimilarIssue,
    TemplateRef, TemplateTally, Verification,
};
use crate::journal::Project;

/// Record an analysis: what is wrong, and what to do about it
#[derive(clap::Args, Debug)]
pub struct AnalyseArgs {
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
    #[arg(long, value_name = "CATEGORY", value_parser = super::root_cause)]
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

pub fn analyse(args: AnalyseArgs, context: &mut Context) -> Result<Exit> {
    let analysis = match &args.analysis {
        Some(json) => super::json("analysis", json)?,
        None => {
            let similar = args.similar.iter().map(|it| super::json("similar_past_issues", it));
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
    work::tell(done, &sentence, &next, context)
}

/// Record a fix after an attempt; the next attempt verifies it
#[derive(clap::Args, Debug)]
pub struct FixArgs {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// The attempt that it follows [default: the last]
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
    /// All of it as JSON in the schema's shape; - reads it from standard input
    #[arg(long, value_name = "JSON", conflicts_with_all = ["description", "diff_summary", "files", "diff", "verification"])]
    fix: Option<String>,
    /// What was changed
    #[arg(long, value_name = "TEXT", required_unless_present = "fix")]
    description: Option<String>,
    /// How much, as `+5/-2 lines`
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    diff_summary: Option<String>,
    /// A file that was changed; may be repeated
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<String>,
    /// The diff; - reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    diff: Option<String>,
    /// Whether it helped: pending, passed or failed [default: pending]
    #[arg(long, value_name = "WORD", value_parser = super::verification)]
    verification: Option<Verification>,
    /// The template that it was made from: SESSION:PATTERN, as `annals debug templates` has them
    #[arg(long, value_name = "TEMPLATE", value_parser = super::template)]
    template: Option<TemplateRef>,
}

pub fn fix(args: FixArgs, context: &mut Context) -> Result<Exit> {
    let fix = match &args.fix {
        Some(json) => super::json("fix_applied", json)?,
        None => Fix {
            description: args.description.unwrap_or_default(),
            diff_summary: args.diff_summary,
            files_changed: (!args.files.is_empty()).then_some(args.files),
            diff: args.diff.map(or_given).transpose()?,
            verification: args.verification,
        },
    };
    let given = FixGiven { fix, template: args.template };
    let project = context.project()?;
    let session = work::find(&project, &args.session, context)?;
    not_over(&project, session, context)?;
    let done =
        work::operate_on(&project, context, |writer| writer.fix(session, args.attempt, given))?;
    let sentence = format!("Recorded a fix in debug session {}", done.session);
    let next = format!("annals debug run {} -- COMMAND", done.document.file_path);
    work::tell(done, &sentence, &next, context)
}

/// Refuses a fix that no attempt would verify any more.
fn not_over(project: &Project, session: DebugSessionId, context: &mut Context) -> Result<()> {
    catch_up::catch_up(project, context);
    let known = catch_up::stores(project, context)?.debug().record(session)?;
    match known.filter(|it| !it.is_inferred_and_passed()).map(|it| it.session) {
        Some(it) if matches!(it.status, DebugStatus::Passed | DebugStatus::Failed) => {
            let (status, file_path) = (it.status, it.file_path);
            Err(DebugError::Final { session, status, file_path }.into())
        }
        _ => Ok(()), // where there is none, the operation says so
    }
}

/// Record whether a fix helped (the next attempt does it by itself)
#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    /// passed, failed or pending
    #[arg(value_name = "WORD", value_parser = super::verification)]
    verification: Verification,
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// The attempt that the fix followed [default: the last that has one]
    #[arg(long, value_name = "NUMBER")]
    attempt: Option<u32>,
}

pub fn verify(args: VerifyArgs, context: &mut Context) -> Result<Exit> {
    let done = work::on(&args.session, context, |writer, session| {
        writer.verify(session, args.attempt, args.verification)
    })?;
    let word = args.verification.as_str();
    let sentence = format!("The fix of debug session {} is {word}", done.session);
    let next = format!("annals debug show {}", done.session);
    work::tell(done, &sentence, &next, context)
}

/// Record what was learnt (a session that passes does it by itself)
#[derive(clap::Args, Debug)]
pub struct LearnArgs {
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

pub fn learn(args: LearnArgs, context: &mut Context) -> Result<Exit> {
    let session = args.session.clone();
    let given = given(args)?;
    let done = work::on(&session, context, |writer, session| writer.learn(session, given))?;
    let sentence = format!("Recorded what was learnt in debug session {}", done.session);
    let next = format!("annals debug show {}", done.session);
    work::tell(done, &sentence, &next, context)
}

fn given(args: LearnArgs) -> Result<LearnGiven> {
    if let Some(json) = &args.learnings {
        let learnings = super::json("learnings", json)?;
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
    let recurring = args.recurring.iter().map(|it| super::json("recurring_failures", it));
    let recurring = recurring.collect::<Result<Vec<_>, _>>()?;
    let issues = args.issues.iter().map(|it| super::json("code_quality_issues", it));
    let issues = issues.collect::<Result<Vec<_>, _>>()?;
    let learnings = Learnings {
        patterns_identified: pattern.map(|pattern| vec![pattern]),
        recurring_failures: (!recurring.is_empty()).then_some(recurring),
        code_quality_issues: (!issues.is_empty()).then_some(issues),
        recommendations: (!args.recommend.is_empty()).then_some(args.recommend),
    };
    Ok(LearnGiven { learnings, tallies })
}

fn tally(pattern: &str, tried: &str) -> Result<TemplateTally> {
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
