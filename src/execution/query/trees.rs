//! The working trees that a journal's calls ran in: one journal may be that of several trees of a repository, and
//! transcripts may tell of calls anywhere.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use super::{QueryError, Stores};
use crate::event::Ordered;
use crate::execution::index::ROOT;
use crate::parse::check::CheckRules;
use crate::parse::check::command::calls;
use crate::parse::check::coverage::{is_below, joined};
use crate::parse::shell::Script;

/// The tops of the trees that are known, and the one that is asked for.
#[derive(Clone, Debug)]
pub struct Trees {
    own: String,
    /// The project's.
    root: String,
    /// A folder, and the tree that it is, or was, the top of; the longest first.
    tops: Vec<(String, String)>,
    /// Folders in no known tree, whether they are there; and where command lines lead: thousands of runs have few.
    is_there: RefCell<HashMap<String, bool>>,
    led_to: RefCell<HashMap<String, Option<String>>>,
}

impl Stores {
    /// The project's tree, wherever it lay before, those of its repositories, and `own`.
    pub fn trees(&self, own: &Path) -> Result<Trees, QueryError> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let (root, own) = (text(&self.places.root), text(own));
        let began_at: Option<String> = self.index.cell(ROOT, [])?;
        let known: Vec<String> =
            self.index.column("SELECT path FROM repos WHERE path IS NOT NULL", [])?;
        let same = known.into_iter().chain([own.clone(), root.clone()]).map(|it| (it.clone(), it));
        let began_at = began_at.map(|it| (it, root.clone()));
        let mut tops: Vec<_> = began_at.into_iter().chain(same).collect();
        tops.retain(|(folder, _)| folder.starts_with('/'));
        tops.order_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
        Ok(Trees { own, root, tops, is_there: RefCell::default(), led_to: RefCell::default() })
    }
}

impl Trees {
    pub fn own(&self) -> &str {
        &self.own
    }

    /// The top of the tree that a call ran in; `None`: it ran elsewhere. Where nobody said where, and in a folder that
    /// is not there, it was in the project's root: a past that came here began where the project lay then.
    pub fn of_call(&self, cwd: Option<&str>) -> Option<&str> {
        let root = || Some(self.root.as_str());
        let Some(cwd) = cwd.filter(|it| it.starts_with('/')) else { return root() };
        let known = self.tops.iter().find(|(folder, _)| is_below(cwd, folder));
        match known {
            Some((_, top)) => Some(top),
            None if self.is_there(cwd) => None,
            None => root(),
        }
    }

    /// As [`Self::of_call`], of a check by its command line, which may lead into another tree (`cd ../other && …`).
    pub fn of_run(&self, command: Option<&str>, cwd: Option<&str>) -> Option<&str> {
        match command.and_then(|it| self.led_to(it)) {
            Some(folder) => self.of_call(Some(&joined(cwd.unwrap_or_default(), &folder))),
            None => self.of_call(cwd),
        }
    }

    fn is_there(&self, folder: &str) -> bool {
        let known = self.is_there.borrow().get(folder).copied();
        known.unwrap_or_else(|| {
            let is = Path::new(folder).exists();
            self.is_there.borrow_mut().insert(folder.to_owned(), is);
            is
        })
    }

    /// The folder that a command line leads to; `None`: it stays where it is run.
    fn led_to(&self, command: &str) -> Option<String> {
        if let Some(known) = self.led_to.borrow().get(command) {
            return known.clone();
        }
        let checks = calls(&Script::of(command), &CheckRules::default());
        let folder = checks.into_iter().find_map(|it| it.coverage).map(|it| it.folder);
        let folder = folder.filter(|it| !it.is_empty());
        self.led_to.borrow_mut().insert(command.to_owned(), folder.clone());
        folder
    }

    /// The tree that a call ran in, where that is another one than what is asked for.
    pub fn other(&self, command: Option<&str>, cwd: Option<&str>) -> Option<String> {
        self.of_run(command, cwd).filter(|top| *top != self.own).map(|top| self.told(top))
    }

    /// A tree as the one that is asked for tells it: `../other` where they lie side by side, `inner` where it lies in
    /// that.
    pub fn told(&self, top: &str) -> String {
        let inner = top.strip_prefix(&self.own).and_then(|it| it.strip_prefix('/'));
        let beside = || {
            let (parent, _) = self.own.rsplit_once('/')?;
            let (same, name) = top.rsplit_once('/')?;
            (parent == same).then(|| format!("../{name}"))
        };
        inner.map(str::to_owned).or_else(beside).unwrap_or_else(|| top.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Trees;

    #[test]
    fn a_call_is_of_the_innermost_tree_that_it_ran_in() {
        let own = "/p/main".to_owned();
        let tops = ["/p/main/in", "/old/main", "/p/side", "/p/main"];
        let of =
            |it: &str| (it.to_owned(), if it == "/old/main" { own.clone() } else { it.to_owned() });
        let tops = tops.map(of).to_vec();
        let (is_there, led_to) = Default::default();
        let trees = Trees { own: own.clone(), root: own.clone(), tops, is_there, led_to };
        for (cwd, top, told) in [
            (Some("/p/main/src"), Some("/p/main"), ""),
            (Some("/p/main/in/src"), Some("/p/main/in"), "in"),
            (Some("/old/main"), Some("/p/main"), ""),
            (Some("/p/side"), Some("/p/side"), "../side"),
            (Some("/"), None, ""),
            (Some("/p/sides/is/not/there"), Some("/p/main"), ""),
            (Some("src"), Some("/p/main"), ""),
            (None, Some("/p/main"), ""),
        ] {
            assert_eq!(trees.of_call(cwd), top, "{cwd:?}");
            let other = top.filter(|it| *it != own);
            assert_eq!(other.map_or(String::new(), |it| trees.told(it)), told, "{cwd:?}");
        }
        for (command, cwd, top) in [
            ("cd ../side && go test ./...", Some("/p/main"), Some("/p/side")),
            ("(cd /p/side; go test ./...)", Some("/p/main"), Some("/p/side")),
            ("go -C ../side test ./...", Some("/p/main"), Some("/p/side")),
            ("make -C in test", Some("/p/main"), Some("/p/main/in")),
            ("cd src && go test ./...", Some("/p/main"), Some("/p/main")),
            ("go test ./...", Some("/p/side"), Some("/p/side")),
            ("cd / && go test ./...", Some("/p/main"), None),
            ("go test ./...", None, Some("/p/main")),
        ] {
            assert_eq!(trees.of_run(Some(command), cwd), top, "{command} {cwd:?}");
        }
    }
}
