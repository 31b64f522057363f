//! What is appended.

/// One record: what the layer above calls an event.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Below [`crate::frame::kind::CONTROL_MIN`].
    pub kind: u16,
    /// The kind's schema number.
    pub version: u8,
    /// When it is recorded, Unix milliseconds.
    pub time_ms: u64,
    /// Whether a reader that does not know the kind may pass over it.
    pub skippable: bool,
    pub payload: &'a [u8],
}
