//! An operation on branch memory that a request asks for.

use super::{Args, Argument, Caller, Pipe, PipeError, Told};
use crate::event::{ExecutionId, MemoryDoor, MemoryOrigin};
use crate::memory::{Asked, Asker, MemoryError, Operation};

/// What is decided, and what is answered then.
type Decide = Box<dyn FnOnce(&mut Operation<'_>) -> Result<Answered, MemoryError>>;
/// What is answered; an answer that cannot be written takes nothing back.
type Answered = Result<Told, PipeError>;

/// An operation on branch memory that a request asks for.
pub struct Remember {
    asker: Asker,
    decide: Decide,
}

/// Whose an operation is, besides its session.
pub const ORIGIN: [Argument; 4] = [
    Argument::maybe("run", "text", "the run that it belongs to"),
    Argument::maybe("node", "text", "the node that it belongs to"),
    Argument::maybe("phase", "text", "the phase that it belongs to"),
    Argument::maybe("execution", "text", "the execution during which it happens, a UUID"),
];

/// The arguments of an operation, and whose it is.
macro_rules! with_origin {
    ($($argument:expr),* $(,)?) => {
        &[
            $($argument,)*
            $crate::pipe::remember::ORIGIN[0],
            $crate::pipe::remember::ORIGIN[1],
            $crate::pipe::remember::ORIGIN[2],
            $crate::pipe::remember::ORIGIN[3],
        ]
    };
}
pub(super) use with_origin;

impl Remember {
    pub fn new(
        caller: &Caller,
        args: &mut Args,
        decide: impl FnOnce(&mut Operation<'_>) -> Result<Answered, MemoryError> + 'static,
    ) -> Result<Self, PipeError> {
        let execution = match args.take::<String>("execution")? {
            None => None,
            Some(text) => Some(
                ExecutionId::parse(&text)
                    .ok_or_else(|| PipeError::argument("execution", "must be a UUID, v4 or v7"))?,
            ),
        };
        let origin = MemoryOrigin {
            by: MemoryDoor::Api,
            run: args.take("run")?,
            node: args.take("node")?,
            phase: args.take("phase")?,
            execution,
        };
        let session = caller.session.as_ref().map(|_| caller.id());
        Ok(Self { asker: Asker { session, origin }, decide: Box::new(decide) })
    }
}

impl std::fmt::Debug for Remember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remember").field("asker", &self.asker).finish()
    }
}

/// Carries operations out, in order, in one commit where they find room in one. Of what is refused
/// nothing stays.
pub fn all(asked: Vec<(Caller, Remember)>, pipe: &mut Pipe<'_>) -> Vec<Result<Told, PipeError>> {
    let count = asked.len();
    match try_all(asked, pipe) {
        Ok(done) => done,
        Err(error) => (0..count).map(|_| Err(error.clone())).collect(),
    }
}

fn try_all(
    asked: Vec<(Caller, Remember)>,
    pipe: &mut Pipe<'_>,
) -> Result<Vec<Result<Told, PipeError>>, PipeError> {
    for (caller, _) in asked.iter().filter(|(caller, _)| caller.session.is_some()) {
        pipe.introduce(caller)?;
    }
    let asked = asked.into_iter().map(|(_, Remember { asker, decide })| Asked {
        asker,
        operation: Box::new(|operation: &mut Operation<'_>| {
            let before = operation.through();
            let answered = decide(operation)?;
            let after = operation.through();
            let sequence = (after > before).then_some(after.0);
            Ok(answered.map(|told| told.at(sequence)))
        }),
    });
    let done = pipe.memory(|memory| memory.operate_many(asked.collect()))?;
    Ok(done.into_iter().map(|done| done?).collect())
}
