//! What a memory query is about.

/// What a memory query is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryTopic {
    /// The executions that the parameters let through.
    #[default]
    Executions,
    /// Where one stands, what happened last, and what is still broken.
    TimelineSummary,
    Position,
    Recent,
    /// What led up to `before_id`.
    Preceding,
    PendingFailures,
    FailureLoops,
}

impl MemoryTopic {
    /// Names that say so; the first is the one that is written.
    const NAMES: [(Self, &[&str]); 6] = [
        (Self::TimelineSummary, &["timeline_summary", "timeline"]),
        (Self::Position, &["get_timeline_position", "timeline_position", "position"]),
        (Self::Recent, &["get_recent_timeline", "recent_timeline", "last_n_executions"]),
        (Self::Preceding, &["get_preceding_context", "preceding_context"]),
        (Self::PendingFailures, &["get_pending_failures", "pending_failures"]),
        (Self::FailureLoops, &["failure_loops"]),
    ];

    /// The topic of a name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(_, names)| names.contains(&name));
        found.map(|(topic, _)| *topic)
    }

    /// The name it is asked by; `None` where only parameters ask.
    pub fn name(self) -> Option<&'static str> {
        let found = Self::NAMES.iter().find(|(topic, _)| *topic == self);
        found.and_then(|(_, names)| names.first().copied())
    }
}
