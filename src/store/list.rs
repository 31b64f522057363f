//! The stores, as the kit sees them: each noun says of its own what there is to know, and who knows them all
//! hands the list down.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::remains::Table;
use super::shared::Shared;
use super::{AnyReader, Concern, Foresight, Lookup, Projector, StoreError, StorePlaces, look};
use crate::event::Ordered;
use crate::journal::{Around, Derived, Testimony};

/// A store: a file or folder that is made from the journal, and never otherwise.
pub trait Store: Sync {
    /// The file's name, or what a folder is called for.
    fn name(&self) -> &'static str;

    /// Where it lies, below the project's root.
    fn place(&self) -> &'static str;

    /// What it may be called besides.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// The events that it is made of; `None`: any may concern it.
    fn concern(&self) -> Option<&'static Concern> {
        None
    }

    /// Whether a question about executions is answered from it.
    fn is_needed(&self) -> bool {
        false
    }

    /// Whether it is made and caught up for who asks it alone, and by nobody else. It says nothing but what the
    /// journal and other stores do: one that is broken in any way is made anew, and none is kept.
    fn is_on_demand(&self) -> bool {
        false
    }

    /// What there is to know of its tables; `None`: it is a folder of files.
    fn database(&self) -> Option<&'static Database>;

    /// What is particular to one that another program has as well.
    fn shared(&self) -> Option<&'static dyn Shared> {
        None
    }

    /// The fold into a project's store, to be caught up.
    fn fold(&self, path: &Path, places: &StorePlaces) -> Result<Box<dyn Projector>, StoreError>;

    /// The fold into a new file, to be loaded from nothing, for the project of these places.
    fn new_fold(&self, path: &Path, places: &StorePlaces)
    -> Result<Box<dyn Projector>, StoreError>;

    /// What is made of events ahead of [`Self::new_fold`].
    fn foresight(&self) -> Option<Box<dyn Foresight>> {
        None
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyReader>, StoreError>;

    /// Opens one that is only looked at: see [`StillStore`](super::StillStore).
    fn open_still(&self, path: &Path) -> Result<Box<dyn AnyReader>, StoreError>;
}

/// What there is to know of a store's tables.
#[derive(Debug)]
pub struct Database {
    /// What free SQL calls it.
    pub schema: &'static str,
    /// The table that the cursor is in.
    pub cursor: &'static str,
    /// Those that say what happened. The first two tell which store it is.
    pub tables: &'static [Table],
}

/// A store by its name.
#[derive(Clone, Copy)]
pub struct StoreName(&'static dyn Store);

impl StoreName {
    pub const fn of(store: &'static dyn Store) -> Self {
        Self(store)
    }

    pub fn as_str(self) -> &'static str {
        self.0.name()
    }

    /// Whether it is a folder of files, and no SQLite file.
    pub fn is_folder(self) -> bool {
        self.0.database().is_none()
    }

    /// Whether it is another program's as well.
    pub fn is_shared(self) -> bool {
        self.0.shared().is_some()
    }

    /// Whether this is a name of it; `.db` may be left out.
    pub fn is_called(self, text: &str) -> bool {
        let bare = |text: &str| text.strip_suffix(".db").unwrap_or(text).to_owned();
        bare(text) == bare(self.as_str()) || self.0.aliases().contains(&bare(text).as_str())
    }
}

impl Deref for StoreName {
    type Target = dyn Store;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for StoreName {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for StoreName {}

impl fmt::Debug for StoreName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for StoreName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Every store that a journal has.
pub struct StoreList {
    /// In the order they are caught up. The index first: others find through it what they need. One that is
    /// shared last: what it lacks stops nobody.
    pub stores: &'static [StoreName],
    /// What else somebody looks for, besides the stores.
    pub watched: &'static [&'static Concern],
    /// Opens the index for what others find through it.
    pub lookup: fn(&Path) -> Result<Box<dyn Lookup>, StoreError>,
}

impl StoreList {
    /// The list that a project or a source was opened with.
    pub fn of(around: Around) -> &'static Self {
        // Nobody else answers for what lies around a journal.
        (around as &dyn Any).downcast_ref().unwrap_or(&NONE)
    }

    pub fn is_index(&self, store: StoreName) -> bool {
        self.stores.first() == Some(&store)
    }

    /// What the index is asked for the last events of.
    pub fn concerns(&self) -> impl Iterator<Item = &'static Concern> {
        let of_stores = self.stores.iter().filter_map(|store| store.concern());
        of_stores.chain(self.watched.iter().copied())
    }

    pub fn parse(&self, text: &str) -> Option<StoreName> {
        self.stores.iter().copied().find(|store| store.is_called(text))
    }

    /// Those of which all that is ours: the cheapest to ask how far it has read comes first.
    pub fn own(&self) -> Vec<StoreName> {
        let mut own: Vec<_> = self.stores.iter().copied().filter(|it| !it.is_shared()).collect();
        own.order_by_key(|store| (!store.is_needed(), self.is_index(*store)));
        own
    }
}

static NONE: StoreList = StoreList {
    stores: &[],
    watched: &[],
    lookup: |path| Err(StoreError::Missing { path: path.to_owned() }),
};

impl Derived for StoreList {
    fn brought_forth(&self, root: &Path) -> Option<PathBuf> {
        let has_cursor = |store: StoreName, path: &Path| {
            let opened = store.open_still(path);
            opened.and_then(|store| store.cursor()).is_ok_and(|cursor| cursor.is_some())
        };
        self.stores.iter().find_map(|store| {
            let path = root.join(store.place());
            // Another program may have a shared one alone, and anybody's file may be called as one is that
            // lies in the root: that one has a cursor.
            let is_ours = match path.parent() == Some(root) {
                _ if store.is_shared() => false,
                true => has_cursor(*store, &path),
                false => super::places::is_there(&path).is_ok_and(|has| has),
            };
            is_ours.then_some(path)
        })
    }

    fn testimony(&'static self, root: &Path, is_thorough: bool) -> Testimony {
        look::testimony(self, root, is_thorough)
    }
}

impl fmt::Debug for StoreList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.stores).finish()
    }
}

impl PartialEq for StoreList {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for StoreList {}
