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
                "↑↓⏎ open",
                "c chain",
                "s sessions",
                "f failed",
                "t tool",
                "/ text",
                "p pause",
                "? help",
                "q quit",
            ],
            Self::Sessions => &["esc back", "↑↓⏎ choose", "? help", "q quit"],
            Self::Detail => {
                &["esc close", "↑↓ scroll", "n next", "b back", "c chain", "? help", "q quit"]
            }
            Self::Chain => &["esc back", "↑↓⏎ open", "o whole file", "? help", "q quit"],
        }
    }
}
