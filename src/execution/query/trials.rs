//! How often something was tried, and how often it helped.

use serde::Serialize;

/// Of a normal distribution, what lies within is 95 in 100: the confidence of [`Trials::bound`].
const NORMAL_95: f64 = 1.96;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trials {
    pub helped: u64,
    pub tried: u64,
}

impl Trials {
    /// The lower bound of Wilson's interval: what so few trials prove.
    pub fn bound(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "nobody tries anything 2^53 times")]
        let (helped, tried) = (self.helped as f64, self.tried as f64);
        if tried == 0.0 {
            return 0.0;
        }
        let (share, square) = (helped / tried, NORMAL_95 * NORMAL_95);
        let spread = (share * (1.0 - share) / tried + square / (4.0 * tried * tried)).sqrt();
        (share + square / (2.0 * tried) - NORMAL_95 * spread) / (1.0 + square / tried)
    }
}
