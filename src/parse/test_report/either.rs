//! A runner that prints everything on one stream, whichever that is.

use super::OutputStream;
use super::output::RunnerOutput;
use super::parsed::Parsed;

/// A runner that prints everything on one stream, whichever that is: what comes on the other one is not
/// its own. Two parsers, and the one that understands is believed.
#[derive(Debug, Default)]
pub struct Either<P> {
    streams: [P; 2],
}

impl<P: RunnerOutput> RunnerOutput for Either<P> {
    fn line(&mut self, from: OutputStream, line: &str) {
        self.streams[usize::from(from == OutputStream::Stderr)].line(from, line);
    }

    fn finish(self: Box<Self>) -> Parsed {
        let [out, err] = self.streams.map(|it| Box::new(it).finish());
        let is_better = !out.is_understood || err.weight() > out.weight();
        if err.is_understood && is_better { err } else { out }
    }
}
