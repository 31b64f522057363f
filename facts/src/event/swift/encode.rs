//! Encoding field by field.

use crate::event::{
    Body, CallKey, Change, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionStarted,
    Json, Redaction,
};

/// Appends the event's payload; `false`, and nothing is, where the general way must.
pub fn encode(event: &Event, out: &mut Vec<u8>) -> bool {
    let mut to = To(out);
    match &event.body {
        Body::ExecutionStarted(body) => {
            to.envelope(&event.envelope);
            to.started(body);
        }
        Body::ExecutionFinished(body) => {
            to.envelope(&event.envelope);
            to.finished(body);
        }
        _ => return false,
    }
    true
}

/// Where it goes. Each struct is taken apart whole: a field that is added is not forgotten here.
struct To<'o>(&'o mut Vec<u8>);

impl To<'_> {
    fn envelope(&mut self, envelope: &Envelope) {
        let Envelope { session, source, at_ms, raw_at_ms, redactions, redactor_version } = envelope;
        self.option(session.as_ref(), |to, it| to.raw(&it.0));
        self.integer(*source as u64);
        self.integer(*at_ms);
        self.option(raw_at_ms.as_ref(), |to, it| to.integer(*it));
        self.list(redactions, |to, Redaction { rule, count }| {
            to.text(rule);
            to.integer((*count).into());
        });
        self.integer((*redactor_version).into());
    }

    fn started(&mut self, started: &ExecutionStarted) {
        let ExecutionStarted {
            execution,
            tool,
            native_tool,
            call,
            actor,
            parent,
            arguments: Json(arguments),
            paths,
            symbols,
            cwd,
            branch,
        } = started;
        self.raw(&execution.0);
        self.text(tool);
        self.maybe_text(native_tool.as_deref());
        self.option(call.as_ref(), |to, CallKey { agent, scope, call }| {
            to.text(agent);
            to.maybe_text(scope.as_deref());
            to.text(call);
        });
        self.maybe_text(actor.as_deref());
        self.option(parent.as_ref(), |to, it| to.raw(&it.0));
        self.text(arguments);
        self.texts(paths);
        self.texts(symbols);
        self.maybe_text(cwd.as_deref());
        self.maybe_text(branch.as_deref());
    }

    fn finished(&mut self, finished: &ExecutionFinished) {
        let ExecutionFinished { execution, tool, closing } = finished;
        self.raw(&execution.0);
        self.text(tool);
        let Closing {
            outcome,
            exit_code,
            duration_ms,
            error,
            stdout,
            stderr,
            diagnostics,
            paths,
            symbols,
            changed,
        } = closing;
        self.integer(*outcome as u64);
        // Zigzag: the sign is the lowest bit.
        self.option(exit_code.as_ref(), |to, it| {
            to.integer(((*it << 1) ^ (*it >> 31)).cast_unsigned().into());
        });
        self.option(duration_ms.as_ref(), |to, it| to.integer(*it));
        self.maybe_text(error.as_deref());
        self.option(stdout.as_ref(), Self::content);
        self.option(stderr.as_ref(), Self::content);
        self.maybe_text(diagnostics.as_ref().map(|it| it.0.as_str()));
        self.texts(paths);
        self.texts(symbols);
        self.list(changed, |to, Change { path, created }| {
            to.text(path);
            to.0.push((*created).into());
        });
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Inline(bytes) => {
                self.0.push(0);
                self.bytes(bytes);
            }
            Content::Blob { hash, len } => {
                self.0.push(1);
                self.raw(hash);
                self.integer(*len);
            }
            Content::Truncated { head, tail, len } => {
                self.0.push(2);
                self.bytes(head);
                self.bytes(tail);
                self.integer(*len);
            }
            Content::Repeated { sequence, hash, len } => {
                self.0.push(3);
                self.integer(*sequence);
                self.raw(hash);
                self.integer(*len);
            }
        }
    }

    #[inline]
    fn option<T>(&mut self, some: Option<&T>, put: impl FnOnce(&mut Self, &T)) {
        self.0.push(some.is_some().into());
        if let Some(some) = some {
            put(self, some);
        }
    }

    #[inline]
    fn list<T>(&mut self, all: &[T], mut put: impl FnMut(&mut Self, &T)) {
        self.integer(all.len() as u64);
        for one in all {
            put(self, one);
        }
    }

    fn texts(&mut self, texts: &[String]) {
        self.list(texts, |to, it| to.text(it));
    }

    fn maybe_text(&mut self, text: Option<&str>) {
        self.0.push(text.is_some().into());
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.integer(bytes.len() as u64);
        self.raw(bytes);
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// One byte, or a mark and as few bytes as it takes.
    #[inline]
    fn integer(&mut self, value: u64) {
        match value {
            0..=250 => self.0.push(value as u8),
            251..=0xffff => {
                let [a, b] = (value as u16).to_le_bytes();
                self.raw(&[251, a, b]);
            }
            0x1_0000..=0xffff_ffff => {
                let [a, b, c, d] = (value as u32).to_le_bytes();
                self.raw(&[252, a, b, c, d]);
            }
            _ => {
                self.0.push(253);
                self.raw(&value.to_le_bytes());
            }
        }
    }
}
