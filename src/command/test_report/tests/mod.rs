//! Real output of real runners, and what is made of it.
