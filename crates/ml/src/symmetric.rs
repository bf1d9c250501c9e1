//! Eigenvalues of small symmetric matrices.

/// Rotations stop after this many sweeps over all pairs; about ten are enough for 64 rows.
const MOST_SWEEPS: usize = 60;

/// Eigenvalues, the largest first, each with its vector of length 1.
///
/// Cyclic Jacobi rotations (Golub and Van Loan, *Matrix Computations*, section 8.5). They use square roots and the four operations
/// only, so the result is the same on every machine.
///
/// `matrix` has `size` rows one after the other; only a symmetric one is meaningful. A vector's sign is such that its largest component
/// is positive.
pub(crate) fn eigen(mut matrix: Vec<f64>, size: usize) -> Vec<(f64, Vec<f64>)> {
    assert_eq!(matrix.len(), size * size, "the matrix is square");
    let mut vectors = vec![0.0; size * size];
    for at in 0..size {
        vectors[at * size + at] = 1.0;
    }
    for _ in 0..MOST_SWEEPS {
        let mut rotated = false;
        for p in 0..size {
            for q in p + 1..size {
                rotated |= rotate(&mut matrix, &mut vectors, size, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    let mut found: Vec<(f64, Vec<f64>)> = (0..size)
        .map(|at| (matrix[at * size + at], (0..size).map(|row| vectors[row * size + at]).collect()))
        .collect();
    // Stable, so equal values keep their order.
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (_, vector) in &mut found {
        let largest =
            vector.iter().fold(0.0_f64, |most, &part| if part.abs() > most.abs() { part } else { most });
        if largest < 0.0 {
            vector.iter_mut().for_each(|part| *part = -*part);
        }
    }
    found
}

/// Makes the element at (p, q) zero; returns whether there was anything to do.
fn rotate(matrix: &mut [f64], vectors: &mut [f64], size: usize, p: usize, q: usize) -> bool {
    let off = matrix[p * size + q];
    let (low, high) = (matrix[p * size + p], matrix[q * size + q]);
    // Too small to change either of them.
    if off.abs() <= f64::EPSILON * 0.01 * (low.abs() * high.abs()).sqrt() || off == 0.0 {
        return false;
    }
    let tau = (high - low) / (2.0 * off);
    let tangent = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    for k in 0..size {
        let (a, b) = (matrix[k * size + p], matrix[k * size + q]);
        matrix[k * size + p] = cosine * a - sine * b;
        matrix[k * size + q] = sine * a + cosine * b;
    }
    for k in 0..size {
        let (a, b) = (matrix[p * size + k], matrix[q * size + k]);
        matrix[p * size + k] = cosine * a - sine * b;
        matrix[q * size + k] = sine * a + cosine * b;
    }
    for k in 0..size {
        let (a, b) = (vectors[k * size + p], vectors[k * size + q]);
        vectors[k * size + p] = cosine * a - sine * b;
        vectors[k * size + q] = sine * a + cosine * b;
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_by_two() {
        let found = eigen(vec![2.0, 1.0, 1.0, 2.0], 2);
        let half = 0.5_f64.sqrt();
        assert!((found[0].0 - 3.0).abs() < 1e-15 && (found[1].0 - 1.0).abs() < 1e-15);
        assert!(found[0].1.iter().all(|part| (part - half).abs() < 1e-15), "{found:?}");
        assert_eq!(eigen(vec![4.0, 0.0, 0.0, 9.0], 2), [(9.0, vec![0.0, 1.0]), (4.0, vec![1.0, 0.0])]);
    }

    proptest! {
        #[test]
        fn vectors_are_orthonormal_and_make_the_matrix_again(
            size in 1_usize..12, seeds in prop::collection::vec(-10.0..10.0_f64, 144)
        ) {
            let at = |row: usize, column: usize| seeds[row.min(column) * 12 + row.max(column)];
            let matrix: Vec<f64> = (0..size * size).map(|cell| at(cell / size, cell % size)).collect();
            let found = eigen(matrix.clone(), size);
            for row in 0..size {
                for column in 0..size {
                    let again: f64 = found.iter().map(|(value, v)| value * v[row] * v[column]).sum();
                    prop_assert!((again - matrix[row * size + column]).abs() < 1e-10);
                    let dot: f64 = found[row].1.iter().zip(&found[column].1).map(|(a, b)| a * b).sum();
                    prop_assert!((dot - f64::from(u8::from(row == column))).abs() < 1e-12);
                }
            }
            prop_assert!(found.windows(2).all(|pair| pair[0].0 >= pair[1].0));
        }
    }
}
