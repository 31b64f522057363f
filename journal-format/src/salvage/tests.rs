//! Salvaging wounded journals.
