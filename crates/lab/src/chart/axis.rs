//! Axes: from numbers to places, with marks at round numbers.

use libm::{floor, log10, pow};

/// About how many steps an axis has.
const STEPS: f64 = 8.0;
/// From how many powers of ten on a logarithmic axis is marked at powers of ten only.
const DECADES: f64 = 3.0;
/// Numbers beyond this are not drawn: differences of them may be infinite.
const LARGEST: f64 = 1e100;

/// Tells whether a number has a place on an axis.
pub(super) fn is_drawable(number: f64) -> bool {
    number.abs() <= LARGEST
}

/// The numbers from `low` to `high`, with marks.
pub(crate) struct Axis {
    low: f64,
    high: f64,
    step: f64,
    log: bool,
    marks: Vec<f64>,
}

impl Axis {
    /// Returns an axis over both numbers that begins and ends at a round number, with about eight marks. Spans under
    /// `least` are drawn as if they were so long, so that noise does not look like a difference.
    pub(crate) fn round(low: f64, high: f64, least: f64) -> Axis {
        // Steps that are too small beside the numbers themselves would be lost in rounding.
        let least = least.max(1e-9 * low.abs().max(high.abs())).max(f64::MIN_POSITIVE * 1e9);
        let rough = (high - low).max(least) / STEPS;
        let power = pow(10.0, floor(log10(rough)));
        let step = power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= rough).unwrap_or(10.0);
        let (mut low, mut high) = ((low / step).floor() * step, (high / step).ceil() * step);
        if low >= high {
            (low, high) = (low - step, high + step);
        }
        let count = ((high - low) / step).round() as u32;
        let marks = (0..=count).map(|mark| low + f64::from(mark) * step).collect();
        Axis { low, high, step, log: false, marks }
    }

    /// Returns an axis that ends where the numbers end, marked at the round numbers between. It begins at 0 if the
    /// numbers begin less than a step above it.
    pub(super) fn tight(low: f64, high: f64, least: f64) -> Axis {
        let mut axis = Axis::round(low, high, least);
        if low < high {
            axis.low = if low > 0.0 && low < axis.step { 0.0 } else { low };
            axis.high = high;
            let slack = 1e-6 * axis.step;
            axis.marks.retain(|mark| (axis.low - slack..=axis.high + slack).contains(mark));
        }
        axis
    }

    /// Returns a logarithmic axis over two numbers above 0, marked at powers of ten, or also at twice and five times
    /// them if there are few.
    pub(super) fn log(low: f64, high: f64) -> Axis {
        let (low, high) = if high > low * (1.0 + 1e-9) { (low, high) } else { (low / 2.0, high * 2.0) };
        let decades = log10(high / low);
        let factors: &[f64] = if decades < DECADES { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = (decades / STEPS).ceil().max(1.0) as usize;
        let powers = (log10(low).floor() as i32..=log10(high).ceil() as i32).step_by(every);
        let inside = |mark: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(mark);
        let all = powers.flat_map(|power| factors.iter().map(move |m| m * pow(10.0, f64::from(power))));
        let mut axis = Axis { low, high, step: 0.0, log: true, marks: all.filter(inside).collect() };
        if axis.marks.len() < 3 {
            // Less than a power of ten: marks as on any axis say more.
            let plain = Axis::tight(low, high, 0.0);
            axis.step = plain.step;
            axis.marks = plain.marks.into_iter().filter(inside).collect();
        }
        axis
    }

    /// Returns where a number is: 0 at the axis' low end, 1 at its high end.
    pub(crate) fn share(&self, number: f64) -> f64 {
        if self.log {
            log10(number / self.low) / log10(self.high / self.low)
        } else {
            (number - self.low) / (self.high - self.low)
        }
    }

    /// Returns the numbers to mark, in order.
    pub(crate) fn marks(&self) -> &[f64] {
        &self.marks
    }

    /// Returns the distance between marks; 0 if it differs.
    pub(crate) fn step(&self) -> f64 {
        self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPANS: [(f64, f64); 9] = [
        (-12.3, 45.6),
        (-1950.0, 1950.0),
        (0.0, 0.0),
        (-0.2, 0.1),
        (100.0, 101.0),
        (0.48, 0.83),
        (1e99, 1e100),
        (1e17, 1e17),
        (-1e-300, 1e-300),
    ];

    #[test]
    fn axes_hold_everything_and_have_round_marks() {
        for least in [1.0, 0.02, 0.0] {
            for (low, high) in SPANS {
                for axis in [Axis::round(low, high, least), Axis::tight(low, high, least)] {
                    let inside = 0.0..=1.0;
                    assert!(inside.contains(&axis.share(low)) && inside.contains(&axis.share(high)));
                    let marks = axis.marks().len();
                    assert!((1..=11).contains(&marks), "{marks} marks from {low} to {high}");
                    assert!(axis.marks().is_sorted());
                }
            }
        }
        assert_eq!(
            Axis::round(0.0, 400.0, 1.0).marks(),
            [0.0, 50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 350.0, 400.0]
        );
    }

    #[test]
    fn tight_axes_end_with_the_numbers() {
        let axis = Axis::tight(1.0, 130.0, 1.0);
        assert_eq!((axis.share(0.0), axis.share(130.0)), (0.0, 1.0));
        assert_eq!(axis.marks(), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0]);
        assert_eq!(Axis::tight(70.0, 130.0, 1.0).share(70.0), 0.0);
    }

    #[test]
    fn logarithmic_axes_are_marked_at_powers_of_ten() {
        let axis = Axis::log(1.0, 1e4);
        assert_eq!(axis.marks(), [1.0, 10.0, 100.0, 1000.0, 10000.0]);
        assert!((axis.share(100.0) - 0.5).abs() < 1e-12);
        assert_eq!(Axis::log(1.0, 50.0).marks(), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        for (low, high) in [(3.0, 3.0), (11.0, 19.0), (1e-90, 1e90), (0.5, 2e6)] {
            let axis = Axis::log(low, high);
            assert!((2..=12).contains(&axis.marks().len()), "{:?}", axis.marks());
            assert!((0.0..=1.0).contains(&axis.share(low)) && (0.0..=1.0).contains(&axis.share(high)));
        }
    }
}
