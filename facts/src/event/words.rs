//! Enums of words: each variant, and the word that JSON, stores and people have for it.

/// Declares an enum whose variants each stand for one word: `words! { pub enum E { A = "a" } }`.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    (
        $(#[$of_enum:meta])*
        $vis:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        $vis enum $name {
            $($(#[$of_variant])* #[serde(rename = $word)] $variant,)*
        }

        #[allow(dead_code, reason = "not every one is listed and read")]
        impl $name {
            /// Every one, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The one that has the word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
pub use crate::words;
