//! A name from a command line as the name of a folder.

/// A name as one that can be a folder's: letters, digits, `-`, `_` and dots stay, everything else is
/// told by a hash behind it, so that no two names are one folder.
pub fn component(name: &str) -> String {
    const BYTES_MAX: usize = 100;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_fine =
        (1..=BYTES_MAX).contains(&name.len()) && name.chars().all(plain) && !name.starts_with('.');
    if is_fine {
        return name.to_owned();
    }
    let kept: String = name.chars().filter(|c| plain(*c) && *c != '.').take(60).collect();
    let hash = blake3::hash(name.as_bytes()).to_hex();
    format!("{kept}-{}", &hash[..16])
}
