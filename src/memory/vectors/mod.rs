//! Records by what they mean: vectors that the user's own command (`memory.embed`) makes of texts. They are recorded,
//! so that a rebuild runs no command; without a command nothing of this happens.

mod command;
mod embed;
#[cfg(test)]
mod tests;

use crate::event::Ordered;

use std::collections::BTreeMap;

pub use command::{CommandVectors, EmbedError};

/// Components of a vector.
pub const DIMENSIONS_MAX: usize = 4_096;

/// What is asked, as a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    pub query: String,
    pub model: String,
    pub vector: Vec<u8>,
}

/// A vector's direction, a byte a component; `None` where it has none.
pub fn direction(vector: &[f32]) -> Option<Vec<u8>> {
    let largest = vector.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
    if !largest.is_finite() || largest == 0.0 {
        return None;
    }
    // Within ±127 by how it is made.
    Some(vector.iter().map(|it| (it / largest * 127.0).round() as i8 as u8).collect())
}

/// How alike two directions are, −1 to 1; those of other dimensions are not.
pub fn cosine(a: &[u8], b: &[u8]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    let signed = |it: &u8| i64::from(*it as i8);
    let product =
        |a: &[u8], b: &[u8]| -> i64 { a.iter().zip(b).map(|(a, b)| signed(a) * signed(b)).sum() };
    let lengths = (product(a, a) as f64 * product(b, b) as f64).sqrt();
    if lengths > 0.0 { product(a, b) as f64 / lengths } else { 0.0 }
}

/// How much the first ranks outweigh the later ones (Cormack, Clarke, Büttcher 2009).
const RANKS: f64 = 60.0;

/// Several rankings as one, by reciprocal ranks; of equal ones the newest number first.
pub fn fused(rankings: &[Vec<u64>]) -> Vec<u64> {
    let mut scores: BTreeMap<u64, f64> = BTreeMap::new();
    for ranking in rankings {
        for (rank, id) in ranking.iter().enumerate() {
            *scores.entry(*id).or_default() += 1.0 / (RANKS + rank as f64 + 1.0);
        }
    }
    let mut all: Vec<(u64, f64)> = scores.into_iter().collect();
    all.order_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    all.into_iter().map(|it| it.0).collect()
}
