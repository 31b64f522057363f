//! `annals repo map`: what lies where in the repository, and what its files define.

use serde::Serialize;

use crate::cli::pack::note_lag;
use crate::cli::{CliError, Context, Exit, Result, counted};
use crate::event::{IndexKind, RepoHash, Sequence, wire};
use crate::output::escape;
use crate::output::wire::OfJournal;
use crate::repo::context::refresh_tree;
use crate::repo::identify;
use crate::repo::map::RepoMap;

/// The repository's map: folders, languages, what files define
///
/// As it was recorded last. `annals context` looks at the tree itself.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Look at the tree first, and record how it looks where that has changed
    #[arg(long)]
    refresh: bool,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MapAt {
    #[serde(serialize_with = "wire::text")]
    repo_hash: RepoHash,
    /// The event that recorded it.
    sequence: Sequence,
    #[serde(flatten)]
    map: RepoMap,
}

pub fn run(args: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    if args.refresh {
        let project = context.project()?;
        if let Some(prefix) = repo
            && !identify(project.tree()).map_err(CliError::from)?.begins(prefix)
        {
            let what = "--refresh looks at this tree, and --repo names another repository: refresh it \
                        where its tree is";
            return Err(CliError::Refused { what });
        }
        let tree = refresh_tree(&project)?;
        note_lag(&tree, context);
        let read = counted(tree.read, "file");
        match tree.recorded {
            Some(at) => context.output.note(format_args!("{read} read; recorded (@{})", at.0)),
            None => context.output.note(format_args!("{read} read; it looks as it did")),
        }
    }
    let found = super::repo(repo, context, |one, repo| {
        let Some(index) = one.view.index_file(repo, IndexKind::RepoMap)? else { return Ok(None) };
        // One of another build: made anew by the next look at the tree.
        let Some(map) = RepoMap::parse(&index.content) else { return Ok(None) };
        let row = MapAt { repo_hash: repo, sequence: index.sequence, map };
        Ok(Some(OfJournal::of(one.journal, row)))
    })?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    if context.output.as_json_of_journals(&found)? {
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        context.output.line("There is no map yet. Next: annals repo map --refresh")?;
    }
    for one in &found {
        if let Some(name) = &one.journal {
            context.output.line(format_args!("{}:", escape::line(name)))?;
        }
        for line in one.row.map.lines() {
            context.output.line(escape::line(&line))?;
        }
        if let Some(left_out) = one.row.map.left_out_told() {
            context.output.line(format_args!("Left out: {left_out}"))?;
        }
    }
    Ok(Exit::Fine)
}
