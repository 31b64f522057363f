//! Many executions, kept in few bytes each.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Executions, MANY, room};
use crate::event::{ExecutionId, SessionId, Source};
use crate::journal::recorder::facts::fact::{Called, Compared, Ended, ExecutionFact, State};

fn fact(number: u8, state: State) -> ExecutionFact {
    let session = (!number.is_multiple_of(5)).then_some(SessionId([number % 3; 16]));
    let source = if number.is_multiple_of(2) { Source::Import } else { Source::Hook };
    let mut fact =
        ExecutionFact::new(session, Arc::from(format!("tool_{}", number % 4)), source, state);
    if number.is_multiple_of(7) {
        let (called, ended) = (Called::At(number.into()), Ended::Unknown);
        fact.compared = Some(Box::new(Compared { called, ended }));
    }
    fact
}

fn shown(
    all: impl IntoIterator<Item = (ExecutionId, ExecutionFact)>,
) -> BTreeMap<[u8; 16], String> {
    all.into_iter().map(|(id, fact)| (id.0, format!("{fact:?}"))).collect()
}

#[test]
fn what_is_kept_in_few_bytes_is_what_was_told() {
    let (mut held, mut later, mut model) =
        (Executions::default(), Executions::default(), BTreeMap::new());
    for number in 0..200_u8 {
        let id = ExecutionId([number; 16]);
        held.insert(id, fact(number, State::Open));
        model.insert(id, fact(number, State::Open));
    }
    for number in 150..250_u8 {
        // Another tool and session, and what it is compared by.
        let fact = fact(number.wrapping_mul(3), State::Closed);
        later.insert(ExecutionId([number; 16]), fact.clone());
        model.insert(ExecutionId([number; 16]), fact);
    }
    held.extend(&later);
    assert_eq!(shown(held.iter()), shown(model.clone()));
    for number in 0..=u8::MAX {
        let id = ExecutionId([number; 16]);
        assert_eq!(held.has(id), model.contains_key(&id));
        let (found, known) = (held.get(id), model.get(&id).cloned());
        assert_eq!(format!("{found:?}"), format!("{known:?}"));
    }
}

#[test]
fn of_thousands_there_is_room_for_eight_times_as_many_at_once() {
    assert_eq!((room(100, 112), room(112, 112), room(MANY, MANY + 1)), (0, 0, 0));
    assert_eq!(room(14_336, 14_336), 7 * 14_336);
    assert_eq!(room(114_688, 114_688), 0, "what nobody fills would be a hundred megabytes");
    let mut held = Executions::default();
    for number in 0..20_000_u32 {
        let id = ExecutionId(std::array::from_fn(|at| number.to_be_bytes()[at % 4]));
        held.insert(id, fact(number as u8, State::Open));
    }
    assert_eq!(held.iter().count(), 20_000);
}
