//! An operation: its name, what it takes, what it does.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Argument, Pipe, PipeError, arguments};
use crate::cli::session::{AGENT, DEFAULT};
use crate::event::{Event, ExecutionId, MemoryDoor, MemoryOrigin, SessionId};
use crate::journal::{RecordReport, id};
use crate::memory::{Asker, MemoryError, Operation};
use crate::output::json::{self, Layout};

/// An operation of the library, under the contract's name.
#[derive(Debug)]
pub struct Op {
    pub name: &'static str,
    pub about: &'static str,
    pub arguments: fn() -> Vec<Argument>,
    pub run: Run,
}

type Raw = Option<Box<RawValue>>;

/// What an operation does with a request's arguments.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// It records facts that it makes at once: neighbours share a commit.
    Record(fn(&mut Pipe<'_>, Raw) -> Result<Entry, PipeError>),
    /// It works on branch memory: neighbours share a commit.
    Remember(fn(&mut Pipe<'_>, Raw) -> Result<Remember, PipeError>),
    /// Anything else.
    Act(fn(&mut Pipe<'_>, Raw) -> Answered),
}

/// Lists a family's operations: of each, how it is done, its name, what it is about, what it takes, and
/// what it does, for which there may be a function of its name instead.
///
/// - `act`: `|pipe| Answered`;
/// - `record`: `|pipe| Result<Entry, PipeError>`;
/// - `remember`: `|operation| Result<impl Serialize, MemoryError>`.
///
/// What it takes stands in braces, as [`arguments!`] has it, and is there by its names; or it is a type in
/// parentheses, which is then given first. What stands behind `by` makes of the arguments what a `remember`
/// takes, or refuses them.
macro_rules! operations {
    ($ops:ident: $(
        $how:ident $name:ident = $about:literal $args:tt $(by $made:ident)?
        $(=> |$($given:tt),+| $done:expr)?;
    )*) => {
        pub const $ops: &[$crate::pipe::Op] = &[$(
            $crate::pipe::operations!(
                @op $how $name $about $args [$($made)?] $($($given),+ => $done)?
            )
        ),*];
    };
    (@op $how:ident $name:ident $about:literal {} [] $on:ident => $done:expr) => {
        $crate::pipe::operations!(@$how $name $about (()) [] (), $on => $done)
    };
    (@op $how:ident $name:ident $about:literal {
        $($field:ident $(| $also:ident)* : $ty:ty $(as $kind:literal)? $(= $told:expr)?),* $(,)?
    } [] $on:ident => $done:expr) => {{
        $crate::pipe::arguments! {
            struct Given {
                $($field $(| $also)* : $ty $(as $kind)? $(= $told)?),*
            }
        }
        $crate::pipe::operations!(
            @$how $name $about (Given) [] Given { $($field),* }, $on => $done
        )
    }};
    (@op $how:ident $name:ident $about:literal $args:tt [$($made:ident)?]
        $given:tt, $on:ident => $done:expr) => {
        $crate::pipe::operations!(@$how $name $about $args [$($made)?] $given, $on => $done)
    };
    (@op $how:ident $name:ident $about:literal $args:tt []) => {
        $crate::pipe::operations!(@$how $name $about $args [] given, on => $name(on, given))
    };
    (@act $($op:tt)*) => { $crate::pipe::operations!(@now Act $($op)*) };
    (@record $($op:tt)*) => { $crate::pipe::operations!(@now Record $($op)*) };
    (@now $run:ident $name:ident $about:literal ($args:ty) []
        $given:pat, $on:ident => $done:expr) => {
        $crate::pipe::Op {
            name: stringify!($name),
            about: $about,
            arguments: $crate::pipe::table::<$args>,
            run: $crate::pipe::Run::$run(|$on, raw| {
                let $given = $crate::pipe::read::<$args>(raw)?;
                $done
            }),
        }
    };
    (@remember $name:ident $about:literal ($args:ty) [$($made:ident)?]
        $given:pat, $on:ident => $done:expr) => {
        $crate::pipe::Op {
            name: stringify!($name),
            about: $about,
            arguments: $crate::pipe::table::<($args, $crate::pipe::Origin)>,
            run: $crate::pipe::Run::Remember(|pipe, raw| {
                let (given, origin) = $crate::pipe::read::<($args, $crate::pipe::Origin)>(raw)?;
                $(let given = $made(pipe, given)?;)?
                Ok($crate::pipe::Remember::new(pipe, origin, move |$on| {
                    let $given = given;
                    $done
                }))
            }),
        }
    };
}
pub(crate) use operations;

/// What is answered to a request that was done.
#[derive(Debug)]
pub struct Answer {
    pub result: Box<RawValue>,
    /// The last event that it recorded, durable by now; `None` where it recorded none.
    pub sequence: Option<u64>,
}

pub type Answered = Result<Answer, PipeError>;

impl Answer {
    /// A result of which nothing was recorded.
    pub fn of(result: &(impl Serialize + ?Sized)) -> Answered {
        Self::of_text(json::text(result, Layout::Line))
    }

    fn of_text(text: serde_json::Result<String>) -> Answered {
        let fault = |error: serde_json::Error| PipeError::new("io", format!("no JSON: {error}"));
        let mut result = RawValue::from_string(text.map_err(fault)?).map_err(fault)?;
        if result.get().contains('\n') {
            // JSON that a store holds as it was written: here it must be one line.
            let value: serde_json::Value = serde_json::from_str(result.get()).map_err(fault)?;
            result = serde_json::value::to_raw_value(&value).map_err(fault)?;
        }
        Ok(Self { result, sequence: None })
    }

    pub fn list<T: Serialize>(results: impl IntoIterator<Item = T>) -> Answered {
        Self::of(&results.into_iter().collect::<Vec<_>>())
    }

    /// The same, recorded up to this event.
    #[must_use]
    pub fn at(self, sequence: Option<u64>) -> Self {
        Self { sequence, ..self }
    }
}

/// For which session a request is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The agent's name for it; `None` where nobody named one.
    pub session: Option<String>,
}

impl Caller {
    /// The name, that of calls without a session where nobody named one.
    pub fn name(&self) -> &str {
        self.session.as_deref().unwrap_or(DEFAULT)
    }

    pub fn id(&self) -> SessionId {
        id::session(AGENT, self.name())
    }

    /// The session that somebody named.
    pub fn named(&self) -> Option<SessionId> {
        self.session.as_ref().map(|_| self.id())
    }
}

/// Facts that an operation wants recorded, and what is answered then.
pub struct Entry {
    /// The agent and its name of the session: told to the journal where it does not know it.
    pub of: Option<(String, String)>,
    pub events: Vec<Event>,
    /// The caller says when it was.
    pub is_timed: bool,
    pub answer: Box<dyn FnOnce(&mut Pipe<'_>, &RecordReport) -> Answered>,
    /// The execution that begins: ours until it ends.
    pub begins: Option<ExecutionId>,
    /// The execution that ends.
    pub ends: Option<ExecutionId>,
}

impl Entry {
    /// Answered is what is made of the report.
    pub fn new<T: Serialize + 'static>(
        of: Option<(String, String)>,
        events: Vec<Event>,
        answer: impl FnOnce(&mut Pipe<'_>, &RecordReport) -> T + 'static,
    ) -> Self {
        let (begins, ends) = (None, None);
        let answer = |pipe: &mut Pipe<'_>, report: &RecordReport| {
            Ok(Answer::of(&answer(pipe, report))?.at(report.last_sequence()))
        };
        Self { of, events, is_timed: false, answer: Box::new(answer), begins, ends }
    }
}

arguments! {
    /// Whose an operation on branch memory is, besides its session.
    pub struct Origin {
        run: Option<String> = "the run that it belongs to",
        node: Option<String> = "the node that it belongs to",
        phase: Option<String> = "the phase that it belongs to",
        execution: Option<ExecutionId> = "the execution during which it happens, a UUID",
    }
}

/// An operation on branch memory that a request asks for.
pub struct Remember {
    pub caller: Caller,
    pub asker: Asker,
    /// What is decided, and what is answered then; an answer that cannot be written takes nothing back.
    pub decide: Box<dyn FnOnce(&mut Operation<'_>) -> Result<Answered, MemoryError>>,
}

impl Remember {
    pub fn new<T: Serialize + 'static>(
        pipe: &Pipe<'_>,
        Origin { run, node, phase, execution }: Origin,
        decide: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError> + 'static,
    ) -> Self {
        let origin = MemoryOrigin { by: MemoryDoor::Api, run, node, phase, execution };
        let caller = pipe.caller.clone();
        let asker = Asker { session: caller.named(), origin };
        Self { caller, asker, decide: Box::new(|operation| Ok(Answer::of(&decide(operation)?))) }
    }
}
