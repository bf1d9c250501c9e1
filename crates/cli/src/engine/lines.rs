//! Lines from a pipe whose other end may say anything.

use std::io::{self, BufRead};

/// No message is longer. What is beyond it is dropped up to the next newline.
const LONGEST: usize = 1 << 20;

/// The lines of a reader: without newlines, never longer than a bound, always text.
pub struct Lines<R> {
    reader: R,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R) -> Self {
        Lines { reader }
    }

    /// Returns the next line; `None` at the end. Bytes that are not UTF-8 become `\u{FFFD}`.
    pub fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let mut any = false;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            line.extend_from_slice(&part[..part.len().min(LONGEST - line.len())]);
            let taken = part.len() + usize::from(end.is_some());
            self.reader.consume(taken);
            if end.is_some() {
                break;
            }
        }
        Ok(any.then(|| String::from_utf8_lossy(&line).trim_end().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(io::BufReader::with_capacity(7, bytes));
        std::iter::from_fn(|| lines.next().expect("memory can be read")).collect()
    }

    #[test]
    fn lines_of_every_sort() {
        assert_eq!(all(b""), [""; 0]);
        assert_eq!(
            all(b"one line\r\n\nand a long one without an end"),
            ["one line", "", "and a long one without an end"]
        );
        assert_eq!(all(b"\xff\xfe\nok\n"), ["\u{FFFD}\u{FFFD}", "ok"]);
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let mut bytes = vec![b'x'; 3 * LONGEST];
        bytes.extend_from_slice(b"\nok\n");
        let lines = all(&bytes);
        assert_eq!((lines[0].len(), lines[1].as_str(), lines.len()), (LONGEST, "ok", 2));
    }
}
