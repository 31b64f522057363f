//! The built-in rules, a file a family of services. Their order is their precedence where two find
//! the same place.

mod chat;
mod ci;
mod cloud;
mod commerce;
mod content;
mod database;
mod delivery;
mod identity;
mod looks;
mod mail;
mod model;
mod nearby;
mod observability;
mod package;
mod payment;
mod source_host;
mod webhooks;
mod work;

use super::environment;
use super::generic;
use super::rule::Rule;
use super::visitor;

/// Written into every envelope; raise it with any change of what is taken out.
pub(super) const VERSION: u16 = 4;

const FAMILIES: &[&[Rule]] = &[
    cloud::RULES,
    source_host::RULES,
    package::RULES,
    payment::RULES,
    chat::RULES,
    mail::RULES,
    database::RULES,
    model::RULES,
    observability::RULES,
    ci::RULES,
    delivery::RULES,
    identity::RULES,
    commerce::RULES,
    content::RULES,
    work::RULES,
    generic::RULES,
    generic::ASSIGNED,
];

/// Every rule.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().copied().flatten()
}

/// What stands in markers: of every rule, and of those that name what they find themselves.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let others = ["environment", "option", "assignment", environment::RULE, visitor::JSON_MEMBER];
    all().map(|rule| rule.name).chain(others)
}
