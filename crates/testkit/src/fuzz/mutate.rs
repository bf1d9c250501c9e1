//! Changes to valid inputs: bytes, characters, numbers, words, lines, and the values of JSON.

use parlor_core::Rng;
use serde_json::{Map, Number, Value};

/// Numbers at which readers go wrong.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "007",
    "+1",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0.5",
    "-0.0",
    "1e9",
    "1e308",
    "1e999",
    "-1e-999",
    "nan",
    "inf",
    "0x10",
    "1_000",
    "٣",
];

/// Pieces of text at which readers go wrong.
const PIECES: &[&str] = &[
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\0",
    "\u{1b}[31m",
    "\u{9b}2J",
    "\u{202e}",
    "\u{feff}",
    "\u{2028}",
    "😀",
    "é",
    "e\u{301}",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "`",
    "\\",
    "\\\"",
    ",",
    ";",
    ":",
    "=",
    "-",
    "/",
    "|",
    ".",
    "..",
    "@",
    "#",
    "?",
    "*",
    "%",
    "+",
    "x",
    "<",
    ">",
    "&",
    "null",
    "true",
    "none",
    "self",
    "any",
    "../..",
    "\\u0000",
    "\\ud800",
];

/// Bytes at which readers of binary files go wrong.
const BYTES: &[u8] =
    &[0, 1, 2, 0x7F, 0x80, 0x81, 0xFE, 0xFF, b'0', b'9', b'\n', b' ', b'-', b'"', b'(', b')'];

/// Longer inputs are cut: readers have limits of their own, which tests of theirs check.
const LONGEST: usize = 1 << 16;

/// Returns a corpus entry with one to six changes.
pub fn mutated(corpus: &[Vec<u8>], words: &[String], rng: &mut Rng) -> Vec<u8> {
    let mut input = rng.choose(corpus).clone();
    if rng.below(4) == 0 {
        change_json(&mut input, rng);
    }
    let mut changes = 1;
    while changes < 6 && rng.below(2) == 0 {
        changes += 1;
    }
    for _ in 0..changes {
        change(&mut input, corpus, words, rng);
        input.truncate(LONGEST);
    }
    input
}

/// Returns a place in `0..=length`.
fn place(length: usize, rng: &mut Rng) -> usize {
    rng.below(length as u32 + 1) as usize
}

/// Returns a piece of `bytes`: mostly short.
fn range(bytes: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let from = place(bytes.len(), rng);
    let most = if rng.below(4) == 0 { bytes.len() } else { 16 };
    from..(from + place(most, rng)).min(bytes.len())
}

/// Returns the maximal runs of bytes that `belongs` accepts.
fn runs(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut from = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match (belongs(byte), from) {
            (true, None) => from = Some(at),
            (false, Some(begin)) => {
                found.push(begin..at);
                from = None;
            }
            _ => {}
        }
    }
    found.extend(from.map(|begin| begin..bytes.len()));
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || byte >= 0x80
}

