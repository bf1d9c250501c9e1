//! "Did you mean …?"

/// Returns the known word that `typed` most likely stands for, if any is close enough.
#[must_use]
pub fn closest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    known
        .into_iter()
        .filter_map(|word| {
            let distance = edits(&typed, word);
            let limit = 1 + word.chars().count() / 3;
            let starts = typed.len() >= 2 && word.starts_with(&typed);
            (distance <= limit || starts).then_some((distance, word))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, word)| word)
}

/// Returns how many single letters must be inserted, removed, replaced or swapped with their neighbour
/// (Damerau–Levenshtein in the restricted form).
fn edits(a: &str, b: &str) -> usize {
    // Nonsense can be very long; two names that differ this much are not meant for each other.
    const LONGEST: usize = 64;
    let a: Vec<char> = a.chars().take(LONGEST).collect();
    let b: Vec<char> = b.chars().take(LONGEST).collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["connect", "checkers", "dominoes", "darkchess"];

    #[test]
    fn finds_what_was_meant() {
        assert_eq!(closest("conect", NAMES), Some("connect"));
        assert_eq!(closest("Dominos", NAMES), Some("dominoes"));
        assert_eq!(closest("chekcers", NAMES), Some("checkers"));
        assert_eq!(closest("dark", NAMES), Some("darkchess"));
    }

    #[test]
    fn stays_silent_on_nonsense() {
        assert_eq!(closest("zzzzzz", NAMES), None);
        assert_eq!(closest("", NAMES), None);
    }
}
