//! A game in sequence form: what each role can choose, and what every pair of choices is worth.
//!
//! A *sequence* is everything that a role has chosen up to a point; number 0 is nothing at all. An information set hangs on the
//! sequence that leads to it, and each of its choices is a sequence of its own. Every way the game can end belongs to one
//! sequence of each role, so that the whole game is a sparse matrix of payoffs, weighed by the odds of chance (Koller, Megiddo,
//! von Stengel, *Fast algorithms for finding randomized strategies in game trees*, STOC 1994).

/// One of the two sides. The role that decides first in a match is 0: it may have either seat.
pub type Role = usize;

/// What a role knows when it is to choose.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Set {
    /// The sequence that leads to it.
    pub parent: u32,
    /// The sequence of its first choice; the others follow.
    pub first: u32,
    /// How many choices there are, two or more.
    pub choices: u32,
}

impl Set {
    /// Returns the sequences of its choices.
    #[must_use]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.choices) as usize
    }
}

/// An end of the game: the sequence of each role, and the payoff of role 0 times the odds of chance.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct End {
    /// The sequences.
    pub at: [u32; 2],
    /// What it is worth.
    pub worth: f64,
}

/// What one role's sequences are worth against each of the other's: a sparse matrix, row by row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rows {
    /// Where each row begins; one more than there are rows.
    pub begins: Vec<u32>,
    /// The other role's sequence of each entry.
    pub columns: Vec<u32>,
    /// The worth of each entry to this role.
    pub worths: Vec<f64>,
}

impl Rows {
    /// Returns what a row is worth if the other role plays `plan`.
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
    /// The information sets. Those that follow on one come right behind it, before anything else.
    pub sets: Vec<Set>,
    /// How many sequences there are.
    pub sequences: usize,
    /// What they are worth.
    pub rows: Rows,
}

/// A whole game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Form {
    /// Both sides.
    pub sides: [Side; 2],
}

impl Form {
    /// Brings together what was found in any order. Returns for each role the old number of each set, too.
    #[must_use]
    pub fn new(sets: [Vec<Set>; 2], mut ends: Vec<End>) -> (Form, [Vec<u32>; 2]) {
        let [first, second] = sets.map(|sets| arrange(&sets));
        for end in &mut ends {
            end.at = [first.renamed[end.at[0] as usize], second.renamed[end.at[1] as usize]];
        }
        // Unstable, but ends that share their sequences are added up in the order of their worth: always the same.
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
        (Form { sides }, [first.order, second.order])
    }

    /// Returns how many information sets there are.
    #[must_use]
    pub fn sets(&self) -> usize {
        self.sides.iter().map(|side| side.sets.len()).sum()
    }

    /// Returns how many pairs of sequences end the game.
    #[must_use]
    pub fn ends(&self) -> usize {
        self.sides[0].rows.columns.len()
    }
}

/// Sets in their final order.
struct Arranged {
    sets: Vec<Set>,
    /// The old number of each set.
    order: Vec<u32>,
    /// The new number of each sequence.
    renamed: Vec<u32>,
    sequences: usize,
}

/// Puts every set right behind what it follows on, so that each part of a side that hangs on the start alone lies together.
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

/// Gathers the ends as rows of one role; the payoffs are its own.
fn gather(ends: &[End], role: Role, count: usize) -> Rows {
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
    Rows { begins, columns, worths }
}
