//! Rotations and reflections of a grid.

/// One of the eight symmetries of a rectangle. Four of them exchange width and height.
///
/// Where each symmetry puts the cells of a grid of 2 × 2:
///
/// ```text
///    identity   quarter   half   three-quarter   mirror   upside-down   transpose   anti-transpose
///      a b        c a      d c        b d          b a        c d          a c            d b
///      c d        d b      b a        a c          d c        a b          b d            c a
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symmetry {
    /// Everything stays.
    Identity,
    /// Rotated clockwise by 90°.
    Quarter,
    /// Rotated by 180°.
    Half,
    /// Rotated clockwise by 270°.
    ThreeQuarter,
    /// Left and right exchanged.
    Mirror,
    /// Top and bottom exchanged.
    UpsideDown,
    /// Rows and columns exchanged: the cells from the top left to the bottom right stay.
    Transpose,
    /// Rows and columns exchanged: the cells from the top right to the bottom left stay.
    AntiTranspose,
}

use Symmetry::{AntiTranspose, Half, Identity, Mirror, Quarter, ThreeQuarter, Transpose, UpsideDown};

impl Symmetry {
    /// All eight: those of a square.
    pub const ALL: [Symmetry; 8] =
        [Identity, Quarter, Half, ThreeQuarter, Mirror, UpsideDown, Transpose, AntiTranspose];

    /// Those that keep width and height.
    pub const RECTANGLE: [Symmetry; 4] = [Identity, Half, Mirror, UpsideDown];

    /// Returns every symmetry of a grid with these sides: [`ALL`](Symmetry::ALL) for a square, else
    /// [`RECTANGLE`](Symmetry::RECTANGLE).
    #[must_use]
    pub const fn of_sides(width: u16, height: u16) -> &'static [Symmetry] {
        if width == height { &Self::ALL } else { &Self::RECTANGLE }
    }

    /// Returns a name for lists and files: `quarter`, `anti-transpose`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Identity => "identity",
            Quarter => "quarter",
            Half => "half",
            ThreeQuarter => "three-quarter",
            Mirror => "mirror",
            UpsideDown => "upside-down",
            Transpose => "transpose",
            AntiTranspose => "anti-transpose",
        }
    }

    /// Returns whether width and height are exchanged.
    #[must_use]
    pub const fn swaps_sides(self) -> bool {
        matches!(self, Quarter | ThreeQuarter | Transpose | AntiTranspose)
    }

    /// Returns the width and height of the image of a grid.
    #[must_use]
    pub const fn sides(self, width: u16, height: u16) -> (u16, u16) {
        if self.swaps_sides() { (height, width) } else { (width, height) }
    }

    /// Returns where the content of `cell` lies in the image of a grid. Cells are numbered row by row from the top, in the
    /// grid and in its image, whose width and height are [`sides`](Symmetry::sides).
    #[inline]
    #[must_use]
    pub const fn apply(self, cell: u16, width: u16, height: u16) -> u16 {
        let (row, column) = (cell / width, cell % width);
        let (up, left) = (height - 1 - row, width - 1 - column);
        let (row, column) = match self {
            Identity => (row, column),
            Quarter => (column, up),
            Half => (up, left),
            ThreeQuarter => (left, row),
            Mirror => (row, left),
            UpsideDown => (up, column),
            Transpose => (column, row),
            AntiTranspose => (left, up),
        };
        let (width, _) = self.sides(width, height);
        row * width + column
    }

    /// Returns the symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self {
            Quarter => ThreeQuarter,
            ThreeQuarter => Quarter,
            other => other,
        }
    }

    /// Returns the symmetry that does the same as this one followed by `next`.
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        // A symmetry is a reflection or none, followed by quarter turns. A reflection reverses the turns before it.
        let (mirrored, turns) = self.parts();
        let (next_mirrored, next_turns) = next.parts();
        let turns = if next_mirrored { 4 - turns } else { turns };
        Symmetry::from_parts(mirrored != next_mirrored, (turns + next_turns) % 4)
    }

    /// Returns whether left and right are exchanged first, and the number of quarter turns that follow.
    const fn parts(self) -> (bool, u8) {
        match self {
            Identity => (false, 0),
            Quarter => (false, 1),
            Half => (false, 2),
            ThreeQuarter => (false, 3),
            Mirror => (true, 0),
            AntiTranspose => (true, 1),
            UpsideDown => (true, 2),
            Transpose => (true, 3),
        }
    }

    const fn from_parts(mirrored: bool, turns: u8) -> Symmetry {
        match (mirrored, turns) {
            (false, 0) => Identity,
            (false, 1) => Quarter,
            (false, 2) => Half,
            (false, _) => ThreeQuarter,
            (true, 0) => Mirror,
            (true, 1) => AntiTranspose,
            (true, 2) => UpsideDown,
            (true, _) => Transpose,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: [(u16, u16); 5] = [(1, 1), (2, 2), (3, 3), (4, 8), (5, 2)];

    fn image(symmetry: Symmetry, cells: &[u16], width: u16, height: u16) -> Vec<u16> {
        let mut image = vec![u16::MAX; cells.len()];
        for (cell, &content) in (0..).zip(cells) {
            image[usize::from(symmetry.apply(cell, width, height))] = content;
        }
        image
    }

    #[test]
    fn drawn_images_are_as_the_docs_show() {
        let expected = ["abcd", "cadb", "dcba", "bdac", "badc", "cdab", "acbd", "dbca"];
        let cells: Vec<u16> = "abcd".bytes().map(u16::from).collect();
        for (symmetry, expected) in Symmetry::ALL.into_iter().zip(expected) {
            let expected: Vec<u16> = expected.bytes().map(u16::from).collect();
            assert_eq!(image(symmetry, &cells, 2, 2), expected, "{}", symmetry.name());
        }
    }

    /// A wide grid becomes a high one: `a b c / d e f` turned clockwise is `d a / e b / f c`.
    #[test]
    fn a_rectangle_turns() {
        assert_eq!(image(Quarter, &[0, 1, 2, 3, 4, 5], 3, 2), [3, 0, 4, 1, 5, 2]);
        assert_eq!(Quarter.sides(3, 2), (2, 3));
        assert_eq!(Symmetry::of_sides(3, 2), Symmetry::RECTANGLE);
        assert_eq!(Symmetry::of_sides(3, 3), Symmetry::ALL);
    }

    #[test]
    fn images_are_permutations_and_inverses_undo_them() {
        for (width, height) in SIDES {
            let cells: Vec<u16> = (0..width * height).collect();
            for symmetry in Symmetry::ALL {
                let there = image(symmetry, &cells, width, height);
                let mut sorted = there.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, cells, "{} loses a cell", symmetry.name());
                let (wide, high) = symmetry.sides(width, height);
                assert_eq!(image(symmetry.inverse(), &there, wide, high), cells, "{}", symmetry.name());
                assert_eq!(symmetry.then(symmetry.inverse()), Identity);
            }
        }
    }

    #[test]
    fn composition_is_doing_both() {
        for (width, height) in SIDES {
            let cells: Vec<u16> = (0..width * height).collect();
            for first in Symmetry::ALL {
                for second in Symmetry::ALL {
                    let (wide, high) = first.sides(width, height);
                    let both = image(second, &image(first, &cells, width, height), wide, high);
                    let one = image(first.then(second), &cells, width, height);
                    assert_eq!(one, both, "{} then {}", first.name(), second.name());
                }
            }
        }
    }
}
