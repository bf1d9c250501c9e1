//! The state transition matrix: (stimulant → respondent) → weight, as a flat hash table.
//!
//! Slots lie in one array, found by a hash of the pair and linear probing. The array grows by a quarter at a time, so
//! that little of it is empty; a transition between states of up to 32 bits takes 27 to 35 bytes.

/// Weights are integer multiples of 2⁻³². Sums then do not depend on the order of their terms, so equal histories tie
/// exactly on every machine.
pub const UNIT: f64 = 4_294_967_296.0;

/// Returns the weight nearest to a number.
#[must_use]
pub fn weight_of(number: f64) -> i64 {
    // `as` saturates: too large a number becomes the largest weight.
    (number * UNIT).round() as i64
}

/// Returns a weight as a number.
#[must_use]
pub fn number_of(weight: i64) -> f64 {
    weight as f64 / UNIT
}

/// A stimulant and a respondent in one value.
pub trait Pair: Copy + Ord + Default + Send + Sync + 'static {
    /// The maximum width of a state in bits.
    const WIDTH: u32;

    /// Packs two states.
    fn pack(from: u128, to: u128) -> Self;

    /// Returns the two states.
    fn unpack(self) -> (u128, u128);

    /// Returns 64 well-mixed bits.
    fn mix(self) -> u64;
}

/// The fraction of the golden ratio: an odd number without a pattern.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline]
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 32).wrapping_mul(SPREAD);
    (bits ^ bits >> 29).wrapping_mul(SPREAD)
}

impl Pair for u64 {
    const WIDTH: u32 = 32;
    #[inline]
    fn pack(from: u128, to: u128) -> Self {
        (from as u64) << 32 | to as u64
    }
    fn unpack(self) -> (u128, u128) {
        (u128::from(self >> 32), u128::from(self & 0xFFFF_FFFF))
    }
    #[inline]
    fn mix(self) -> u64 {
        mixed(self)
    }
}

impl Pair for u128 {
    const WIDTH: u32 = 64;
    #[inline]
    fn pack(from: u128, to: u128) -> Self {
        from << 64 | to
    }
    fn unpack(self) -> (u128, u128) {
        (self >> 64, self & u128::from(u64::MAX))
    }
    #[inline]
    fn mix(self) -> u64 {
        mixed(mixed((self >> 64) as u64) ^ self as u64)
    }
}

impl Pair for [u128; 2] {
    const WIDTH: u32 = 128;
    #[inline]
    fn pack(from: u128, to: u128) -> Self {
        [from, to]
    }
    fn unpack(self) -> (u128, u128) {
        (self[0], self[1])
    }
    #[inline]
    fn mix(self) -> u64 {
        let [from, to] = self;
        mixed(from.mix() ^ to.mix().rotate_left(17))
    }
}

/// An entry of the matrix.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Transition<K> {
    /// The transition.
    pub pair: K,
    /// Its weight, see [`UNIT`].
    pub weight: i64,
    /// The number of updates, reduced when the matrix forgets.
    pub uses: u32,
}

/// What is known about a transition between two states.
pub type States = Transition<(u128, u128)>;

const SMALLEST: usize = 64;

/// A state transition matrix.
#[derive(Clone, Debug)]
pub struct Matrix<K> {
    /// A slot with no uses is empty.
    slots: Vec<Transition<K>>,
    len: usize,
    /// The number of transitions at which some are forgotten.
    limit: usize,
    peak_bytes: usize,
    forgotten: u64,
}

impl<K: Pair> Matrix<K> {
    /// Returns an empty matrix that stays within `budget` bytes.
    #[must_use]
    pub fn new(budget: Option<u64>) -> Self {
        let slots = vec![Transition::default(); SMALLEST];
        // While the table grows, the old array exists beside the new one.
        let limit = budget.map_or(usize::MAX, |bytes| {
            let slots = bytes as usize / (2 * size_of::<Transition<K>>());
            room(slots).max(room(SMALLEST))
        });
        let peak_bytes = size_of_val(&slots[..]);
        Matrix { slots, len: 0, limit, peak_bytes, forgotten: 0 }
    }

