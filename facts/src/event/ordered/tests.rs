//! The shared sort against the one that a type has.

use std::cmp::Reverse;

use super::Ordered;

#[test]
fn every_order_of_seven_ends_as_a_sort_of_its_own_would_end_it() {
    let mut seen = 0;
    // Numbers of base 4, so that equals come as well.
    for code in 0..4_usize.pow(7) {
        let all: Vec<(usize, usize)> =
            (0..7).map(|place| (code / 4_usize.pow(place) % 4, place as usize)).collect();
        let (mut ours, mut theirs) = (all.clone(), all.clone());
        ours.order_by_key(|one| one.0);
        theirs.sort_by_key(|one| one.0);
        assert_eq!(ours, theirs, "{all:?}");
        seen += 1;
    }
    assert_eq!(seen, 16_384);
}

#[test]
fn nothing_one_and_many_are_put_in_order() {
    let mut none: [String; 0] = [];
    none.order_by(|one, other| one.cmp(other));
    let mut one = ["a".to_owned()];
    one.order_by_key(Clone::clone);
    let mut many: Vec<u64> = (0..10_000).map(|it| it * 7919 % 10_007).collect();
    let mut sorted = many.clone();
    many.order_by_key(|it| Reverse(*it));
    sorted.sort_by_key(|it| Reverse(*it));
    assert_eq!(many, sorted);
}
