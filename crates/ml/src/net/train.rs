//! Training in floating point: mini-batches, Adam, one thread, so that equal samples and seeds give equal bytes.
//!
//! D. Kingma, J. Ba, *Adam: a method for stochastic optimization*, 2015.

use super::quantised::FloatHead;
use super::{HIDDEN, Inputs, MIDDLE, Net, each_input};

/// What is learnt from: sets of inputs, the stage of each, and the probability of winning that it should be given.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The sets.
    pub sets: Vec<Inputs>,
    /// The stage of each.
    pub stages: Vec<u8>,
    /// The probability of each, from 0 to 1.
    pub targets: Vec<f32>,
}

/// How a net is trained.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct TrainParams {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of stages.
    pub stages: usize,
    /// Passes over the samples.
    pub epochs: u32,
    /// The first step size; it falls to a hundredth along a cosine.
    pub step: f32,
    /// What the first weights and the order of the samples are drawn from.
    pub seed: u64,
}

/// What an epoch came to.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The mean squared error over its samples.
    pub error: f64,
    /// The mean squared error over the samples that are held back: one in fifty.
    pub held_back: f64,
}

/// Samples of a batch.
const BATCH: usize = 512;

/// One sample in this many is not learnt from.
const HELD_BACK: usize = 50;

const DECAY: [f32; 2] = [0.9, 0.999];
const SMALL: f32 = 1e-8;

/// The largest weight of the layers after the first, so that rounded ones fit.
const MOST_WEIGHT: f32 = 8.0;

/// A stream of random numbers (xorshift64*): this crate stands alone.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number from −1 to 1.
    fn even(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// Numbers of parameters, and where each part begins in the list of all.
#[derive(Copy, Clone)]
struct Shape {
    inputs: usize,
    stages: usize,
}

impl Shape {
    const HEAD: usize = HIDDEN * MIDDLE + MIDDLE + MIDDLE + 1;

    const fn biases(self) -> usize {
        self.inputs * HIDDEN
    }

    const fn head(self, stage: usize) -> usize {
        self.biases() + HIDDEN + stage * Self::HEAD
    }

    const fn all(self) -> usize {
        self.head(self.stages)
    }
}

/// The values of a forward pass.
struct Pass {
    sums: [f32; HIDDEN],
    units: [f32; HIDDEN],
    middle_sums: [f32; MIDDLE],
    middle: [f32; MIDDLE],
}

fn clipped(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

fn forward(weights: &[f32], shape: Shape, set: &Inputs, stage: usize) -> (f32, Pass) {
    let row = |at: usize| -> &[f32; HIDDEN] { weights[at..at + HIDDEN].try_into().expect("a row is whole") };
    let mut sums = *row(shape.biases());
    each_input(set, |input| {
        for (sum, &weight) in sums.iter_mut().zip(row(input * HIDDEN)) {
            *sum += weight;
        }
    });
    let units = sums.map(clipped);
    let head = &weights[shape.head(stage)..][..Shape::HEAD];
    let (matrix, rest) = head.split_at(HIDDEN * MIDDLE);
    let (biases, rest) = rest.split_at(MIDDLE);
    let (last, bias) = rest.split_at(MIDDLE);
    let mut middle_sums: [f32; MIDDLE] = biases.try_into().expect("a row is whole");
    for (&unit, row) in units.iter().zip(matrix.as_chunks::<MIDDLE>().0) {
        if unit > 0.0 {
            for (sum, &weight) in middle_sums.iter_mut().zip(row) {
                *sum += unit * weight;
            }
        }
    }
    let middle = middle_sums.map(clipped);
    let value = middle.iter().zip(last).fold(bias[0], |sum, (&unit, &weight)| sum + unit * weight);
    (value, Pass { sums, units, middle_sums, middle })
}

fn probability(value: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-value))
}

