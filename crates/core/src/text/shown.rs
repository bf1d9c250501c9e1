//! Text from outside, made fit to be shown: names of engines, names of files, lines of files and protocols.

/// Returns text cut to `longest` characters, with control characters and others that change how the rest is shown written as
/// `\u{…}`. Terminal escape sequences become harmless, and a line stays a line.
///
/// ```
/// use parlor_core::text::shown::shown;
/// assert_eq!(shown("\u{1b}[31mred", 80), "\\u{1b}[31mred");
/// assert_eq!(shown("a long name", 6), "a long…");
/// ```
#[must_use]
pub fn shown(text: &str, longest: usize) -> String {
    cut_and_mapped(text, longest, push)
}

/// Returns whole text with its control characters escaped as [`shown`] does; line breaks stay.
#[must_use]
pub fn without_controls(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' { shown.push(c) } else { push(c, &mut shown) }
    }
    shown
}

/// Returns text cut to `longest` characters, each written by `push`.
pub(crate) fn cut_and_mapped(text: &str, longest: usize, push: impl Fn(char, &mut String)) -> String {
    let mut shown = String::new();
    let mut chars = text.chars();
    chars.by_ref().take(longest).for_each(|c| push(c, &mut shown));
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

fn push(c: char, shown: &mut String) {
    if is_unsafe(c) {
        shown.extend(c.escape_unicode());
    } else {
        shown.push(c);
    }
}

/// Returns whether a character is not shown as itself: controls of both ranges (U+009B begins a terminal sequence), line and
/// paragraph separators, and marks that turn the direction of the text around them.
#[must_use]
pub const fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_stays_and_controls_are_escaped() {
        for plain in ["", "mcts(sims=400)", "Zoë's \"engine\" \\ 2", "♠ 象 …"] {
            assert_eq!(shown(plain, 100), plain);
            assert_eq!(without_controls(plain), plain);
        }
        assert_eq!(shown("a\nb\tc\r\u{7f}\u{9b}1m", 100), "a\\u{a}b\\u{9}c\\u{d}\\u{7f}\\u{9b}1m");
        assert_eq!(shown("\u{202e}gnp.exe", 100), "\\u{202e}gnp.exe");
        assert_eq!(without_controls("one\ntwo\u{1b}[2J"), "one\ntwo\\u{1b}[2J");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shown("abcdef", 6), "abcdef");
        assert_eq!(shown("abcdefg", 6), "abcdef…");
        assert_eq!(shown(&"\u{1b}".repeat(9), 2), "\\u{1b}\\u{1b}…");
    }
}
