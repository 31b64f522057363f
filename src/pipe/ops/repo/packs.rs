//! Context packs (spec 004).

use super::REPO;
use crate::cli::with_causes;
use crate::output::wire;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};
use crate::repo::context::{KeptPacks, PackKey, refresh_tree};
use crate::repo::identify;
use crate::repo::pack::{PackAsked, PackSession};

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
    let settings = &project.config().repo;
    let most = |set: u64| usize::try_from(set).unwrap_or(usize::MAX);
    let session = args.take::<String>("session")?;
    let at_home = project.is_at_home();
    let current = at_home.then(|| identify(project.root())).transpose()?;
    let asked = PackAsked {
        repo: args.take("repo_hash")?,
        current: current.map(|current| current.hash),
        session: session.map_or(PackSession::Is(caller.id()), PackSession::Named),
        chars_max: args.take("max_chars")?.unwrap_or(most(settings.context_max_chars)),
        paths: args.take("paths")?.unwrap_or_default(),
        summaries_max: args.take("summaries")?.unwrap_or(most(settings.context_summaries)),
        map: args.take("map")?.unwrap_or(true),
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
    let kept = KeptPacks::of(project);
    // Where the journal cannot be read, the question says so.
    let key = at_home.then(|| PackKey::of(project, &asked, seen, &build).ok()).flatten();
    let found = key.as_ref().and_then(|key| kept.find(key));
    let told = match found {
        Some(told) => told,
        None => {
            let told = pipe.stores()?.context(&asked)?;
            if let Some(key) = &key {
                kept.keep(key, &told);
            }
            told
        }
    };
    let told = wire::Pack { map_lag, ..wire::Pack::of(&told, None) };
    Ok(Told::of(&told)?.at(recorded.map(|at| at.0)))
}
