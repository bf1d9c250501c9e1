//! Sheets go out and come back as they were.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use parlor_lab::sheet::{Cell, Column, Kind, Sheet, SheetError};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

fn columns() -> Vec<Column> {
    vec![
        Column::new("name, quoted", Kind::Text),
        Column::new("note", Kind::Text).optional(),
        Column::new("seed", Kind::Whole),
        Column::new("margin", Kind::Signed).optional(),
        Column::new("rate", Kind::Real),
        Column::new("low", Kind::Real).optional(),
    ]
}

const TEXTS: &[&str] =
    &["plain", "", "a,b", "say \"no\"", "two\nlines", "\r\n", " edge ", "\"", "größer ± ◇", ",\",\n", "NaN"];

/// Returns rows with everything that is hard to write down.
fn hard() -> Sheet {
    let reals = [
        0.1,
        1.0 / 3.0,
        -0.0,
        5e-324,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e23,
        (1u64 << 53) as f64 + 2.0,
    ];
    let mut sheet = Sheet::new(columns()).unwrap();
    for (row, (text, real)) in TEXTS.iter().zip(reals).enumerate() {
        let seed = [0, u64::MAX, 1 << 63, 42][row % 4];
        let margin = [Some(i64::MIN), None, Some(i64::MAX), Some(-1)][row % 4];
        let note = (row % 3 > 0).then_some(*text);
        let low = (row % 2 > 0).then_some(-real);
        sheet
            .push([Cell::from(*text), note.into(), seed.into(), margin.into(), real.into(), low.into()])
            .unwrap();
    }
    sheet
}

fn bits(cells: Option<&[Option<f64>]>) -> Vec<Option<u64>> {
    cells.unwrap().iter().map(|cell| cell.map(f64::to_bits)).collect()
}

fn assert_same(left: &Sheet, right: &Sheet) {
    assert_eq!((left.columns(), left.rows()), (right.columns(), right.rows()));
    for name in ["name, quoted", "note"] {
        assert_eq!(left.texts(name).unwrap(), right.texts(name).unwrap());
    }
    assert_eq!(left.wholes("seed").unwrap(), right.wholes("seed").unwrap());
    assert_eq!(left.signeds("margin").unwrap(), right.signeds("margin").unwrap());
    for name in ["rate", "low"] {
        assert_eq!(bits(left.reals(name)), bits(right.reals(name)));
    }
}

fn content(file: &mut File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn csv_comes_back_bit_by_bit() {
    let sheet = hard();
    let mut file = tempfile::tempfile().unwrap();
    sheet.append_csv(&mut file, 0).unwrap();
    assert_same(&sheet, &Sheet::read_csv(&content(&mut file), columns()).unwrap());
    assert_same(&sheet, &Sheet::resume_csv(&mut file, columns()).unwrap());
}

#[test]
fn csv_looks_as_people_expect() {
    let mut sheet = Sheet::new(columns()).unwrap();
    sheet.push(["a b".into(), "".into(), 7u64.into(), (-3i64).into(), 1.0.into(), 0.1.into()]).unwrap();
    sheet
        .push(["x,y".into(), Cell::Missing, 8u64.into(), Cell::Missing, 1e300.into(), Cell::Missing])
        .unwrap();
    let mut file = tempfile::tempfile().unwrap();
    sheet.append_csv(&mut file, 0).unwrap();
    let text = String::from_utf8(content(&mut file)).unwrap();
    let expected = "\"name, quoted\",note,seed,margin,rate,low\na b,\"\",7,-3,1.0,0.1\n\"x,y\",,8,,1e300,\n";
    assert_eq!(text, expected);
    let windows = text.replace('\n', "\r\n");
    assert_same(&sheet, &Sheet::read_csv(windows.as_bytes(), columns()).unwrap());
}

#[test]
fn rows_are_appended_under_one_line_of_names() {
    let sheet = hard();
    let mut whole = tempfile::tempfile().unwrap();
    sheet.append_csv(&mut whole, 0).unwrap();
    let mut file = tempfile::tempfile().unwrap();
    let mut growing = Sheet::new(columns()).unwrap();
    growing.append_csv(&mut file, 0).unwrap();
    let copy = Sheet::read_csv(&content(&mut whole), columns()).unwrap();
    for row in 0..copy.rows() {
        growing
            .push([
                copy.texts("name, quoted").unwrap()[row].as_deref().into(),
                copy.texts("note").unwrap()[row].as_deref().into(),
                copy.wholes("seed").unwrap()[row].into(),
                copy.signeds("margin").unwrap()[row].into(),
                copy.reals("rate").unwrap()[row].into(),
                copy.reals("low").unwrap()[row].into(),
            ])
            .unwrap();
        growing.append_csv(&mut file, row).unwrap();
    }
    assert_eq!(content(&mut file), content(&mut whole));
}

/// Wherever a run is killed, resuming it ends with the bytes of a run that was not.
#[test]
fn a_file_cut_anywhere_resumes_to_the_same_bytes() {
    let sheet = hard();
    let mut file = tempfile::tempfile().unwrap();
    sheet.append_csv(&mut file, 0).unwrap();
    let whole = content(&mut file);
    let mut seen = Vec::new();
    for length in 0..=whole.len() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&whole[..length]).unwrap();
        let known = Sheet::resume_csv(&mut file, columns()).unwrap();
        sheet.append_csv(&mut file, known.rows()).unwrap();
        assert_eq!(content(&mut file), whole, "cut after {length} bytes");
        seen.push(known.rows());
    }
    assert!(seen.is_sorted() && seen[0] == 0 && seen[whole.len()] == sheet.rows());
    assert_eq!(seen[whole.len() - 1], sheet.rows() - 1, "a line without its end may be torn");
}

