//! Sheets as Parquet: one file, plain pages, nothing compressed, so that every reader can read it.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parlor_core::files::write_atomically_with;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::{Column, Data, Kind, Sheet, SheetError};

/// How many rows stand together in the file. A reader holds about this much at a time.
const GROUP: usize = 1 << 20;

impl Sheet {
    /// Writes all rows as a Parquet file, which is either there as a whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_parquet(&self, path: &Path) -> Result<(), SheetError> {
        write_atomically_with(path, |file| self.write_rows(file))
            .map_err(|cause: ParquetError| SheetError::Parquet { path: path.to_owned(), cause: cause.into() })
    }

    fn write_rows(&self, file: &File) -> Result<(), ParquetError> {
        let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED).build();
        let mut writer = SerializedFileWriter::new(file, self.schema()?, Arc::new(properties))?;
        for first in (0..self.rows).step_by(GROUP) {
            let rows = first..self.rows.min(first + GROUP);
            let mut group = writer.next_row_group()?;
            for (data, column) in self.data.iter().zip(&self.columns) {
                let mut target = group.next_column()?.expect("the schema has every column");
                let optional = column.optional;
                match data {
                    Data::Text(cells) => {
                        let texts = cells[rows.clone()].iter().map(Option::as_deref);
                        write::<ByteArrayType, _>(&mut target, texts, optional, ByteArray::from)?;
                    }
                    // The schema says that these bits have no sign.
                    Data::Whole(cells) => {
                        let numbers = cells[rows.clone()].iter().copied();
                        write::<Int64Type, _>(&mut target, numbers, optional, u64::cast_signed)?;
                    }
                    Data::Signed(cells) => {
                        let numbers = cells[rows.clone()].iter().copied();
                        write::<Int64Type, _>(&mut target, numbers, optional, |number| number)?;
                    }
                    Data::Real(cells) => {
                        let numbers = cells[rows.clone()].iter().copied();
                        write::<DoubleType, _>(&mut target, numbers, optional, |number| number)?;
                    }
                }
                target.close()?;
            }
            group.close()?;
        }
        writer.close()?;
        Ok(())
    }

    fn schema(&self) -> Result<TypePtr, ParquetError> {
        let fields = self.columns.iter().map(field).collect::<Result<_, _>>()?;
        Ok(Arc::new(Type::group_type_builder("sheet").with_fields(fields).build()?))
    }
}

fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Whole => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Kind::Signed => (Physical::INT64, Some(LogicalType::integer(64, true))),
        Kind::Real => (Physical::DOUBLE, None),
    };
    let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()?;
    Ok(Arc::new(field))
}

/// Writes the cells of one column: values that are there, and for optional columns a level (1 or 0) for every cell.
fn write<T: DataType, C>(
    column: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = Option<C>>,
    optional: bool,
    value: impl Fn(C) -> T::T,
) -> Result<(), ParquetError> {
    let mut levels = Vec::new();
    let mut values = Vec::new();
    for cell in cells {
        levels.push(i16::from(cell.is_some()));
        values.extend(cell.map(&value));
    }
    column.typed::<T>().write_batch(&values, optional.then_some(&levels[..]), None)?;
    Ok(())
}
