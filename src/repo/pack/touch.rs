//! Whether a decision touches the paths at hand.

use globset::{GlobBuilder, GlobMatcher};

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

    /// Whether it is about any of them.
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