    /// Returns the number of transitions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no transitions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }

    /// Returns the maximum size so far, counting both arrays during growth.
    #[must_use]
    pub fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    /// Returns the number of forgotten transitions.
    #[must_use]
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// Returns the entry of a transition.
    #[inline]
    #[must_use]
    pub fn get(&self, pair: K) -> Option<&Transition<K>> {
        let slot = &self.slots[self.place(pair)];
        (slot.uses > 0).then_some(slot)
    }

    /// Returns a transition to update, adding it with `weight` if new. Counts the use.
    #[inline]
    pub fn update(&mut self, pair: K, weight: i64) -> &mut Transition<K> {
        let mut at = self.place(pair);
        if self.slots[at].uses == 0 {
            if self.len >= self.limit {
                self.forget();
            } else if self.len >= room(self.slots.len()) {
                self.rebuild(self.slots.len() + self.slots.len() / 4);
            }
            at = self.place(pair);
            self.len += 1;
            self.slots[at] = Transition { pair, weight, uses: 0 };
        }
        let slot = &mut self.slots[at];
        slot.uses = slot.uses.saturating_add(1);
        slot
    }

    /// Returns all transitions, ordered by pair.
    #[must_use]
    pub fn sorted(&self) -> Vec<Transition<K>> {
        let mut all: Vec<Transition<K>> = self.slots.iter().filter(|slot| slot.uses > 0).copied().collect();
        all.sort_unstable_by_key(|transition| transition.pair);
        all
    }

    /// Returns all transitions, ordered by pair, with their states unpacked: one type for every width of pairs.
    #[must_use]
    pub fn states(&self) -> Vec<States> {
        let apart = |t: Transition<K>| Transition { pair: t.pair.unpack(), weight: t.weight, uses: t.uses };
        self.sorted().into_iter().map(apart).collect()
    }

    /// Replaces the content by these transitions, which must be distinct.
    pub fn fill(&mut self, all: &[Transition<K>], forgotten: u64) {
        let mut slots = SMALLEST;
        while room(slots) < all.len() {
            slots += slots / 4;
        }
        self.forgotten = forgotten;
        self.replace(slots, all);
    }

    /// Returns the slot of a pair, or the empty slot where it belongs.
    #[inline]
    fn place(&self, pair: K) -> usize {
        let slots = self.slots.len();
        let mut at = ((u128::from(pair.mix()) * slots as u128) >> 64) as usize;
        loop {
            let slot = &self.slots[at];
            if slot.uses == 0 || slot.pair == pair {
                return at;
            }
            at += 1;
            if at == slots {
                at = 0;
            }
        }
    }

    fn rebuild(&mut self, slots: usize) {
        let all: Vec<Transition<K>> = std::mem::take(&mut self.slots);
        let known: usize = size_of_val(&all[..]);
        self.slots = vec![Transition::default(); slots];
        self.peak_bytes = self.peak_bytes.max(known + self.bytes());
        for transition in all.into_iter().filter(|slot| slot.uses > 0) {
            let at = self.place(transition.pair);
            self.slots[at] = transition;
        }
    }

    fn replace(&mut self, slots: usize, all: &[Transition<K>]) {
        self.slots.clear();
        self.slots.resize(slots, Transition::default());
        self.peak_bytes = self.peak_bytes.max(self.bytes());
        self.len = all.len();
        for transition in all {
            let at = self.place(transition.pair);
            self.slots[at] = *transition;
        }
    }

