//! What is given of a session, an attempt, a fix, a learning.

mod attempt_given;
mod checked_attempt;
mod checked_told;
mod fix_given;
mod json;
mod learn_given;
mod open_given;

pub use attempt_given::AttemptGiven;
pub(super) use checked_told::checked_analysis;
pub use fix_given::FixGiven;
pub use json::given_json;
pub use learn_given::LearnGiven;
pub use open_given::OpenGiven;
