//! A reply without its `<memory_update>`.

/// A reply without its `<memory_update>`, where one is asked for (spec 003, "Validation").
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the reply has no <memory_update> block: begin it with \
     <memory_update>{{…}}</memory_update>, empty ({{}}) where there is nothing to remember"
)]
pub struct MissingMemoryUpdateError;
