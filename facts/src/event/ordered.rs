//! Sorting where speed is of no matter: one sort of numbers for all types, in place of one for each, of which a
//! hundred were a megabyte of the program.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

/// Slices that are put in order without a sort of their own type. Equals stay as they stood.
pub trait Ordered<T> {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);
}

impl<T> Ordered<T> for [T] {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let places = places(self.len(), &|one, other| compare(&self[one], &self[other]));
        put(self, places);
    }

    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }
}

/// Where what belongs into each place stands now.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

/// Puts everything where it belongs, ring by ring of those that take each other's places.
fn put<T>(all: &mut [T], mut places: Vec<usize>) {
    for first in 0..all.len() {
        let mut here = first;
        loop {
            let from = std::mem::replace(&mut places[here], here);
            if from == first {
                break;
            }
            all.swap(here, from);
            here = from;
        }
    }
}
