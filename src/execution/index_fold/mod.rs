//! The fold into `index.db`.

mod closings;
mod debug;
mod facts;
mod grounding;
mod memory;
mod repo;
mod starts;

use std::collections::{BTreeMap, BTreeSet};

use crate::debug::fold::Slots;
use crate::event::{Body, ExecutionId, Recorded};
use crate::execution::closed::Closed;
use crate::execution::index::{Index, Operations};
use crate::execution::log::CONTRACT_TOOLS;
use crate::store::{Anomaly, AnomalyKind, Cursor, Position, Projector, Rows, StoreError};

/// The fold into `index.db`. Needs no starts: its own rows have what a closing event lacks.
#[derive(Debug)]
pub struct IndexProjector {
    store: Index,
    anomalies: Vec<Anomaly>,
    /// The sessions met in this transaction: number, last sequence, last time.
    sessions: BTreeMap<[u8; 16], Touched>,
    /// What agents call which tool, as far as it was met: spares a look-up an event.
    native_tools: BTreeSet<(String, String)>,
    debug: Slots,
}

#[derive(Clone, Copy, Debug)]
struct Touched {
    number: u64,
    last_seq: u64,
    last_ms: i64,
}

/// Sessions remembered before they are written back.
const SESSIONS_MAX: usize = 4096;
/// Names of tools remembered; the rest are looked up.
const NATIVE_TOOLS_MAX: usize = 256;

impl IndexProjector {
    /// A fold into this store.
    pub fn new(store: Index) -> Self {
        let (anomalies, sessions) = (Vec::new(), BTreeMap::new());
        let (native_tools, debug) = (BTreeSet::new(), Slots::default());
        Self { store, anomalies, sessions, native_tools, debug }
    }

    /// Whether `execution_log.db` takes rows of this tool.
    fn in_force(&self, tool: &str) -> bool {
        CONTRACT_TOOLS.contains(&tool) || self.store.declared().iter().any(|known| known == tool)
    }

    fn anomaly(
        &mut self,
        recorded: &Recorded,
        kind: AnomalyKind,
        execution: Option<ExecutionId>,
        message: String,
    ) -> Result<(), StoreError> {
        self.keep(Anomaly { sequence: recorded.sequence, kind, execution, message })
    }

    fn keep(&mut self, anomaly: Anomaly) -> Result<(), StoreError> {
        let execution = anomaly.execution.map(|id| id.to_string());
        let kind = anomaly.kind.as_str();
        let seq = anomaly.sequence.0;
        self.store.add_anomaly(seq, kind, execution.as_deref(), &anomaly.message)?;
        self.anomalies.push(anomaly);
        Ok(())
    }

    fn name_tool(&mut self, native_tool: Option<&str>, tool: &str) -> Result<(), StoreError> {
        let Some(native_tool) = native_tool else { return Ok(()) };
        let known = |(native, named): &(String, String)| native == native_tool && named == tool;
        if self.native_tools.iter().any(known) {
            return Ok(());
        }
        if self.native_tools.len() < NATIVE_TOOLS_MAX {
            self.native_tools.insert((native_tool.to_owned(), tool.to_owned()));
        }
        self.store.name_tool(native_tool, tool)
    }

    fn write_sessions(&mut self) -> Result<(), StoreError> {
        for touched in std::mem::take(&mut self.sessions).into_values() {
            self.store.touch_session(touched.number, touched.last_seq, touched.last_ms)?;
        }
        Ok(())
    }
}

impl Projector for IndexProjector {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.store.begin()
    }

    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.store.cursor()
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        self.store.found_rows()
    }

    fn apply(
        &mut self,
        recorded: &Recorded,
        _started: Option<&Recorded>,
    ) -> Result<(), StoreError> {
        let session = self.touch(recorded)?;
        self.contents(recorded)?;
        if let Some(closed) = Closed::of(recorded) {
            return self.close(recorded, closed, session);
        }
        match &recorded.event.body {
            Body::ExecutionStarted(started) => self.start(recorded, started, session),
            Body::ToolsDeclared(declared) => self.declare(recorded, declared),
            body => match (body.memory_branch(), body.memory_origin(), body.node_place()) {
                (Some(branch), Some(origin), _) => self.memory(recorded, branch, origin, session),
                (_, _, Some(place)) => self.phase(recorded, place, body.phase(), session),
                _ => self.fact(recorded, body, session),
            },
        }
    }

    fn note(&mut self, anomaly: Anomaly) -> Result<(), StoreError> {
        self.keep(anomaly)
    }

    fn wants_starts(&self) -> bool {
        false
    }

    fn wants_content(&self) -> bool {
        true
    }

    fn take_anomalies(&mut self) -> Vec<Anomaly> {
        std::mem::take(&mut self.anomalies)
    }

    fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.write_sessions()?;
        self.settle_debug()?;
        self.store.commit(position)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.sessions.clear();
        self.native_tools.clear();
        self.debug.forget();
        self.anomalies.clear();
        self.store.rollback()
    }

    fn operations(&self) -> Result<Option<Operations>, StoreError> {
        self.store.operations().map(Some)
    }

    fn finish(self: Box<Self>) -> Result<(), StoreError> {
        self.store.finish().map(drop)
    }
}
