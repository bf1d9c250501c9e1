//! A stable sort for short lists in generic code.
//!
//! `slice::sort_by` is compiled again for every type and every closure, five kilobytes each, and a closure inside a generic function
//! is another one for every game: they were a sixth of the code of all games and agents. Lists of moves need no such machinery.

/// Sorts `items` so that none comes after one that it is `before`; others keep their order. Quadratic: for lists of moves.
pub fn small_sort<T>(items: &mut [T], mut before: impl FnMut(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && before(&items[at], &items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Returns the places of `keys` from the largest to the smallest, equal ones in their order. For long lists: compiled once.
#[must_use]
pub fn descending(keys: &[i64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by_key(|&at| std::cmp::Reverse(keys[at]));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(keys in proptest::collection::vec(0_i64..6, 0..40)) {
            let mut items: Vec<(i64, usize)> = keys.iter().copied().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| std::cmp::Reverse(item.0));
            small_sort(&mut items, |one, other| one.0 > other.0);
            prop_assert_eq!(&items, &expected);
            let places: Vec<usize> = expected.iter().map(|item| item.1).collect();
            prop_assert_eq!(descending(&keys), places);
        }
    }
}
