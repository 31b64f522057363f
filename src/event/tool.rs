//! The contract's tool names, what `init` adds, and how agents' own names map to them (ruling 4).