fn change(input: &mut Vec<u8>, corpus: &[Vec<u8>], words: &[String], rng: &mut Rng) {
    let at = place(input.len(), rng);
    match rng.below(16) {
        0 if at < input.len() => input[at] ^= 1 << rng.below(8),
        1 if at < input.len() => input[at] = *rng.choose(BYTES),
        2 => drop(input.splice(at..at, rng.choose(PIECES).bytes())),
        3 => drop(input.drain(range(input, rng))),
        4 => {
            let piece = input[range(input, rng)].to_vec();
            input.splice(at..at, piece);
        }
        5 => input.truncate(at),
        6 => {
            let other = rng.choose(corpus);
            let piece = other[range(other, rng)].to_vec();
            input.splice(at..at, piece);
        }
        // The beginning of one and the end of another.
        7 => {
            let other = rng.choose(corpus);
            let from = place(other.len(), rng);
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        }
        8 | 9 => replace(
            input,
            |byte| byte.is_ascii_digit() || byte == b'.',
            rng,
            |rng| rng.choose(NUMBERS).as_bytes().to_vec(),
        ),
        10 if !words.is_empty() => replace(input, is_word, rng, |rng| rng.choose(words).as_bytes().to_vec()),
        // A word moves to the place of another.
        11 => {
            let found = runs(input, is_word);
            if !found.is_empty() {
                let word = input[rng.choose(&found).clone()].to_vec();
                input.splice(rng.choose(&found).clone(), word);
            }
        }
        12 => change_line(input, rng),
        // Nested deeply, or repeated often.
        13 => {
            let piece = rng.choose(&["(", "[", "{\"a\":", "a(", "\"", "a=", "9", "[[", "-", "((("]);
            let count = 1 << rng.below(12);
            input.splice(at..at, piece.repeat(count).into_bytes());
        }
        // Four bytes as a number.
        14 if at + 4 <= input.len() => {
            let number = *rng.choose(&[0_u32, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x0100_0000, 0xFFFF]);
            input[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        _ => input.insert(at, rng.bits() as u8),
    }
}

fn replace(
    input: &mut Vec<u8>,
    belongs: impl Fn(u8) -> bool,
    rng: &mut Rng,
    by: impl Fn(&mut Rng) -> Vec<u8>,
) {
    let found = runs(input, belongs);
    if !found.is_empty() {
        let run = rng.choose(&found).clone();
        input.splice(run, by(rng));
    }
}

/// Removes, doubles or moves a line.
fn change_line(input: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = input.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let [one, two] = [(); 2].map(|()| rng.below(lines.len() as u32) as usize);
    match rng.below(3) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(two, lines[one].clone()),
        _ => lines.swap(one, two),
    }
    *input = lines.join(&b'\n');
}

/// Changes a value of a line that is JSON, if there is one.
fn change_json(input: &mut Vec<u8>, rng: &mut Rng) {
    let lines = runs(input, |byte| byte != b'\n');
    let objects: Vec<_> = lines.into_iter().filter(|line| input[line.clone()].contains(&b'{')).collect();
    if objects.is_empty() {
        return;
    }
    let line = rng.choose(&objects).clone();
    // A protocol line has a word before its JSON.
    let begin = line.start + input[line.clone()].iter().position(|&byte| byte == b'{').unwrap_or(0);
    let Ok(mut value) = serde_json::from_slice::<Value>(&input[begin..line.end]) else { return };
    change_value(&mut value, rng);
    input.splice(begin..line.end, value.to_string().into_bytes());
}

/// Changes one value inside another.
fn change_value(value: &mut Value, rng: &mut Rng) {
    let deeper = rng.below(5) > 0;
    match value {
        Value::Object(map) if deeper && !map.is_empty() => change_object(map, rng),
        Value::Array(items) if deeper && !items.is_empty() => {
            let at = rng.below(items.len() as u32) as usize;
            match rng.below(8) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[at].clone()),
                _ => change_value(&mut items[at], rng),
            }
        }
        Value::String(text) if deeper => {
            let mut bytes = std::mem::take(text).into_bytes();
            let corpus = [bytes.clone()];
            change(&mut bytes, &corpus, &[], rng);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        value => *value = any_value(rng),
    }
}

fn change_object(map: &mut Map<String, Value>, rng: &mut Rng) {
    let at = rng.below(map.len() as u32) as usize;
    let key = map.keys().nth(at).cloned().unwrap_or_default();
    match rng.below(10) {
        0 => drop(map.remove(&key)),
        1 => drop(map.insert(format!("{key}{}", rng.choose(PIECES)), any_value(rng))),
        _ => map.values_mut().nth(at).into_iter().for_each(|value| change_value(value, rng)),
    }
}

fn any_value(rng: &mut Rng) -> Value {
    match rng.below(7) {
        0 => Value::Null,
        1 => Value::Bool(rng.below(2) == 0),
        2 => Value::String((*rng.choose(PIECES)).to_owned()),
        3 => Value::Array(Vec::new()),
        4 => Value::Object(Map::new()),
        5 => Number::from_f64(*rng.choose(&[0.5, -1.0, 1e300, 1e-300])).map_or(Value::Null, Value::Number),
        _ => Value::from(*rng.choose(&[0, 1, 2, 255, 256, u64::MAX, 1 << 32, 1 << 53])),
    }
}
