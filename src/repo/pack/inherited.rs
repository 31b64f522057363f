//! What a pack tells of the same repository's other branches and working trees.

use super::text::line;
use crate::repo::query::Inherited;

/// An entry, and whom it is inherited from.
pub struct Told<T> {
    pub entry: T,
    pub from: Option<String>,
}

impl<T> Told<T> {
    pub fn told(&self, as_text: fn(&T) -> String) -> String {
        let from = self.from.as_deref().map(|from| format!(" ({})", line(from)));
        as_text(&self.entry) + from.as_deref().unwrap_or_default()
    }
}

/// What is inherited by one who is at `top`.
pub struct Kin<'a> {
    pub top: &'a str,
    pub all: &'a [Inherited],
}

impl Kin<'_> {
    /// Own entries, then those of the others.
    pub fn with<T: Clone>(&self, own: Vec<T>, of: fn(&Inherited) -> &Vec<T>) -> Vec<Told<T>> {
        let own = own.into_iter().map(|entry| Told { entry, from: None });
        let theirs = self.all.iter().flat_map(|one| {
            let from = one.from(self.top);
            of(one).iter().map(move |it| Told { entry: it.clone(), from: Some(from.clone()) })
        });
        own.chain(theirs).collect()
    }
}
