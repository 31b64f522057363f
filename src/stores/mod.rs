//! The stores by their names and places, the fold into each, and the repair of all.

pub mod name;
pub mod of_store;
pub mod places;
pub mod repair;

pub use name::StoreName;
pub use places::StorePlaces;
