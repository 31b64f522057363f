//! One list out of the pages of several journals.

use super::CliError;
use super::opened::Opened;
use crate::execution::query::{After, Page, QueryError, Stores};

/// What was found, each with its journal's name where there are several.
pub struct Gathered<T> {
    /// The newest last.
    pub items: Vec<(Option<String>, T)>,
    /// Where the earlier ones begin, where there are any.
    pub before: Option<After>,
}

/// The newest items of all journals.
pub fn newest<'s, T>(
    opened: &'s [Opened],
    limit: usize,
    before: Option<After>,
    at: impl Fn(&T) -> After,
    ask: impl Fn(&'s Stores, usize, Option<After>) -> Result<Page<T>, QueryError>,
) -> Result<Gathered<T>, CliError> {
    let (mut items, mut more) = (Vec::new(), false);
    for one in opened {
        let (mut found, mut after) = (0, before);
        while found < limit {
            let page = ask(&one.stores, limit - found, after)?;
            found += page.items.len();
            items.extend(page.items.into_iter().map(|item| (one.name.clone(), item)));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        more |= after.is_some() && found >= limit;
    }
    items.sort_by_key(|(_, item)| at(item));
    let surplus = items.len().saturating_sub(limit);
    items.drain(..surplus);
    more |= surplus > 0;
    let before = items.first().filter(|_| more).map(|(_, item)| at(item));
    Ok(Gathered { items, before })
}
