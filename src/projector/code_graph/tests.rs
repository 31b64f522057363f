//! Every cell of tool × edge.
