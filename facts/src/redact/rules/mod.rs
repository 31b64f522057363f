//! The built-in rules, by families of services. Their order is their precedence where two find
//! the same place.

mod business;
mod data;
mod hosting;
mod identity;
mod looks;
mod messaging;

use super::disguise::KEYWORDS;
use super::keywords::Builtin;
use super::rule::Rule;
use super::{environment, generic, keywords, visitor};

/// Written into every envelope; raise it with any change of what is taken out.
pub(super) const VERSION: u16 = 5;

const FAMILIES: &[&[Rule]] = &[
    hosting::CLOUDS,
    hosting::SOURCE_HOSTS,
    hosting::REGISTRIES,
    business::PAYMENTS,
    messaging::CHATS,
    messaging::MAIL,
    data::DATABASES,
    data::MODELS,
    data::OBSERVABILITY,
    hosting::INTEGRATION,
    identity::DELIVERY,
    identity::IDENTITY,
    business::SHOPS,
    business::CONTENT,
    business::WORK,
    generic::RULES,
    generic::ASSIGNED,
];

const SIZES: (usize, usize) = keywords::sizes(FAMILIES, KEYWORDS);
/// The keywords of all rules, and what escapes are found by.
pub(super) static BUILTIN: Builtin<{ SIZES.0 }, { SIZES.1 }> = Builtin::new(FAMILIES, KEYWORDS);

/// Every rule.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().copied().flatten()
}

/// What stands in markers: of every rule, and of those that name what they find themselves.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let others = ["environment", "option", "assignment", environment::RULE, visitor::JSON_MEMBER];
    all().map(|rule| rule.name).chain(others)
}
