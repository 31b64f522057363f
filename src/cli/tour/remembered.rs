//! What is remembered: by an agent in branches, and by a repository for the next one.

use super::steps::{hold, title};
use crate::cli::memory::look;
use crate::cli::{CliError, Context, Exit};
use crate::execution::query::Identity;
use crate::journal::Project;
use crate::memory::query as memory;
use crate::repo::identify;
use crate::stores::StorePlaces;

/// What the parent branch holds, and what the child makes of it.
const GOAL: &str = "every check passes";
const TRIED: &str = "rename totl to total";

/// A branch sees its parent's, and changes nothing of it.
pub fn branches(context: &mut Context) -> Result<(), CliError> {
    title("What an agent remembers, in branches", context)?;
    for words in [
        &["memory", "fork", "main"][..],
        &["memory", "set", "main", "goal", GOAL],
        &["memory", "fork", "try-1", "--from", "main"],
        &["memory", "set", "try-1", "goal", TRIED],
        &["memory", "get", "try-1", "goal"],
        &["memory", "get", "main", "goal"],
    ] {
        does(words, context)?;
    }
    hold(goal("main", context)? == [GOAL], "a branch changes nothing of its parent")?;
    hold(goal("try-1", context)? == [TRIED], "a branch has its own value")
}

/// The step leaves its summary; with what holds here it is what the next agent begins with.
pub fn repository(project: &Project, context: &mut Context) -> Result<(), CliError> {
    title("What the repository keeps, and what the next agent is given", context)?;
    for words in [
        &["step", "end"][..],
        &["repo", "convention", "add", "Names", "No letter is left out of a name."],
        &["context"],
    ] {
        does(words, context)?;
    }
    let repo = identify(project.root())?.hash;
    let index = Identity::open(&StorePlaces::of(project.root()).index)?;
    let (summaries, kept) = (index.repos().summaries(repo, 2)?, index.repos().conventions(repo)?);
    hold(summaries.len() == 1, "a step leaves its summary")?;
    hold(kept.len() == 1, "the repository has its convention")
}

/// What a branch sees of the goal.
fn goal(branch: &str, context: &mut Context) -> Result<Vec<String>, CliError> {
    let seen = look::branch(branch, context, |one, branch| {
        let seen = memory::core(&one.view, branch, one.now_ms)?;
        Ok(seen.into_values().filter(|it| it.key == "goal").map(|it| it.value).collect::<Vec<_>>())
    })?;
    Ok(seen.into_iter().flatten().collect())
}

/// Says a command and does it.
pub fn does(words: &[&str], context: &mut Context) -> Result<(), CliError> {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| match word.contains(' ') {
            true => format!("{word:?}"),
            false => (*word).to_owned(),
        })
        .collect();
    super::steps::say(&format!("annals {}", quoted.join(" ")), context)?;
    let exit = crate::cli::execute(words, context)?;
    hold(exit == Exit::Fine, "what the tour does is done")
}
