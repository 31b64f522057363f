//! What to do about a branch of memory that is full.

/// What to do about it, in words: what a consolidation does, and what only the writer can.
pub fn advice(recommendations: &[&str], branch: &str) -> String {
    let mut done_by = Vec::new();
    let mut advice = Vec::new();
    for &what in recommendations {
        match what {
            "consolidate_recall" | "evict_core" => done_by.push(what),
            "compress_core" => advice.push(format!("{what}: set shorter values, or delete keys")),
            "summarize_recall" if recommendations.contains(&"consolidate_recall") => {
                done_by.push(what);
            }
            "summarize_recall" => advice.push(format!(
                "{what}: evict what is no longer wanted: annals memory evict {branch} --oldest N"
            )),
            _ => {
                advice.push(format!("{what}: keep what is archived short, or fork a fresh branch"))
            }
        }
    }
    if !done_by.is_empty() {
        let what = done_by.join(", ");
        advice.insert(0, format!("{what}: annals memory consolidate {branch}"));
    }
    advice.join("; ")
}

#[cfg(test)]
mod tests;