/// Adds the gradient of a sample, whose derivative by its value is `slope`.
fn backward(
    weights: &[f32],
    gradient: &mut [f32],
    shape: Shape,
    set: &Inputs,
    stage: usize,
    pass: &Pass,
    slope: f32,
) {
    let at = shape.head(stage);
    let head = &weights[at..at + Shape::HEAD];
    let last = &head[HIDDEN * MIDDLE + MIDDLE..][..MIDDLE];
    let inside = |sum: f32| sum > 0.0 && sum < 1.0;
    let slopes: [f32; MIDDLE] =
        std::array::from_fn(|unit| if inside(pass.middle_sums[unit]) { slope * last[unit] } else { 0.0 });
    let mut below = [0.0; HIDDEN];
    {
        let changes = &mut gradient[at..at + Shape::HEAD];
        let (matrix, rest) = changes.split_at_mut(HIDDEN * MIDDLE);
        let rows = head[..HIDDEN * MIDDLE].as_chunks::<MIDDLE>().0;
        for (unit, (change, row)) in matrix.as_chunks_mut::<MIDDLE>().0.iter_mut().zip(rows).enumerate() {
            let on = pass.units[unit];
            if on > 0.0 {
                for (change, &slope) in change.iter_mut().zip(&slopes) {
                    *change += on * slope;
                }
            }
            if inside(pass.sums[unit]) {
                // Four sums at once, as one would have to be added up in order.
                let mut parts = [0.0_f32; 4];
                for (weights, slopes) in row.as_chunks::<4>().0.iter().zip(slopes.as_chunks::<4>().0) {
                    for ((part, &weight), &slope) in parts.iter_mut().zip(weights).zip(slopes) {
                        *part += weight * slope;
                    }
                }
                below[unit] = parts[0] + parts[1] + parts[2] + parts[3];
            }
        }
        for (change, &slope) in rest[..MIDDLE].iter_mut().zip(&slopes) {
            *change += slope;
        }
        for (change, &unit) in rest[MIDDLE..2 * MIDDLE].iter_mut().zip(&pass.middle) {
            *change += unit * slope;
        }
        rest[2 * MIDDLE] += slope;
    }
    let mut change_row = |at: usize| {
        for (change, &slope) in gradient[at..at + HIDDEN].iter_mut().zip(&below) {
            *change += slope;
        }
    };
    change_row(shape.biases());
    each_input(set, |input| change_row(input * HIDDEN));
}

/// The means of the gradient and of its square.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// DECAY to the number of steps.
    decayed: [f32; 2],
}

impl Adam {
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], step: f32) {
        for (decayed, decay) in self.decayed.iter_mut().zip(DECAY) {
            *decayed *= decay;
        }
        let (mean_scale, square_scale) = (1.0 / (1.0 - self.decayed[0]), 1.0 / (1.0 - self.decayed[1]));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, &slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - DECAY[0]) * (slope - *mean);
            *square += (1.0 - DECAY[1]) * (slope * slope - *square);
            *weight -= step * (*mean * mean_scale) / ((*square * square_scale).sqrt() + SMALL);
        }
    }
}

/// Draws the first weights.
fn start(shape: Shape, stream: &mut Stream) -> Vec<f32> {
    let mut weights = vec![0.0; shape.all()];
    for weight in &mut weights[..shape.biases()] {
        *weight = 0.25 * stream.even();
    }
    for bias in &mut weights[shape.biases()..shape.biases() + HIDDEN] {
        *bias = 0.25;
    }
    for stage in 0..shape.stages {
        let head = &mut weights[shape.head(stage)..][..Shape::HEAD];
        for weight in &mut head[..HIDDEN * MIDDLE] {
            *weight = 0.15 * stream.even();
        }
        for bias in &mut head[HIDDEN * MIDDLE..][..MIDDLE] {
            *bias = 0.25;
        }
        for weight in &mut head[HIDDEN * MIDDLE + MIDDLE..][..MIDDLE] {
            *weight = 0.5 * stream.even();
        }
    }
    weights
}

fn rounded(weights: &[f32], shape: Shape) -> Net {
    let (first, rest) = weights.split_at(shape.biases());
    let biases = rest[..HIDDEN].try_into().expect("a row is whole");
    let heads = (0..shape.stages).map(|stage| {
        let (matrix, rest) = weights[shape.head(stage)..][..Shape::HEAD].split_at(HIDDEN * MIDDLE);
        FloatHead {
            weights: matrix.as_chunks::<MIDDLE>().0,
            biases: &rest[..MIDDLE],
            last: &rest[MIDDLE..2 * MIDDLE],
            last_bias: rest[2 * MIDDLE],
        }
    });
    Net::rounded(first.as_chunks::<HIDDEN>().0, biases, heads)
}

