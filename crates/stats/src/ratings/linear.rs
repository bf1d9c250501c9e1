//! Symmetric positive definite systems of linear equations.

/// A matrix as the product of a lower triangle and its mirror image (Cholesky).
pub(super) struct Factor {
    rows: Vec<Vec<f64>>,
}

impl Factor {
    /// Returns the factor of `matrix`, which must be symmetric and positive definite up to rounding.
    ///
    /// If rounding has made it indefinite (counts of 10¹² beside a prior of 0.03), the diagonal is raised by the
    /// smallest sufficient power of 100, from 10⁻¹⁶ of its largest entry on; this moves ratings by less than their
    /// digits.
    pub(super) fn new(matrix: &[Vec<f64>]) -> Self {
        let largest = (0..matrix.len()).map(|i| matrix[i][i]).fold(0.0, f64::max);
        let mut raise = 0.0;
        loop {
            if let Some(rows) = Self::try_rows(matrix, raise) {
                return Factor { rows };
            }
            raise = if raise == 0.0 { 1e-16 * largest } else { 100.0 * raise };
        }
    }

    fn try_rows(matrix: &[Vec<f64>], raise: f64) -> Option<Vec<Vec<f64>>> {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (i, line) in matrix.iter().enumerate() {
            let mut row = vec![0.0; i + 1];
            for j in 0..i {
                let known: f64 = (0..j).map(|k| row[k] * rows[j][k]).sum();
                row[j] = (line[j] - known) / rows[j][j];
            }
            let known: f64 = row[..i].iter().map(|x| x * x).sum();
            let left = line[i] + raise - known;
            if left <= 1e-15 * line[i] {
                return None;
            }
            row[i] = left.sqrt();
            rows.push(row);
        }
        Some(rows)
    }

    /// Returns the solution x of matrix · x = `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.rows.len();
        let mut x = right.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| self.rows[i][k] * x[k]).sum();
            x[i] = (x[i] - known) / self.rows[i][i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| self.rows[k][i] * x[k]).sum();
            x[i] = (x[i] - known) / self.rows[i][i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves() {
        let matrix = [vec![4.0, 2.0, 0.0], vec![2.0, 5.0, 3.0], vec![0.0, 3.0, 6.0]];
        let x = Factor::new(&matrix).solve(&[2.0, -1.0, 9.0]);
        for (row, want) in matrix.iter().zip([2.0, -1.0, 9.0]) {
            let got: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
            assert!((got - want).abs() < 1e-12);
        }
    }

    #[test]
    fn a_singular_matrix_is_regularised() {
        let x = Factor::new(&[vec![1.0, -1.0], vec![-1.0, 1.0]]).solve(&[1.0, -1.0]);
        assert!((x[0] - x[1] - 1.0).abs() < 1e-6 && x[0].is_finite());
    }
}
