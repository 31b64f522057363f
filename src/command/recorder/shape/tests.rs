//! Shapes.
