//! Kinds that the format itself uses; all others belong to the layer above.

/// Kinds from here up are the format's own: their frames take no sequence.
pub const CONTROL_MIN: u16 = 0xFF00;
/// The segment ends here; the next one continues. Payload: next segment number u64, its first
/// sequence u64.
pub const ROLL: u16 = 0xFF01;
/// The segment ends here and is sealed. Payload: tree size u64, RFC 6962 root of 32 bytes, footer
/// offset u64, next segment number u64, its first sequence u64.
pub const SEAL: u16 = 0xFF02;

/// Whether a kind is the format's own.
pub const fn is_control(kind: u16) -> bool {
    kind >= CONTROL_MIN
}
