//! What was met is known again, and hardly anything else.

use super::Met;

#[test]
fn what_was_met_may_be_there_and_little_else() {
    let mut met = Met::default();
    assert!(!met.may_have("toolu_0"));
    for number in 0..100_000 {
        met.note(format!("toolu_{number}"));
    }
    assert!((0..100_000).all(|number| met.may_have(format!("toolu_{number}"))));
    let in_vain = (100_000..200_000).filter(|number| met.may_have(format!("toolu_{number}")));
    assert!(in_vain.count() < 100);
}
