//! What each event of memory writes down.
