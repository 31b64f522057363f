//! Which files of a project a command surely changes: looked up when it is recorded, so that no fold asks
//! the disk.

use std::fs;
use std::path::{Component, Path, PathBuf};

use ignore::gitignore::GitignoreBuilder;

use crate::event::target::command;
use crate::event::{Change, tool};
use crate::journal::Project;
use crate::parse::shell::{Changed, ShellEdits};

/// Folders above the project that are asked whether git begins there.
const PARENTS_MAX: usize = 16;
/// A longer list of what git passes over is not read.
const LIST_BYTES_MAX: u64 = 1 << 20;

/// The files that a call's command line surely changes where it ends well: those of the project that git
/// does not ignore, by their whole path. None for a tool that changes files by itself.
///
/// `cwd` is where it runs; `home` is where its session began, which stands for the project where it is
/// another one's: then nobody knows what is ignored there.
pub fn edits(
    project: &Project,
    tool: &str,
    arguments: &str,
    cwd: Option<&str>,
    home: Option<&str>,
) -> Vec<Change> {
    if !project.config().policy.shell_mutations || tool::is_mutation(tool) {
        return Vec::new();
    }
    let Some(command) = command(arguments) else { return Vec::new() };
    let ShellEdits { sure, asked, .. } = ShellEdits::of(&command);
    if sure.is_empty() && asked.is_empty() {
        return Vec::new();
    }
    let root = project.root();
    let real = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let is_apart =
        |it: &Path| [root, &real].iter().all(|our| !it.starts_with(our) && !our.starts_with(it));
    let foreign = home.map(Path::new).filter(|it| it.is_absolute() && is_apart(it));
    let cwd = cwd.map_or_else(|| root.to_owned(), |cwd| root.join(cwd));
    let asked = asked.into_iter().flat_map(|it| known(it, &cwd));
    let whole = sure.into_iter().chain(asked).map(|path| normal(&cwd.join(path)));
    let ours = whole.filter(|path| match foreign {
        Some(home) => is_inside(path, home),
        // In a linked working tree that is ignored where it lies its own lists count.
        None => [project.tree(), root, &real]
            .into_iter()
            .any(|it| is_inside(path, it) && !is_ignored(path, it)),
    });
    let change =
        |path: PathBuf| Change { path: path.to_string_lossy().into_owned(), created: false };
    ours.map(change).collect()
}

/// The files of a change that says nothing of folders, as far as the disk tells, which may be asked before
/// the command ran or after it.
fn known(change: Changed, cwd: &Path) -> Vec<String> {
    let is_file = |path: &str| fs::metadata(cwd.join(path)).is_ok_and(|it| it.is_file());
    let is_folder = |path: &str| cwd.join(path).is_dir();
    match change {
        Changed::File(path) => vec![path],
        Changed::Any(path) => Some(path).filter(|it| is_file(it)).into_iter().collect(),
        Changed::Moved { source, target, is_gone } => {
            let name = source.rsplit('/').next().unwrap_or_default();
            let inner = format!("{}/{name}", target.trim_end_matches('/'));
            let target = match is_folder(&target) {
                true if is_file(&inner) || is_file(&source) => inner,
                false if is_file(&target) || is_file(&source) => target,
                _ => return Vec::new(),
            };
            Some(source).filter(|_| is_gone).into_iter().chain([target]).collect()
        }
    }
}

/// Whether a file lies in a project, and is neither git's nor ours.
fn is_inside(path: &Path, root: &Path) -> bool {
    let Ok(below) = path.strip_prefix(root) else { return false };
    let own = |part: Component<'_>| [".git", ".annals"].iter().any(|it| part.as_os_str() == *it);
    below.components().next().is_some() && !below.components().any(own)
}

/// Whether git ignores a file below `root`: the nearest list that speaks of it decides.
fn is_ignored(path: &Path, root: &Path) -> bool {
    let begins = |folder: &&Path| folder.join(".git").exists();
    let top = root.ancestors().take(PARENTS_MAX).find(begins).unwrap_or(root);
    let folders = path.ancestors().skip(1).take_while(|it| it.starts_with(top));
    let own = folders.map(|folder| (folder, folder.join(".gitignore")));
    let lists = own.chain([(top, top.join(".git/info/exclude"))]);
    for (folder, list) in lists {
        // Nothing is waited for, and nothing endless read.
        let is_list = |it: fs::Metadata| it.is_file() && it.len() <= LIST_BYTES_MAX;
        if !fs::symlink_metadata(&list).is_ok_and(is_list) {
            continue;
        }
        let mut builder = GitignoreBuilder::new(folder);
        // A line that is no pattern ignores nothing.
        drop(builder.add(&list));
        let Ok(rules) = builder.build() else { continue };
        let said = rules.matched_path_or_any_parents(path, false);
        if !said.is_none() {
            return said.is_ignore();
        }
    }
    false
}

/// Without `.` and `..`, as the path is written.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}
