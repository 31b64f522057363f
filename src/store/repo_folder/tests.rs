//! A repository's files against what people and dying writers make of them.
