//! How a row grew: the exponent of its time, and by how much it grew where it must not.

use super::Point;

/// The exponent of the power of the count that times go with: the slope of the straight line through the logarithms
/// that is closest to them.
pub fn slope(points: &[&Point]) -> f64 {
    let logs: Vec<(f64, f64)> =
        points.iter().map(|it| ((it.count as f64).log10(), it.seconds.max(1e-9).log10())).collect();
    let count = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|it| it.0), mean(|it| it.1));
    let both: f64 = logs.iter().map(|it| (it.0 - x) * (it.1 - y)).sum();
    both / logs.iter().map(|it| (it.0 - x).powi(2)).sum::<f64>().max(1e-9)
}

/// How much it grew at most: the largest multiple that a point is of one of fewer executions; 1 where it never did.
pub fn growth(points: &[&Point]) -> f64 {
    let (mut least, mut most) = (f64::MAX, 1.0_f64);
    for it in points.iter().map(|it| it.relative()) {
        most = most.max(it / least);
        least = least.min(it.max(1e-12));
    }
    most
}