#[test]
fn files_that_do_not_fit_get_a_sentence_and_stay_as_they_are() {
    let columns = || vec![Column::new("a", Kind::Whole), Column::new("b", Kind::Text).optional()];
    for (text, complaint) in [
        ("x,y\n1,2\n", "the first line is `x,y`, but these columns are written as `a,b`"),
        ("secret", "the first line is `secret`, but these columns are written as `a,b`"),
        ("a,b\n1,x\n-2,y\n", "line 3: `a` takes a whole number from 0 on, not `-2`"),
        ("a,b\n1,\"two\nlines\"\n,y\n", "line 4: `a` takes a whole number from 0 on, not nothing"),
        ("a,b\n1\n", "line 2: the row has 1 cells, but there are 2 columns"),
        ("a,b\n1,2,3\n", "line 2: the row has 3 cells, but there are 2 columns"),
        ("a,b\n1,x\"y\n", "line 2: a quote"),
        ("a,b\n1,\"x\"y\n", "line 2: a quote"),
        ("a,b\n1,x\ry\n", "line 2: a quote or a line break"),
    ] {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let error = Sheet::resume_csv(&mut file, columns()).unwrap_err().to_string();
        assert!(error.starts_with(complaint), "{text:?}: {error}");
        assert_eq!(content(&mut file), text.as_bytes());
    }
    let error = Sheet::read_csv(b"a,b\n1,\xff\n", columns()).unwrap_err();
    assert!(matches!(error, SheetError::Csv { line: 2, .. }));
}

/// Returns a Parquet file as a sheet.
fn read_parquet(path: &Path) -> Sheet {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let mut sheet = Sheet::new(columns()).unwrap();
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        sheet
            .push(row.get_column_iter().map(|(_, field)| match field {
                Field::Str(text) => Cell::from(text.clone()),
                Field::ULong(number) => Cell::from(*number),
                Field::Long(number) => Cell::from(*number),
                Field::Double(number) => Cell::from(*number),
                Field::Null => Cell::Missing,
                other => panic!("no sheet writes {other:?}"),
            }))
            .unwrap();
    }
    sheet
}

#[test]
fn parquet_comes_back_bit_by_bit_and_always_as_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let sheet = hard();
    fs::write(&path, "an older file").unwrap();
    sheet.write_parquet(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    sheet.write_parquet(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    assert_same(&sheet, &read_parquet(&path));

    let empty = Sheet::new(columns()).unwrap();
    empty.write_parquet(&path).unwrap();
    assert_same(&empty, &read_parquet(&path));
}

/// Many distinct texts, and cells that are missing here and there, all the time, and never.
#[test]
fn long_parquet_columns_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    for distinct in [1, 2, 3, 255, 256, 257, 3_000] {
        let columns = ["always", "sometimes", "never"].map(|name| Column::new(name, Kind::Text).optional());
        let mut sheet = Sheet::new(columns.to_vec()).unwrap();
        for row in 0..3_001_usize {
            let text = (row % distinct).to_string();
            let sometimes = (row % 7 > 0 && row % 11 > 0).then(|| text.clone());
            sheet.push([Cell::from(text), Cell::from(sometimes), Cell::Missing]).unwrap();
        }
        sheet.write_parquet(&path).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let mut rows = 0;
        for (number, row) in reader.get_row_iter(None).unwrap().enumerate() {
            let row = row.unwrap();
            let cells: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
            let text = Field::Str((number % distinct).to_string());
            let there = number % 7 > 0 && number % 11 > 0;
            assert_eq!(
                cells,
                [&text, if there { &text } else { &Field::Null }, &Field::Null],
                "row {number}"
            );
            rows += 1;
        }
        assert_eq!(rows, 3_001);
    }
}

#[test]
fn a_failed_parquet_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let error = hard().write_parquet(&folder.path().join("missing/rows.parquet")).unwrap_err();
    assert!(matches!(error, SheetError::Parquet { .. }), "{error}");
    let taken = folder.path().join("taken");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("inside"), "").unwrap();
    hard().write_parquet(&taken).unwrap_err();
    assert!(taken.join("inside").exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
}
