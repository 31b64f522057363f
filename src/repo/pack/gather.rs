//! What a pack could tell, from the stores: everything that there might be room for.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};

use super::fit::Material;
use super::inherited::{Kin, Told};
use super::rank::{AtHand, RankedFile};
use super::text::{line, lines};
use super::{PackQuery, SectionName};
use crate::event::{CheckStanding, IndexKind, Ordered, RepoHash, Sequence};
use crate::execution::query::{CheckState, QueryError, Stores};
use crate::repo::entry::{Convention, Decision, Note};
use crate::repo::map::RepoMap;
use crate::repo::query::Summary;

/// Of the timeline this many are looked at to see which paths are at hand.
const AT_HAND_ITEMS: usize = 20;
/// The name of what is left out is cut here, characters.
const NAME_CHARS_MAX: usize = 80;
/// Files that are named; of what one defines, the characters told.
const FILES_MAX: usize = 23;
const DEFINES_CHARS_MAX: usize = 80;
/// Runs of checks that are looked at, the newest.
const CHECK_RUNS: usize = 200;

impl Stores {
    /// Everything that a pack could tell, in the order of the text.
    pub(super) fn pack_sections(&self, query: &PackQuery) -> Result<Vec<Material>, QueryError> {
        let mut all = Vec::with_capacity(SectionName::ALL.len());
        if let Some(repo) = query.repo {
            self.of_memory(repo, query, &mut all)?;
        }
        let tree = query.origin.as_ref().map_or(&*self.places.root, |it| Path::new(&it.top));
        let trees = self.trees(tree)?;
        let told = self.pending_told(query.scope, &trees)?;
        all.push(Material::first_first(SectionName::PendingFailures, told, 0));
        let told = self.position_told(query.scope, &trees)?.into_iter().collect();
        all.push(Material::first_first(SectionName::Position, told, 0));
        let checks = self.check_states(&self.own_checks()?, CHECK_RUNS, tree)?;
        let told =
            checks.iter().filter(|it| it.standing == CheckStanding::InForce).map(check).collect();
        all.push(Material::first_first(SectionName::Checks, told, 0));
        let map = match query.repo.filter(|_| query.map) {
            Some(repo) => self.map(repo)?,
            None => None,
        };
        let files = self.file_history()?.that_matter(&Self::at_hand(query), FILES_MAX);
        let told = files.iter().map(|it| file(it, map.as_ref())).collect();
        all.push(Material::first_first(SectionName::Files, told, 0));
        all.extend(map.map(of_map));
        Ok(all)
    }

    fn of_memory(
        &self,
        repo: RepoHash,
        query: &PackQuery,
        all: &mut Vec<Material>,
    ) -> Result<(), QueryError> {
        let view = self.repos();
        let kin = query.origin.as_ref().map_or(Ok(Vec::new()), |it| view.inherited(it))?;
        let kin = Kin { top: query.origin.as_ref().map_or("", |it| &it.top), all: &kin };
        let conventions = kin.with(view.list::<Convention>(repo)?, |it| &it.conventions);
        // What was said last matters most, and what is inherited less.
        let mut order: Vec<_> = (0..conventions.len()).collect();
        order.order_by_key(|at| {
            let it = &conventions[*at];
            (it.from.is_some(), std::cmp::Reverse(it.entry.updated_ms), *at)
        });
        let items = conventions.iter().map(|it| it.told(convention)).collect();
        let names = conventions.iter().map(|it| short(&it.entry.title)).collect();
        let told = Material::first_first(SectionName::Conventions, items, 0);
        all.push(Material { order, ..told.named(names, Vec::new()) });
        all.push(self.decisions(kin.with(view.list(repo)?, |it| &it.decisions), query)?);
        let mut notes = kin.with(view.list(repo)?, |it| &it.notes);
        notes.order_by_key(|it| it.from.is_none());
        let notes = notes.iter().map(|it| it.told(note)).collect();
        all.push(Material::last_first(SectionName::Notes, notes, 0));
        let mut summaries = view.summaries(repo, query.summaries_max)?;
        let mut count = view.summary_count(repo, Sequence(u64::MAX >> 1))?;
        let earlier = query.origin.as_ref().map_or(Ok(None), |it| view.earlier(it))?;
        if let Some(earlier) = earlier {
            let room = query.summaries_max.saturating_sub(summaries.len());
            summaries.splice(0..0, view.summaries(earlier, room)?);
            count += view.summary_count(earlier, Sequence(u64::MAX >> 1))?;
        }
        let older = count.saturating_sub(summaries.len() as u64);
        let told = summaries.iter().map(summary).collect();
        all.push(Material::last_first(SectionName::Summaries, told, older));
        Ok(())
    }

    /// Those that touch the paths at hand, then the others, the newest first.
    fn decisions(
        &self,
        mut decisions: Vec<Told<Decision>>,
        query: &PackQuery,
    ) -> Result<Material, QueryError> {
        decisions.reverse();
        decisions.order_by_key(|it| it.from.is_some());
        let at_hand = match query.paths.is_empty() {
            true => self.paths_at_hand(query)?,
            false => query.paths.clone(),
        };
        let touches =
            |it: &Told<Decision>| Impacted::of(&it.entry.impacted_paths).touch_any(&at_hand);
        let (near, mut far): (Vec<_>, Vec<_>) = decisions.into_iter().partition(touches);
        let mut absent = Vec::new();
        if !query.paths.is_empty() {
            absent = far.drain(..).map(|it| short(&it.entry.summary)).collect();
        }
        let told = near.iter().chain(&far).map(|it| it.told(decision)).collect();
        let names = near.iter().chain(&far).map(|it| short(&it.entry.summary)).collect();
        let told = Material::first_first(SectionName::Decisions, told, absent.len() as u64);
        Ok(told.named(names, absent))
    }

