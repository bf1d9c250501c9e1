//! Splitting rows for validation, class by class, so that every part has its share of each class.

use crate::dataset::{DataError, Dataset};

/// Returns for each row the number of its fold, 0 to `folds − 1`. Within a class, rows are shuffled by `draw`, which returns a random
/// number below its bound, and dealt to the folds in turn.
///
/// # Errors
/// If a class has fewer than 2 rows: the rest of a fold could lack it.
///
/// # Panics
/// If there are fewer than 2 folds.
pub fn stratified(
    data: &Dataset,
    folds: u32,
    mut draw: impl FnMut(u32) -> u32,
) -> Result<Vec<u32>, DataError> {
    assert!(folds >= 2, "there are at least 2 folds");
    let mut fold_of = vec![0; data.rows()];
    let mut next = 0;
    for rows in shuffled_classes(data, &mut draw)? {
        for row in rows {
            fold_of[row] = next;
            next = (next + 1) % folds;
        }
    }
    Ok(fold_of)
}

/// Returns for each row whether it is held out: this share of each class, rounded, at least one row and never all.
///
/// # Errors
/// If a class has fewer than 2 rows.
pub fn hold_out(
    data: &Dataset,
    share: f64,
    mut draw: impl FnMut(u32) -> u32,
) -> Result<Vec<bool>, DataError> {
    let mut held = vec![false; data.rows()];
    for rows in shuffled_classes(data, &mut draw)? {
        let count = (share * rows.len() as f64).round() as usize;
        for &row in &rows[..count.clamp(1, rows.len() - 1)] {
            held[row] = true;
        }
    }
    Ok(held)
}

/// Returns the rows of each class in random order.
fn shuffled_classes(data: &Dataset, draw: &mut impl FnMut(u32) -> u32) -> Result<Vec<Vec<usize>>, DataError> {
    let mut classes = vec![Vec::new(); data.classes()];
    for (row, &label) in data.labels().iter().enumerate() {
        classes[label as usize].push(row);
    }
    for (class, rows) in classes.iter_mut().enumerate() {
        match rows.len() {
            0 => return Err(DataError::EmptyClass { class }),
            1 => return Err(DataError::Unsplittable { class, rows: 1 }),
            _ => {}
        }
        for last in (1..rows.len()).rev() {
            rows.swap(last, draw(last as u32 + 1) as usize);
        }
    }
    Ok(classes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(labels: &[u32]) -> Dataset {
        Dataset::new(1, 2, vec![0.0; labels.len()], labels.to_vec()).unwrap()
    }

    #[test]
    fn folds_have_their_share_of_each_class() {
        let labels: Vec<u32> = (0..103).map(|row| u32::from(row % 4 == 0)).collect();
        let data = data(&labels);
        let mut state = 7_u32;
        let folds = stratified(&data, 5, |bound| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % bound
        })
        .unwrap();
        for class in [0, 1] {
            let of_class = labels.iter().filter(|&&label| label == class).count();
            for fold in 0..5 {
                let here = folds.iter().zip(&labels).filter(|&(&f, &l)| f == fold && l == class).count();
                assert!(
                    (of_class / 5..=of_class / 5 + 1).contains(&here),
                    "{here} of {of_class} in fold {fold}"
                );
            }
        }
        let held = hold_out(&data, 0.2, |_| 0).unwrap();
        let held_of =
            |class| held.iter().zip(&labels).filter(|&(&held, &label)| held && label == class).count();
        assert_eq!([held_of(0), held_of(1)], [15, 5]);
    }

    #[test]
    fn small_classes_are_refused() {
        assert_eq!(stratified(&data(&[0, 0, 0]), 2, |_| 0), Err(DataError::EmptyClass { class: 1 }));
        let one = hold_out(&data(&[0, 0, 1]), 0.5, |_| 0);
        assert_eq!(one, Err(DataError::Unsplittable { class: 1, rows: 1 }));
        assert_eq!(
            hold_out(&data(&[0, 0, 1, 1]), 0.01, |_| 0).unwrap().iter().filter(|held| **held).count(),
            2
        );
    }
}
