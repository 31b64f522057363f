//! Where the logs of a node lie.

use bincode::{Decode, Encode};

use crate::event::Experiment;

/// `experiments/<run>/logs/<index>-<name>/phase_logs/node_<node>/`, and the branch it writes to.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct NodePlace {
    pub experiment: Experiment,
    pub node: String,
    pub branch: String,
}
