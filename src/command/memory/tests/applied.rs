//! A model's updates: each key and its alias, in order, as one commit.