    /// What the last executions were about, as far as they were about paths from the top.
    fn paths_at_hand(&self, query: &PackQuery) -> Result<Vec<String>, QueryError> {
        let identity = query.repo.map(|repo| self.repos().identity(repo)).transpose()?.flatten();
        let top = identity.and_then(|identity| identity.path).unwrap_or_default();
        let recent = self.get_recent_timeline(query.scope, AT_HAND_ITEMS)?;
        let below = |path: String| match path.strip_prefix(&format!("{top}/")) {
            Some(inside) => inside.to_owned(),
            None => path,
        };
        let is_path = |path: &String| !path.starts_with('/') && path.contains(['/', '.']);
        let mut paths: Vec<_> =
            recent.into_iter().filter_map(|entry| entry.affected_path).map(below).collect();
        paths.retain(is_path);
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// What it is asked for, and where: paths that are given, the branch that is checked out.
    fn at_hand(query: &PackQuery) -> AtHand {
        let branch = query.origin.as_ref().and_then(|it| it.branch.clone());
        AtHand { prompt: query.prompt.clone(), branch, paths: query.paths.clone() }
    }

    fn map(&self, repo: RepoHash) -> Result<Option<RepoMap>, QueryError> {
        let index = self.repos().index_file(repo, IndexKind::RepoMap)?;
        // Whoever wrote one that this build cannot read: it is made anew by the next refresh.
        Ok(index.and_then(|index| RepoMap::parse(&index.content)))
    }
}

fn of_map(map: RepoMap) -> Material {
    let told = map.lines().iter().map(|told| line(told)).collect();
    let left_out = map.left_out.folders.saturating_add(map.left_out.outlines);
    Material::first_first(SectionName::RepoMap, told, left_out)
}

/// A file with what it defines, where the map knows.
fn file(it: &RankedFile, map: Option<&RepoMap>) -> String {
    let outline = map.and_then(|map| map.outlines.iter().find(|one| one.path == it.path));
    let defines = outline.map(|one| one.definitions.join(", ")).unwrap_or_default();
    let defines = match defines.char_indices().nth(DEFINES_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &defines[..at]),
        None => defines,
    };
    line(&if defines.is_empty() { it.path.clone() } else { format!("{}: {defines}", it.path) })
}

fn check(it: &CheckState) -> String {
    let stands = match &it.last {
        Some(run) => {
            let why = run.telling.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
            let tree = run.tree.as_deref().map(|it| format!(" (in {it})")).unwrap_or_default();
            format!("{} (#{}){tree}{why}", run.verdict, run.no)
        }
        None => "not run yet".to_owned(),
    };
    line(&format!("`{}` ({}): {stands}", it.command, it.kind.as_str()))
}

/// What something is called, as one short line.
fn short(name: &str) -> String {
    let name = line(name);
    match name.char_indices().nth(NAME_CHARS_MAX - 1) {
        Some((at, last)) if at + last.len_utf8() < name.len() => format!("{}…", &name[..at]),
        _ => name,
    }
}

fn convention(it: &Convention) -> String {
    let tags = match it.tags.is_empty() {
        true => String::new(),
        false => format!(" [{}]", line(&it.tags.join(", "))),
    };
    lines(&format!("{}{tags}: {}", line(&it.title), it.content))
}

fn decision(it: &Decision) -> String {
    let paths = match it.impacted_paths.is_empty() {
        true => String::new(),
        false => format!(" ({})", line(&it.impacted_paths.join(", "))),
    };
    let why = if it.rationale.is_empty() { String::new() } else { format!(": {}", it.rationale) };
    lines(&format!("{}{paths}{why}", line(&it.summary)))
}

fn note(it: &Note) -> String {
    lines(&format!("({}) {}", it.source.as_str(), it.content))
}

fn summary(it: &Summary) -> String {
    lines(&format!("{} {}: {}", line(&it.run_id), line(&it.step_id), it.summary))
}

/// Paths that a decision says it is about.
pub(super) struct Impacted {
    paths: Vec<(String, Option<GlobMatcher>)>,
}

impl Impacted {
    pub fn of(paths: &[String]) -> Self {
        let one = |path: &String| {
            let path = normal(path);
            let is_glob = path.contains(['*', '?', '[', '{']);
            // What is no pattern after all is a name.
            let glob =
                is_glob.then(|| GlobBuilder::new(&path).literal_separator(true).build().ok());
            (path, glob.flatten().map(|glob| glob.compile_matcher()))
        };
        Self { paths: paths.iter().map(one).collect() }
    }

    /// Whether it is about a path: the same, a folder above it or below it, or a pattern that fits.
    pub fn touch(&self, path: &str) -> bool {
        let path = normal(path);
        self.paths.iter().any(|(impacted, glob)| {
            is_at_or_below(&path, impacted)
                || is_at_or_below(impacted, &path)
                || glob.as_ref().is_some_and(|glob| glob.is_match(&path))
        })
    }

    pub fn touch_any(&self, paths: &[String]) -> bool {
        paths.iter().any(|path| self.touch(path))
    }
}

/// From the top, without what means nothing.
fn normal(path: &str) -> String {
    let parts: Vec<_> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    parts.join("/")
}

/// The top itself, `""`, is above everything.
fn is_at_or_below(path: &str, folder: &str) -> bool {
    match path.strip_prefix(folder) {
        Some(rest) => rest.is_empty() || rest.starts_with('/') || folder.is_empty(),
        None => false,
    }
}
