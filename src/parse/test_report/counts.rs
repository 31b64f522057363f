//! Lines of counts: `9 failed, 1 skipped, 13 total`.

/// No run has more tests; a larger number is something else.
const COUNT_MAX: u64 = 1_000_000_000;

/// The counts of a line, with the words that follow them, as `("failed", 9)`. Nothing where any part is
/// no count.
pub fn counts(line: &str) -> Option<Vec<(&str, u64)>> {
    line.split(", ").map(count).collect()
}

/// `1 passed` → `("passed", 1)`; of more words the first ones.
pub fn count(part: &str) -> Option<(&str, u64)> {
    let (number, word) = part.trim().split_once(' ')?;
    let number = number.parse().ok()?; // no number: no count
    (number <= COUNT_MAX).then_some((word.trim(), number))
}

/// `1.18s`, `0.5 s`, `120 ms` → milliseconds.
pub fn milliseconds(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|it: char| !it.is_ascii_digit() && it != '.')?;
    let number: f64 = text[..digits].parse().ok()?; // no number: no time
    let scale = match text[digits..].trim() {
        "s" => 1000.0,
        "ms" => 1.0,
        "m" => 60_000.0,
        _ => return None,
    };
    whole(number * scale)
}

/// A count of something, from a float that is one.
fn whole(number: f64) -> Option<u64> {
    let fits = number.is_finite() && (0.0..1e15).contains(&number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "looked at above")]
    fits.then(|| number.round() as u64)
}
