//! What is ordered is what is destroyed.
