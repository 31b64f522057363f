//! Kinds of operation on the simulated disk.

/// One call of the storage traits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperationKind {
    Open,
    /// An open that makes the file.
    Create,
    List,
    Rename,
    Remove,
    CreateFolder,
    SyncFolder,
    Identity,
    Read,
    Write,
    Sync,
    Len,
    Lock,
    Unlock,
}

impl OperationKind {
    /// Whether it can change what a later power loss leaves.
    pub fn changes_the_disk(self) -> bool {
        matches!(
            self,
            Self::Create
                | Self::Rename
                | Self::Remove
                | Self::CreateFolder
                | Self::SyncFolder
                | Self::Write
                | Self::Sync
        )
    }
}