    /// Drops the least used quarter and halves the other counts, so that old uses fade.
    fn forget(&mut self) {
        let slots = self.slots.len();
        let mut all = self.sorted();
        let drop = (all.len() / 4).max(1);
        // Ties are ordered by hash, so that no kind of state is forgotten first.
        all.select_nth_unstable_by_key(drop - 1, |t| (t.uses, mixed(t.pair.mix()), t.pair));
        self.forgotten += drop as u64;
        let mut kept = all.split_off(drop);
        for transition in &mut kept {
            transition.uses = transition.uses.div_ceil(2);
        }
        self.replace(slots, &kept);
    }
}

/// Returns the capacity of a table with `slots` slots: seven eighths.
#[inline]
const fn room(slots: usize) -> usize {
    slots - slots / 8
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use parlor_core::Rng;

    use super::*;

    /// Compares with a map of the standard library.
    fn agrees_with_a_map<K: Pair>(states: u32) {
        let mut rng = Rng::new(u64::from(K::WIDTH));
        let mut matrix = Matrix::<K>::new(None);
        let mut map = BTreeMap::<(u128, u128), (i64, u32)>::new();
        let high = 1_u128 << (K::WIDTH - 1);
        for _ in 0..20_000 {
            let state = |rng: &mut Rng| u128::from(rng.below(states)) + high * u128::from(rng.below(2));
            let (from, to) = (state(&mut rng), state(&mut rng));
            let change = i64::from(rng.below(100)) - 50;
            matrix.update(K::pack(from, to), 7).weight += change;
            let entry = map.entry((from, to)).or_insert((7, 0));
            *entry = (entry.0 + change, entry.1 + 1);
            let known = matrix.get(K::pack(to, from)).map(|t| (t.weight, t.uses));
            assert_eq!(known, map.get(&(to, from)).copied());
        }
        assert_eq!(matrix.len(), map.len());
        let listed: Vec<_> = matrix.sorted().iter().map(|t| (t.pair.unpack(), (t.weight, t.uses))).collect();
        assert_eq!(listed, map.into_iter().collect::<Vec<_>>(), "in order, each once");
    }

    #[test]
    fn the_table_is_a_map() {
        agrees_with_a_map::<u64>(40);
        agrees_with_a_map::<u64>(3_000);
        agrees_with_a_map::<u128>(3_000);
        agrees_with_a_map::<[u128; 2]>(3_000);
    }

    #[test]
    fn small_states_take_less_than_forty_bytes() {
        let mut matrix = Matrix::<u64>::new(None);
        for number in 0..200_000_u128 {
            matrix.update(u64::pack(number / 7, number % 4_001), 0);
            if matrix.len() > 500 {
                let each = matrix.bytes() / matrix.len();
                assert!(each < 36, "{each} bytes each at {}", matrix.len());
            }
        }
    }

    #[test]
    fn memory_stays_within_its_budget_and_the_most_used_survive() {
        let budget = 64 * 1024;
        let mut matrix = Matrix::<u64>::new(Some(budget));
        for number in 0..100_000_u128 {
            matrix.update(u64::pack(number, 1), 0);
            // Transitions in constant use.
            matrix.update(u64::pack(number % 50, 2), 0).weight += 1;
            assert!(matrix.peak_bytes() as u64 <= budget);
        }
        assert!(matrix.forgotten() > 90_000);
        assert!((0..50).all(|number| matrix.get(u64::pack(number, 2)).is_some()));
        assert_eq!(matrix.get(u64::pack(7, 2)).unwrap().weight, 2_000);
        assert!(matrix.get(u64::pack(3, 1)).is_none(), "used once, long ago");
    }

    #[test]
    fn what_is_filled_is_there() {
        let mut matrix = Matrix::<u128>::new(None);
        for number in 0..1_000 {
            matrix.update(u128::pack(number, number * number), number as i64);
        }
        let all = matrix.sorted();
        let mut again = Matrix::<u128>::new(None);
        again.fill(&all, 3);
        assert_eq!((again.sorted(), again.forgotten(), again.len()), (all, 3, 1_000));
    }
}
