//! How a repository's tree looks, recorded where it looks otherwise than it did.

use super::{RepoDone, RepoError, RepoWriter};
use crate::event::{Body, Content, IndexKind, IndexStored};
use crate::repo::query::RepoView;

/// An index of a repository's tree, made where it is wanted.
pub struct IndexGiven<'a> {
    pub kind: IndexKind,
    /// blake3 of what it is made from: the same, and it is the same.
    pub inputs: [u8; 32],
    /// The JSON of the whole file below `indexes/`, and the files that it tells of; `None` where it
    /// cannot be made.
    pub make: Box<dyn FnOnce() -> Option<(String, u64)> + 'a>,
}

impl RepoWriter<'_, '_> {
    /// Records those indexes of the tree that the project lies in which say something else than the
    /// last ones; gives how many.
    pub fn store_indexes(
        &mut self,
        given: Vec<IndexGiven<'_>>,
    ) -> Result<RepoDone<u64>, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(None, view)?;
        let repo = whose.repo;
        let mut bodies = Vec::new();
        for one in given {
            let last = view.index_file(repo, one.kind)?;
            if last.as_ref().is_some_and(|last| last.inputs == one.inputs) {
                continue;
            }
            let Some((content, files)) = (one.make)() else { continue };
            // Made from something else, it may say the same.
            if last.is_some_and(|last| last.content == content) {
                continue;
            }
            bodies.push(Body::IndexStored(IndexStored {
                repo,
                index: one.kind,
                content: Content::Inline(content.into_bytes()),
                files,
                inputs: one.inputs,
            }));
        }
        let done = bodies.len() as u64;
        if done > 0 {
            bodies.splice(0..0, whose.identified);
        }
        drop(index);
        let sequence = self.commit(bodies)?;
        Ok(RepoDone { done, repo, sequence })
    }
}
