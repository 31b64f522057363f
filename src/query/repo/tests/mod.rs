//! Questions about repositories against small histories.
