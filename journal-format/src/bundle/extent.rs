//! Where an entry's bytes lie.

/// Where an entry's bytes lie in the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub offset: u64,
    pub bytes: u64,
}
