//! Shapes of JSON output.
