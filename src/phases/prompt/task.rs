//! What a node is for, and what else a model is asked about it.

/// What a node is for (spec 003, "Detailed Flow by Node Type").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Draft,
    Debug,
    Improve,
    Hyperparam,
    Ablation,
}

impl Task {
    /// All there are.
    pub const ALL: [Self; 5] =
        [Self::Draft, Self::Debug, Self::Improve, Self::Hyperparam, Self::Ablation];

    /// The word on the command line, and in the labels of queries.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Debug => "debug",
            Self::Improve => "improve",
            Self::Hyperparam => "hyperparam",
            Self::Ablation => "ablation",
        }
    }

    /// The task hint that memory is asked with.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Hyperparam => "hyperparam_node",
            Self::Ablation => "ablation_node",
            task => task.as_str(),
        }
    }

    /// Reads what [`Self::as_str`] or [`Self::hint`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.as_str() == text || task.hint() == text)
    }

    /// The stage of a search that such nodes belong to, unless it is told.
    pub fn stage(self) -> &'static str {
        match self {
            Self::Draft | Self::Debug => "1_initial_implementation",
            Self::Hyperparam => "2_baseline_tuning",
            Self::Improve => "3_creative_research",
            Self::Ablation => "4_ablation_studies",
        }
    }

    /// The folder of its texts.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Draft => "agent/parallel/tasks/draft",
            Self::Debug => "agent/parallel/tasks/debug",
            Self::Improve => "agent/parallel/tasks/improve",
            Self::Hyperparam => "agent/parallel/nodes/hyperparam",
            Self::Ablation => "agent/parallel/nodes/ablation",
        }
    }
}

/// What else a model is asked about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideTask {
    ExecutionReview,
    Summary,
    ParseMetrics,
    VlmAnalysis,
}

impl SideTask {
    /// All there are.
    pub const ALL: [Self; 4] =
        [Self::ExecutionReview, Self::Summary, Self::ParseMetrics, Self::VlmAnalysis];

    /// The label of its query, and the task hint that memory is asked with.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ExecutionReview => "execution_review",
            Self::Summary => "summary",
            Self::ParseMetrics => "parse_metrics",
            Self::VlmAnalysis => "vlm_analysis",
        }
    }

    /// Its text, without what tells it with memory from without.
    pub(super) fn base(self) -> &'static str {
        match self {
            Self::ExecutionReview => "agent/parallel/tasks/execution_review/introduction",
            Self::Summary => "agent/parallel/tasks/summary/introduction",
            Self::ParseMetrics => "agent/parallel/tasks/parse_metrics/introduction",
            Self::VlmAnalysis => "agent/parallel/vlm_analysis",
        }
    }
}
