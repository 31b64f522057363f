//! The median of some readings, with the smallest and largest.

/// The median of some readings, with the smallest and largest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    pub min: f64,
    pub median: f64,
    pub max: f64,
}

impl Spread {
    /// Of at least one reading; of none, zeros.
    pub fn of(readings: &[f64]) -> Self {
        let mut sorted = readings.to_vec();
        sorted.sort_by(f64::total_cmp);
        match (sorted.first(), sorted.get(sorted.len() / 2), sorted.last()) {
            (Some(&min), Some(&median), Some(&max)) => Self { min, median, max },
            _ => Self::default(),
        }
    }
}