/// Trains a net. `each_epoch` is called after every epoch; `false` ends the training there.
///
/// # Panics
/// If there is no sample, or the lists differ in length.
pub fn train(samples: &Samples, params: &TrainParams, mut each_epoch: impl FnMut(&Epoch) -> bool) -> Net {
    let shape = Shape { inputs: params.inputs, stages: params.stages };
    let count = samples.sets.len();
    assert!(
        count > 0 && samples.stages.len() == count && samples.targets.len() == count,
        "samples are whole"
    );
    let mut stream = Stream(params.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut weights = start(shape, &mut stream);
    let mut adam = Adam { mean: vec![0.0; shape.all()], square: vec![0.0; shape.all()], decayed: [1.0; 2] };
    let mut gradient = vec![0.0; shape.all()];
    let mut order: Vec<u32> =
        (0..count as u32).filter(|at| !(*at as usize).is_multiple_of(HELD_BACK)).collect();
    let batches = (order.len().div_ceil(BATCH) * params.epochs as usize).max(1);
    let mut batch_number = 0;
    for number in 1..=params.epochs {
        for at in (1..order.len()).rev() {
            order.swap(at, (stream.next() % (at as u64 + 1)) as usize);
        }
        let mut error = 0.0;
        for batch in order.chunks(BATCH) {
            gradient.fill(0.0);
            for &at in batch {
                let at = at as usize;
                let (set, stage) = (&samples.sets[at], usize::from(samples.stages[at]));
                let (value, pass) = forward(&weights, shape, set, stage);
                let wrong = probability(value) - samples.targets[at];
                error += f64::from(wrong * wrong);
                // The slope of the cross entropy.
                backward(&weights, &mut gradient, shape, set, stage, &pass, wrong / batch.len() as f32);
            }
            let done = batch_number as f64 / batches as f64;
            let fall = 0.01 + 0.99 * 0.5 * (1.0 + libm::cos(std::f64::consts::PI * done));
            adam.step(&mut weights, &gradient, params.step * fall as f32);
            for weight in &mut weights[shape.head(0)..] {
                *weight = weight.clamp(-MOST_WEIGHT, MOST_WEIGHT);
            }
            batch_number += 1;
        }
        let held: Vec<usize> = (0..count).step_by(HELD_BACK).collect();
        let held_error = |&at: &usize| {
            let (value, _) = forward(&weights, shape, &samples.sets[at], usize::from(samples.stages[at]));
            f64::from(probability(value) - samples.targets[at])
        };
        let held_back =
            held.iter().map(held_error).map(|wrong| wrong * wrong).sum::<f64>() / held.len() as f64;
        let epoch = Epoch { number, error: error / order.len().max(1) as f64, held_back };
        if !each_epoch(&epoch) {
            break;
        }
    }
    rounded(&weights, shape)
}

#[cfg(test)]
mod tests {
    use super::super::Accumulators;
    use super::*;

    /// Positions whose value is the difference of two counts, in two stages with opposite signs.
    fn counted() -> Samples {
        let mut samples = Samples::default();
        let mut stream = Stream(7);
        for at in 0..20_000 {
            let set = [stream.next() & stream.next() & 0xffff, 0, 0, stream.next() & stream.next() & 0xffff];
            let lead = set[0].count_ones() as f32 - set[3].count_ones() as f32;
            let stage = (at % 2) as u8;
            samples.sets.push(set);
            samples.stages.push(stage);
            samples.targets.push(probability(if stage == 0 { lead } else { -lead }));
        }
        samples
    }

    #[test]
    fn a_net_learns_to_count_and_keeps_it_when_rounded() {
        let samples = counted();
        let params = TrainParams { inputs: 256, stages: 2, epochs: 8, step: 2e-3, seed: 1 };
        let mut errors = Vec::new();
        let net = train(&samples, &params, |epoch| {
            errors.push(epoch.held_back);
            true
        });
        assert!(errors[7] < 1e-3 && errors[7] < errors[0], "{errors:?}");
        let again = train(&samples, &params, |_| true);
        assert_eq!(net.to_bytes(), again.to_bytes(), "equal seeds give equal bytes");
        let read = Net::from_bytes(&net.to_bytes()).unwrap();
        assert_eq!(read, net);
        let mut bytes = net.to_bytes();
        bytes.pop();
        assert!(Net::from_bytes(&bytes).is_err());

        // Sums that follow from set to set, and values that were kept, are those of sums made anew.
        let (mut kept, mut known) = (Accumulators::default(), Accumulators::with_values());
        for (at, set) in samples.sets.iter().enumerate().take(500) {
            let stage = usize::from(samples.stages[at]);
            let value = net.value(&mut kept, at % 2, set, stage, 1000);
            assert_eq!(value, net.value(&mut Accumulators::default(), 0, set, stage, 1000));
            for (stage, unit) in [(stage, 1000), (1 - stage, 1000), (stage, 1000), (stage, 10)] {
                let anew = net.value(&mut Accumulators::default(), 0, set, stage, unit);
                assert_eq!(net.value(&mut known, at % 2, set, stage, unit), anew);
            }
            let wrong = probability(value as f32 / 1000.0) - samples.targets[at];
            assert!(wrong.abs() < 0.15, "{wrong} of {}", samples.targets[at]);
        }
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let shape = Shape { inputs: 64, stages: 1 };
        let mut weights = start(shape, &mut Stream(3));
        let (set, target) = ([0x1234_5678, 0, 0, 0], 0.9_f32);
        let loss = |weights: &[f32]| {
            let p = f64::from(probability(forward(weights, shape, &set, 0).0));
            -(f64::from(target) * libm::log(p) + f64::from(1.0 - target) * libm::log(1.0 - p))
        };
        let (value, pass) = forward(&weights, shape, &set, 0);
        let mut gradient = vec![0.0; shape.all()];
        backward(&weights, &mut gradient, shape, &set, 0, &pass, probability(value) - target);
        let mut seen = 0;
        for at in (0..shape.all()).step_by(7) {
            let old = weights[at];
            let small = 1e-2;
            weights[at] = old + small;
            let above = loss(&weights);
            weights[at] = old - small;
            let below = loss(&weights);
            weights[at] = old;
            let slope = (above - below) / f64::from(2.0 * small);
            // Corners of the clipping are no slopes.
            if (slope - f64::from(gradient[at])).abs() < 1e-3 {
                seen += usize::from(gradient[at] != 0.0);
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
