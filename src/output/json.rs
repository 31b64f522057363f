//! A document as JSON text, on one line or indented: by one serializer for both, since each is made anew for
//! every type that is shown.

#[cfg(test)]
mod tests;

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

/// How a document is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Line,
    Indented,
}

pub fn text<T: Serialize + ?Sized>(value: &T, layout: Layout) -> serde_json::Result<String> {
    let mut bytes = Vec::with_capacity(128);
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, layout.shape()));
    whole(bytes, written)
}

fn whole(bytes: Vec<u8>, written: serde_json::Result<()>) -> serde_json::Result<String> {
    written?;
    // serde_json writes nothing but UTF-8.
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

impl Layout {
    fn shape(self) -> Shape {
        match self {
            Self::Line => Shape::Line(CompactFormatter),
            Self::Indented => Shape::Indented(PrettyFormatter::new()),
        }
    }
}

enum Shape {
    Line(CompactFormatter),
    Indented(PrettyFormatter<'static>),
}

/// What the two do differently.
macro_rules! either {
    ($($does:ident($($given:ident: $ty:ty)?);)*) => {$(
        fn $does<W: ?Sized + Write>(&mut self, out: &mut W $(, $given: $ty)?) -> Result<()> {
            match self {
                Self::Line(line) => line.$does(out $(, $given)?),
                Self::Indented(indented) => indented.$does(out $(, $given)?),
            }
        }
    )*};
}

impl Formatter for Shape {
    either! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }
}
