//! A row as a JSON object, its members in the order of the columns.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Cell, hex};

/// A row: names and cells, in order.
#[derive(Debug)]
pub struct JsonRow<'a> {
    pub names: &'a [String],
    pub cells: &'a [Cell<'a>],
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (name, cell) in self.names.iter().zip(self.cells) {
            map.serialize_key(name)?;
            match cell {
                Cell::Null => map.serialize_value(&())?,
                Cell::Bool(value) => map.serialize_value(value)?,
                Cell::Integer(number) => map.serialize_value(number)?,
                // JSON has no infinity: as its text.
                Cell::Real(number) if !number.is_finite() => map.serialize_value(&cell.text())?,
                Cell::Real(number) => map.serialize_value(number)?,
                Cell::Text(text) => map.serialize_value(text)?,
                Cell::Blob(bytes) => map.serialize_value(&hex(bytes))?,
                Cell::Json(value) => map.serialize_value(value.as_ref())?,
            }
        }
        map.end()
    }
}

/// The names, none twice: a repeated one gets a number.
pub fn distinct(names: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let mut own = name.clone();
        let mut number = 2;
        while found.contains(&own) {
            own = format!("{name}_{number}");
            number += 1;
        }
        found.push(own);
    }
    found
}
