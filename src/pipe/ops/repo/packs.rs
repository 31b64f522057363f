//! Context packs (spec 004).

use super::REPO;
use crate::cli::with_causes;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};
use crate::repo::context::{kept_or_made, refresh_tree};
use crate::repo::identify;
use crate::repo::pack::{PackAsked, PackSession, PackTold};

pub const OPS: &[Op] = &[Op {
    name: "build_context_from_memory",
    about: "what a model should know before it goes on, in as many characters as there are",
    args: &[
        Argument::maybe("max_chars", "number", "how long the text may be; else the settings'")
            .or(&["maxChars"]),
        Argument::maybe("paths", "texts", "paths at hand, from the repository's top"),
        Argument::maybe("session", "text", "whose failures; else the caller's own session"),
        Argument::maybe("summaries", "number", "how many, the newest; else the settings'"),
        Argument::maybe("map", "true or false", "whether the map of the tree is told; else true"),
        REPO,
    ],
    run: Run::Do(build),
}];

fn build(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let project = pipe.project;
    let session = args.take::<String>("session")?;
    let at_home = project.is_at_home();
    let current = at_home.then(|| identify(project.root())).transpose()?;
    let by_settings = PackAsked::by(&project.config().repo, current.map(|current| current.hash));
    let asked = PackAsked {
        repo: args.take("repo_hash")?,
        session: session.map_or(PackSession::Is(caller.id()), PackSession::Named),
        chars_max: args.take("max_chars")?.unwrap_or(by_settings.chars_max),
        paths: args.take("paths")?.unwrap_or_default(),
        summaries_max: args.take("summaries")?.unwrap_or(by_settings.summaries_max),
        map: args.take("map")?.unwrap_or(true),
        ..by_settings
    };
    let build = pipe.context.cache.build().to_owned();
    let (mut seen, mut recorded, mut map_lag) = (None, None, None);
    if at_home && asked.map && asked.repo.is_none() {
        match refresh_tree(project) {
            Ok(tree) => (seen, recorded) = (Some(tree.inputs), tree.recorded),
            // What cannot be looked at is told as it was recorded last.
            Err(error) => map_lag = Some(with_causes(&error)),
        }
    }
    if recorded.is_some() {
        pipe.others_recorded();
    }
    let mut make = || Ok::<_, PipeError>(pipe.stores()?.context(&asked)?);
    let told = match at_home {
        true => kept_or_made(project, &asked, seen, &build, make)?,
        false => make()?,
    };
    Ok(Told::of(&PackTold { map_lag, ..told })?.at(recorded.map(|at| at.0)))
}
