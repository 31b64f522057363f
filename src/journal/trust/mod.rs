//! What of a project is believed (ruling 19): whose folder it is, which settings its user allowed, and
//! whether its journal was begun by this user or came with a clone.
//!
//! What is remembered lies in the user's state folder, outside of every project, in files that are the
//! user's alone; anything else there is as if it were not.

mod allowed;
mod begun;
mod folder;
mod known;
mod origin;
mod owner;
mod place;
mod settings;
#[cfg(test)]
mod tests;

pub use crate::journal::enclosure::owners;
pub use allowed::Allowed;
pub use begun::{meet, note_begun, note_end};
pub use origin::{Origin, origin};
pub use owner::foreign_owner;
pub use settings::Settings;
