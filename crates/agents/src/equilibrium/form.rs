//! A game in sequence form: the sequences of each role, and the payoff of every pair of sequences.
//!
//! A *sequence* is the list of all choices of a role up to a point; number 0 is the empty sequence. An information set
//! has a parent sequence, and each of its choices is a sequence of its own. Every end of the game belongs to one sequence
//! of each role, so the whole game is a sparse matrix of payoffs, weighted by the probabilities of chance (Koller,
//! Megiddo, von Stengel, *Fast algorithms for finding randomized strategies in game trees*, STOC 1994).

/// One of the two sides. Role 0 decides first in a match; either seat can have it.
pub type Role = usize;

/// An information set of a role.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Set {
    /// The parent sequence.
    pub parent: u32,
    /// The sequence of its first choice; the others follow.
    pub first: u32,
    /// The number of choices, at least two.
    pub choices: u32,
}

impl Set {
    /// Returns the sequences of the choices.
    #[must_use]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.choices) as usize
    }
}

/// An end of the game: the sequence of each role, and the payoff of role 0 times the probability of chance.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Terminal {
    /// The sequences.
    pub at: [u32; 2],
    /// The weighted payoff.
    pub worth: f64,
}

/// The payoffs of one role's sequences against the other's: a sparse matrix in row order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PayoffMatrix {
    /// The start of each row, plus the end of the last.
    pub begins: Vec<u32>,
    /// The other role's sequence of each entry.
    pub columns: Vec<u32>,
    /// The payoff of each entry to this role.
    pub worths: Vec<f64>,
}

impl PayoffMatrix {
    /// Returns the payoff of a row against the other role's `plan`.
    #[inline]
    #[must_use]
    pub fn dot(&self, row: usize, plan: &[f64]) -> f64 {
        let range = self.begins[row] as usize..self.begins[row + 1] as usize;
        let entries = self.columns[range.clone()].iter().zip(&self.worths[range]);
        entries.map(|(&column, &worth)| worth * plan[column as usize]).sum()
    }
}

/// One role's side of the game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Side {
    /// The information sets in depth-first order: those below a set follow it directly.
    pub sets: Vec<Set>,
    /// The number of sequences.
    pub sequences: usize,
    /// The payoffs of the sequences.
    pub rows: PayoffMatrix,
}

/// A game in sequence form.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SequenceForm {
    /// Both sides.
    pub sides: [Side; 2],
}

impl SequenceForm {
    /// Builds the form from sets and ends in any order. Also returns the old number of each set, for each role.
    #[must_use]
    pub fn new(sets: [Vec<Set>; 2], mut ends: Vec<Terminal>) -> (SequenceForm, [Vec<u32>; 2]) {
        let [first, second] = sets.map(|sets| arrange(&sets));
        for end in &mut ends {
            end.at = [first.renamed[end.at[0] as usize], second.renamed[end.at[1] as usize]];
        }
        // Unstable, but ends with equal sequences are sorted by payoff, so that they are always added up in the same
        // order.
        ends.sort_unstable_by(|a, b| a.at.cmp(&b.at).then(a.worth.total_cmp(&b.worth)));
        ends.dedup_by(|next, kept| {
            let same = next.at == kept.at;
            if same {
                kept.worth += next.worth;
            }
            same
        });
        ends.retain(|end| end.worth != 0.0);
        let rows = |role: Role, count: usize| gather(&ends, role, count);
        let (rows0, rows1) = (rows(0, first.sequences), rows(1, second.sequences));
        let sides = [
            Side { sets: first.sets, sequences: first.sequences, rows: rows0 },
            Side { sets: second.sets, sequences: second.sequences, rows: rows1 },
        ];
        (SequenceForm { sides }, [first.order, second.order])
    }

    /// Returns the number of information sets.
    #[must_use]
    pub fn sets(&self) -> usize {
        self.sides.iter().map(|side| side.sets.len()).sum()
    }

    /// Returns the number of pairs of sequences that end the game.
    #[must_use]
    pub fn ends(&self) -> usize {
        self.sides[0].rows.columns.len()
    }
}

/// Information sets in their final order.
struct Arranged {
    sets: Vec<Set>,
    /// The old number of each set.
    order: Vec<u32>,
    /// The new number of each sequence.
    renamed: Vec<u32>,
    sequences: usize,
}

/// Sorts the sets depth first, so that each subtree of a side below the empty sequence is contiguous.
fn arrange(sets: &[Set]) -> Arranged {
    let sequences = 1 + sets.iter().map(|set| set.choices as usize).sum::<usize>();
    let mut following: Vec<Vec<u32>> = vec![Vec::new(); sequences];
    for (number, set) in sets.iter().enumerate().rev() {
        following[set.parent as usize].push(number as u32);
    }
    let mut renamed = vec![0; sequences];
    let mut arranged = Vec::with_capacity(sets.len());
    let mut order = Vec::with_capacity(sets.len());
    let mut next = 1;
    let mut waiting = following[0].clone();
    while let Some(number) = waiting.pop() {
        let set = sets[number as usize];
        let parent = renamed[set.parent as usize];
        arranged.push(Set { parent, first: next, ..set });
        order.push(number);
        for old in set.range() {
            renamed[old] = next;
            next += 1;
        }
        for old in set.range().rev() {
            waiting.append(&mut following[old]);
        }
    }
    Arranged { sets: arranged, order, renamed, sequences }
}

/// Collects the ends as rows of one role, with its own payoffs.
fn gather(ends: &[Terminal], role: Role, count: usize) -> PayoffMatrix {
    let mut begins = vec![0_u32; count + 1];
    for end in ends {
        begins[end.at[role] as usize + 1] += 1;
    }
    for row in 0..count {
        begins[row + 1] += begins[row];
    }
    let mut next = begins.clone();
    let mut columns = vec![0; ends.len()];
    let mut worths = vec![0.0; ends.len()];
    let sign = if role == 0 { 1.0 } else { -1.0 };
    for end in ends {
        let slot = &mut next[end.at[role] as usize];
        columns[*slot as usize] = end.at[1 - role];
        worths[*slot as usize] = sign * end.worth;
        *slot += 1;
    }
    PayoffMatrix { begins, columns, worths }
}
