//! Paths: what an execution named, as one key, and the forms in which the graph may have it.

use std::fs;
use std::path::Path;

/// A file as an execution meant it: from the project's root with `/`, empty for the root itself, or
/// absolute where it lies elsewhere. Lexically normal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileKey(String);

impl FileKey {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is the folder `self`, or lies below it.
    pub fn holds(&self, other: &Self) -> bool {
        self.0.is_empty() && !other.0.starts_with('/') || below(&other.0, &self.0).is_some()
    }

    /// Whether its name looks like a folder's: it has no extension.
    pub fn looks_like_folder(&self) -> bool {
        let name = self.0.rsplit('/').next().unwrap_or_default();
        !name.trim_start_matches('.').contains('.')
    }
}

/// The folders that paths are told from.
#[derive(Clone, Debug)]
pub struct Roots {
    /// The project's, as given and canonical; the first is never empty.
    project: Vec<String>,
    /// The project's when its journal was made, where that is known.
    recorded: Option<String>,
    /// What magellan says it indexed, as given and canonical.
    index: Vec<String>,
    /// The graph was made elsewhere: its root stands for the project's.
    elsewhere: bool,
}

impl Roots {
    /// The roots of a graph that lies in the folder `root`, made of the folder `index_root`.
    pub fn new(root: &Path, index_root: Option<&str>) -> Self {
        let project = forms(&root.to_string_lossy());
        let index = index_root.filter(|root| root.starts_with('/')).map(forms).unwrap_or_default();
        let related = |a: &String, b: &String| below(a, b).is_some() || below(b, a).is_some();
        let elsewhere =
            !index.iter().any(|index| project.iter().any(|project| related(index, project)));
        let elsewhere = elsewhere && !index.is_empty();
        Self { project, recorded: None, index, elsewhere }
    }

    /// The folder that the project was in when its journal was made, instead of any told before.
    pub fn tell_from(&mut self, root: &str) {
        let root = root.trim_end_matches('/');
        self.recorded = Some(root.to_owned()).filter(|root| root.starts_with('/'));
    }

    /// What a path means that was told in the folder `cwd`.
    pub fn key(&self, path: &str, cwd: Option<&str>) -> FileKey {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let root = self.project.first().map_or("/", String::as_str);
        let full = match cwd {
            _ if path.starts_with('/') => normal(path),
            Some(cwd) if cwd.starts_with('/') => normal(&format!("{cwd}/{path}")),
            Some(cwd) => normal(&format!("{root}/{cwd}/{path}")),
            None => normal(&format!("{root}/{path}")),
        };
        let stands_for = if self.elsewhere { self.index.as_slice() } else { &[] };
        let known = self.project.iter().chain(&self.recorded).chain(stands_for);
        let inside = known.into_iter().find_map(|root| below(&full, root));
        FileKey(inside.map(str::to_owned).unwrap_or(full))
    }

    /// What a compiler's file means that ran in `cwd`: one that begins with the way from the root
    /// to `cwd` was told from the root, as cargo does in a workspace's member.
    pub fn told_key(&self, path: &str, cwd: Option<&str>) -> FileKey {
        let inside = cwd.map(|cwd| self.key(cwd, None));
        match inside {
            Some(FileKey(folder)) if !folder.is_empty() && below(path, &folder).is_some() => {
                self.key(path, None)
            }
            _ => self.key(path, cwd),
        }
    }

    /// The names under which the graph may have a file, the likeliest first.
    pub fn names(&self, key: &FileKey) -> Vec<String> {
        let key = key.as_str();
        let own = !key.starts_with('/');
        let mut absolute: Vec<String> = match own {
            true => {
                let roots = self.project.iter().chain(&self.recorded);
                roots.map(|root| joined(root, key)).collect()
            }
            false => vec![key.to_owned()],
        };
        let relative = match (self.index.is_empty() || self.elsewhere, own) {
            (true, true) => Some(key.to_owned()),
            (true, false) => None,
            (false, _) => absolute
                .iter()
                .find_map(|path| self.index.iter().find_map(|root| below(path, root)))
                .map(str::to_owned),
        };
        if self.elsewhere && own {
            absolute.extend(self.index.iter().map(|root| joined(root, key)));
        }
        let mut names = Vec::with_capacity(absolute.len() + 2);
        if let Some(relative) = relative.filter(|relative| !relative.is_empty()) {
            let dotted = format!("./{relative}");
            names.extend([relative, dotted]);
        }
        names.extend(absolute);
        names
    }

    /// What a name of the graph's means.
    pub fn key_of_name(&self, name: &str) -> FileKey {
        match self.index.first().filter(|_| !self.elsewhere) {
            Some(root) => self.key(name, Some(root)),
            None => self.key(name, None),
        }
    }
}

/// A root without its last `/`, and as the file system knows it.
fn forms(root: &str) -> Vec<String> {
    let given = if root.starts_with('/') { normal(root) } else { root.to_owned() };
    let mut forms = Vec::with_capacity(2);
    if given.starts_with('/') {
        forms.push(given.clone());
    }
    // A folder that is not here any more has no other name than the given one.
    if let Ok(real) = fs::canonicalize(root) {
        let real = real.to_string_lossy().into_owned();
        if real != given {
            forms.push(real);
        }
    }
    if forms.is_empty() {
        forms.push(normal(&format!("/{given}")));
    }
    forms
}

fn joined(root: &str, path: &str) -> String {
    format!("{}/{path}", root.trim_end_matches('/'))
}

/// The rest of a path below a folder, empty for the folder itself.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

/// An absolute path without `.`, `..` and doubled `/`; nothing lies above `/`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests;
