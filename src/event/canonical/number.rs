//! Numbers: as ECMAScript writes a double, or as they were written where no double holds them.

/// Integers up to here, either side of zero, are exact in a double.
const EXACT_MAX: u64 = 1 << 53;

/// The length of the JSON number at the beginning of `bytes`.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || (whole > 1 && bytes[at] == b'0') {
        return None;
    }
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    Some(at)
}

/// Writes a well-formed number's canonical text.
pub(super) fn write(written: &str, out: &mut String) {
    let integer = !written.contains(['.', 'e', 'E']);
    if written == "-0" {
        out.push('0');
    } else if integer {
        // Within 2^53 an integer's only spelling is its canonical one; beyond, it is kept.
        out.push_str(written);
    } else {
        match double(written) {
            Some(text) => out.push_str(&text),
            None => out.push_str(written),
        }
    }
}

/// `None` where the value is beyond a double, so that nothing is lost.
fn double(written: &str) -> Option<String> {
    let value = written.parse::<f64>().ok().filter(|value| value.is_finite())?;
    if value.fract() == 0.0 && value.abs() <= EXACT_MAX as f64 {
        return Some((value as i64).to_string());
    }
    // Writing a finite double cannot fail; were it to, the number stays as it was written.
    serde_json_canonicalizer::to_string(&value).ok()
}
