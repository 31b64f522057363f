//! What branches see, against a model that knows nothing of SQL, times or indexes.

mod diff;
mod history;
mod kept;
mod model;
mod past;
mod plans;
mod pressure;
mod ranked;
mod render;
mod search;
mod sees;
mod ttl;
