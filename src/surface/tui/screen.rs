//! Which screen is shown.

/// Which screen is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Screen {
    #[default]
    History,
    Sessions,
    Detail,
    Chain,
}

impl Screen {
    /// The keys that the last line tells, the most needed first.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::History => &[
                "↑↓ move",
                "⏎ detail",
                "c chain",
                "s sessions",
                "f failed",
                "t tool",
                "/ text",
                "p pause",
                "? help",
                "q quit",
            ],
            Self::Sessions => &["↑↓ move", "⏎ choose", "esc back", "? help", "q quit"],
            Self::Detail => {
                &["↑↓ scroll", "n next", "b back", "c chain", "esc close", "? help", "q quit"]
            }
            Self::Chain => &["↑↓ move", "⏎ detail", "o whole file", "esc back", "? help", "q quit"],
        }
    }
}
