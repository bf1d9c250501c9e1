//! Positions with known answers in text files, one case per line:
//!
//! ```text
//! # a comment
//! connect(width=7, height=6, row=4) ;; start ;; 7 49 343
//! ```

/// One line of a file of cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Line number, from 1.
    pub line: usize,
    /// The game's spec.
    pub spec: String,
    /// The position; `None` for the start.
    pub position: Option<String>,
    /// The words of the expected answer.
    pub answer: Vec<String>,
}

/// Reads a file of cases.
///
/// # Panics
/// If a line does not have three parts.
#[must_use]
pub fn cases(text: &str) -> Vec<Case> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let parts: Vec<&str> = line.split(";;").map(str::trim).collect();
            let [spec, position, answer] = parts[..] else {
                panic!("line {}: expected three parts separated by `;;`, found {line:?}", number + 1)
            };
            Case {
                line: number + 1,
                spec: spec.to_owned(),
                position: (position != "start").then(|| position.to_owned()),
                answer: answer.split_whitespace().map(str::to_owned).collect(),
            }
        })
        .collect()
}
