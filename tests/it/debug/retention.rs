//! retention
