//! The number by which a run is judged, in what it printed.

use serde_json::Value;

/// The last line that says `metric: NUMBER`, or is a JSON object with a number under `metric`: the
/// number as it stands there.
pub fn metric_of(printed: &str) -> Option<String> {
    printed.lines().rev().find_map(|line| of_line(line.trim()))
}

fn of_line(line: &str) -> Option<String> {
    if line.starts_with('{') {
        // A line in braces that is no JSON says nothing.
        let value: Value = serde_json::from_str(line).ok()?;
        return value.get("metric").filter(|metric| metric.is_number()).map(Value::to_string);
    }
    let (name, rest) = line.split_at_checked("metric".len())?;
    let rest = rest.trim_start();
    let number = rest.strip_prefix(':').or_else(|| rest.strip_prefix('='))?.trim();
    let is_one = name.eq_ignore_ascii_case("metric") && number.len() <= 64;
    // `inf` and `nan` are numbers to the parser and no result to anybody.
    let finite = number.parse::<f64>().is_ok_and(f64::is_finite);
    (is_one && finite).then(|| number.to_owned())
}
