//! What this project's own tests and benchmarks reach for; no part of the API.

pub mod agents {
    pub use crate::agents::SOURCES;
    pub mod claude_code {
        pub use crate::agents::claude_code::parse;
    }
    pub mod import {
        pub use crate::agents::import::{Item, Ledger, LogSource};
        pub mod salvage {
            pub use crate::agents::import::salvage::salvage_bytes;
        }
    }
}
pub mod config {
    pub mod environment {
        pub use crate::config::environment::{cache_folder, state_folder};
    }
}
pub mod debug {
    pub use crate::debug::{AttemptGiven, DebugWriter, LearnGiven, OpenGiven};
    pub mod query {
        pub use crate::debug::query::{DebugFilter, RetentionRules, SimilarAsked, cause_of};
    }
}
pub mod event {
    pub use crate::event::{
        Analysis, AnalysisRecorded, ArchivalWritten, AttemptRecorded, Body, BranchForked, CallKey,
        Change, Closing, CodeQualityIssue, Content, CoreSet, DebugAuthor, DebugSessionClosed,
        DebugSessionId, DebugSessionOpened, DebugStatus, Envelope, ErrorPattern, ErrorType, Event,
        ExecutionFinished, ExecutionId, ExecutionStarted, Fix, FixApplied, Json, Kind,
        LearningExtracted, Learnings, MemoryDoor, MemoryOrigin, Outcome, PromptSubmitted, ReadBy,
        RecallAppended, Recorded, RootCause, Sequence, SessionId, Severity, Source, SourceLocation,
        StepBegun, TemplateTally, TestFailure, TestResults, TimelineQueried, ToolsDeclared,
        Verification, base64_bytes, decode, encode,
    };
    pub mod derived {
        pub use crate::event::derived::{decode, encode};
    }
    pub mod tool {
        pub use crate::event::tool::{CONTRACT, is_mutation};
    }
}
pub mod execution {
    pub use crate::execution::live_recorder;
    pub mod index {
        pub use crate::execution::index::IndexReader;
    }
    pub mod query {
        pub use crate::execution::query::{
            Action, CodeGraph, KIND_EXECUTION, Link, LogFilter, QueryError, Reference, Stores,
        };
    }
    pub mod replay {
        pub use crate::execution::replay::{Walk, What, Window};
    }
}
pub mod grounding {
    pub mod fold {
        pub use crate::grounding::fold::Grounding;
    }
    pub mod gate {
        pub use crate::grounding::gate::KeptFold;
    }
    pub mod timeline {
        pub use crate::grounding::timeline::{
            MemoryAnswer, MemoryQuery, TIMELINE_ITEMS, TimelineScope,
        };
    }
    pub mod tools {
        pub use crate::grounding::tools::Step;
    }
}
pub mod journal {
    pub use crate::journal::{
        Durability, InitOptions, Journal, JournalOptions, JournalReader, Project, Reading,
        Recorder, ReplayItem, id,
    };
    pub mod clock {
        pub use crate::journal::clock::now_ms;
    }
    pub mod location {
        pub use crate::journal::reader::place;
    }
}
pub mod memory {
    pub use crate::memory::{Asker, Memory};
    pub mod query {
        pub use crate::memory::query::{ArchivalSearch, Matching, Render, render, search};
    }
    pub mod store {
        pub use crate::memory::store::{Memory, MemoryReader, MemoryView};
    }
}
pub mod output {
    pub mod escape {
        pub use crate::output::escape::is_hostile;
    }
    pub mod terminal_screen {
        pub use crate::output::terminal_screen::TerminalScreen;
    }
}
pub mod parse {
    pub mod check {
        pub use crate::parse::check::lines::OutputStream;
        pub use crate::parse::check::{CheckReader, CheckReport, CheckRules, Verdict};
        pub mod diagnostic {
            pub use crate::parse::check::diagnostic::Diagnostic;
        }
    }
}
pub mod redact {
    pub use crate::redact::Redactor;
}
pub mod repo {
    pub mod tree {
        pub use crate::repo::tree::{Tree, scan};
    }
}
pub mod search {
    pub use crate::search::{Asked, Order, SearchReader, search, snippet};
}
pub mod store {
    pub use crate::store::{JournalFeed, Projector, StoreName, StorePlaces};
    pub mod evidence {
        pub use crate::store::evidence::{Cache, evidence_stores};
    }
    pub mod rebuild {
        pub use crate::store::rebuild::{RebuildMode, rebuild};
    }
}
pub mod stores {
    pub use crate::stores::exported;
    pub use crate::stores::source::journal_path;
    pub use crate::stores::{STORES, places};
}
#[cfg(feature = "tui")]
pub mod tui {
    pub use crate::tui::{Ask, Feed, Following, Journal, Shown, State, Theme, draw};
}
