//! One day of a table as a Parquet file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{
    Compression, ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel,
};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::error::{ExportError, Result};
use crate::event::wire::hex_text;
use crate::store::sql::exported::{COMMON, Exported, Form};
use crate::store::sql::{TakeRows, Value};

/// Rows of a group, and the bytes of its texts: what is held of a file before it is written.
const GROUP_ROWS: usize = 64 << 10;
const GROUP_BYTES: usize = 16 << 20;
const ZSTD_LEVEL: i32 = 3;

/// Takes a day's rows and writes them.
pub struct Partition<'p> {
    writer: SerializedFileWriter<File>,
    path: &'p Path,
    journal: ByteArray,
    columns: Vec<Held>,
    bytes: usize,
    pub rows: i64,
}

/// Values of a column that are not null, and which rows have one.
struct Held {
    values: Values,
    levels: Vec<i16>,
}

enum Values {
    Text(Vec<ByteArray>),
    Long(Vec<i64>),
    Int(Vec<i32>),
}

impl Held {
    fn of(form: Form) -> Self {
        let values = match form {
            Form::Text | Form::Json => Values::Text(Vec::new()),
            Form::Integer | Form::Time => Values::Long(Vec::new()),
            Form::Flag => Values::Int(Vec::new()),
        };
        Self { values, levels: Vec::new() }
    }

    fn len(&self) -> usize {
        self.levels.len()
    }

    /// Takes a value; one of another type than the column's is null. Gives its bytes.
    fn take(&mut self, value: Value<'_>) -> usize {
        let taken = match (&mut self.values, value) {
            (Values::Text(values), value) => text(value).map(|text| {
                let bytes = text.len();
                values.push(ByteArray::from(text));
                bytes
            }),
            (Values::Long(values), Value::Integer(number)) => {
                values.push(number);
                Some(8)
            }
            (Values::Int(values), Value::Integer(number)) => {
                values.push(i32::from(number != 0));
                Some(4)
            }
            _ => None,
        };
        self.levels.push(i16::from(taken.is_some()));
        taken.unwrap_or(0)
    }

    fn write(&mut self, to: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(self.levels.as_slice());
        match (&mut self.values, to) {
            (Values::Text(values), ColumnWriter::ByteArrayColumnWriter(to)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Long(values), ColumnWriter::Int64ColumnWriter(to)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Int(values), ColumnWriter::Int32ColumnWriter(to)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            _ => return Err(ParquetError::General("a column of another type".to_owned())),
        }
        self.levels.clear();
        Ok(())
    }
}

fn text(value: Value<'_>) -> Option<Vec<u8>> {
    match value {
        Value::Null => None,
        Value::Integer(number) => Some(number.to_string().into_bytes()),
        Value::Real(number) => Some(number.to_string().into_bytes()),
        Value::Text(text) => Some(match std::str::from_utf8(text) {
            Ok(text) => text.as_bytes().to_vec(),
            Err(_) => String::from_utf8_lossy(text).into_owned().into_bytes(),
        }),
        Value::Blob(bytes) => Some(hex_text(bytes).into_bytes()),
    }
}

/// The columns of a table's files: name, form and what it is. The machine and the day stand in the folders' names.
fn columns(table: &Exported) -> Vec<(String, Form, &'static str)> {
    let common = COMMON.iter().filter(|(name, _)| ["journal", "week"].contains(name));
    let common = common.map(|(name, about)| ((*name).to_owned(), Form::Text, *about));
    common.chain(table.columns.iter().map(|it| (it.plain_name(), it.form, it.about))).collect()
}

fn schema(table: &Exported) -> Result<TypePtr, ParquetError> {
    let field = |(name, form, _): (String, Form, _)| {
        let (physical, text) = match form {
            Form::Text | Form::Json => (Physical::BYTE_ARRAY, true),
            Form::Integer | Form::Time => (Physical::INT64, false),
            Form::Flag => (Physical::INT32, false),
        };
        let mut field =
            Type::primitive_type_builder(&name, physical).with_repetition(Repetition::OPTIONAL);
        if text {
            field = field
                .with_logical_type(Some(LogicalType::String))
                .with_converted_type(ConvertedType::UTF8);
        }
        field.build().map(Arc::new)
    };
    let fields = columns(table).into_iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder(table.name).with_fields(fields).build().map(Arc::new)
}

/// What a file says of itself; the last also as Spark reads comments.
fn about(table: &Exported) -> Vec<KeyValue> {
    let columns = columns(table);
    let comments: serde_json::Map<String, serde_json::Value> =
        columns.iter().map(|(name, _, about)| (name.clone(), (*about).into())).collect();
    let field = |(name, form, about): &(String, Form, &str)| {
        let kind = match form {
            Form::Text | Form::Json => "string",
            Form::Integer | Form::Time => "long",
            Form::Flag => "integer",
        };
        serde_json::json!({"name": name, "type": kind, "nullable": true, "metadata": {"comment": about}})
    };
    let fields: Vec<_> = columns.iter().map(field).collect();
    let spark = serde_json::json!({"type": "struct", "fields": fields}).to_string();
    let pair = |key: &str, value: String| KeyValue { key: key.to_owned(), value: Some(value) };
    vec![
        pair("annals.table", table.name.to_owned()),
        pair("annals.about", table.about.to_owned()),
        pair("annals.columns", serde_json::Value::from(comments).to_string()),
        pair("org.apache.spark.sql.parquet.row.metadata", spark),
    ]
}

impl<'p> Partition<'p> {
    pub fn begin(table: &Exported, journal: &str, file: File, path: &'p Path) -> Result<Self> {
        let failed = |source| ExportError::Parquet { path: path.to_owned(), source };
        let level = ZstdLevel::try_new(ZSTD_LEVEL).map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_created_by(format!("annals {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(about(table)))
            .build();
        let schema = schema(table).map_err(failed)?;
        let writer =
            SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(failed)?;
        let columns = columns(table).iter().map(|(_, form, _)| Held::of(*form)).collect();
        Ok(Self { writer, path, journal: ByteArray::from(journal), columns, bytes: 0, rows: 0 })
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.columns.first().is_none_or(|it| it.len() == 0) {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for held in &mut self.columns {
            let column = group.next_column()?;
            let mut column =
                column.ok_or_else(|| ParquetError::General("a column too many".to_owned()))?;
            held.write(column.untyped())?;
            column.close()?;
        }
        group.close()?;
        self.bytes = 0;
        Ok(())
    }

    pub fn end(mut self) -> Result<i64> {
        let ended = self.flush().and_then(|()| self.writer.close());
        ended.map_err(|source| ExportError::Parquet { path: self.path.to_owned(), source })?;
        Ok(self.rows)
    }
}

impl TakeRows for Partition<'_> {
    type Error = ExportError;

    fn begin(&mut self, _: &[String]) -> Result<()> {
        Ok(())
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<bool> {
        let [journal, own @ ..] = self.columns.as_mut_slice() else { return Ok(false) };
        if let Values::Text(values) = &mut journal.values {
            values.push(self.journal.clone());
            journal.levels.push(1);
        }
        self.bytes +=
            own.iter_mut().zip(values).map(|(column, value)| column.take(*value)).sum::<usize>();
        self.rows += 1;
        if self.bytes >= GROUP_BYTES
            || self.columns.first().is_some_and(|it| it.len() >= GROUP_ROWS)
        {
            let flushed = self.flush();
            flushed
                .map_err(|source| ExportError::Parquet { path: self.path.to_owned(), source })?;
        }
        Ok(true)
    }
}
