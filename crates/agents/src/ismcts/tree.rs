//! The tree of the events that one seat can see, with visit counts.

/// No node.
const NONE: u32 = u32::MAX;

/// The root of the search.
pub(super) const ROOT: u32 = 0;

/// An observation of the seat that follows those of its ancestors.
#[derive(Copy, Clone, Debug)]
pub(super) struct Node<A> {
    /// The observation; `None` at the root.
    pub seen: Option<A>,
    first: u32,
    next: u32,
    /// Number of visits.
    pub tried: u32,
    /// Number of visits of the parent in whose worlds it was available.
    pub offered: u32,
    /// Sum of the results for the seat whose tree this is.
    pub total: f64,
}

impl<A> Node<A> {
    const fn new(seen: Option<A>) -> Node<A> {
        Node { seen, first: NONE, next: NONE, tried: 0, offered: 0, total: 0.0 }
    }

    /// Returns the mean result.
    pub fn mean(&self) -> f64 {
        if self.tried == 0 { 0.0 } else { self.total / f64::from(self.tried) }
    }
}

/// The nodes, in one allocation.
pub(super) struct Tree<A> {
    nodes: Vec<Node<A>>,
    /// The root of the next search; `None` if an observation has left the tree.
    at: Option<u32>,
}

impl<A: Copy + PartialEq> Tree<A> {
    pub fn new() -> Tree<A> {
        Tree { nodes: Vec::new(), at: None }
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(None));
        self.at = Some(ROOT);
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Moves the root of the next search below an observation.
    pub fn follow(&mut self, seen: A) {
        self.at = self.at.filter(|_| !self.nodes.is_empty()).and_then(|at| self.child(at, seen));
    }

    /// Keeps the subtree below the next root and drops the rest; empties the tree if no root was reached.
    pub fn settle(&mut self) {
        let Some(at) = self.at.filter(|_| !self.nodes.is_empty()) else {
            self.clear();
            return;
        };
        if at == ROOT {
            return;
        }
        let old = std::mem::take(&mut self.nodes);
        self.nodes.push(Node { seen: None, first: NONE, next: NONE, ..old[at as usize] });
        // Breadth first: each node of the new tree appends its children; `sources` has their old places.
        let mut sources = vec![at];
        let mut parent = 0;
        while parent < sources.len() {
            let mut child = old[sources[parent] as usize].first;
            let mut last = NONE;
            while child != NONE {
                let index = self.nodes.len() as u32;
                self.nodes.push(Node { first: NONE, next: NONE, ..old[child as usize] });
                sources.push(child);
                if last == NONE {
                    self.nodes[parent].first = index;
                } else {
                    self.nodes[last as usize].next = index;
                }
                last = index;
                child = old[child as usize].next;
            }
            parent += 1;
        }
        self.at = Some(ROOT);
    }

    pub fn node(&self, at: u32) -> &Node<A> {
        &self.nodes[at as usize]
    }

    pub fn node_mut(&mut self, at: u32) -> &mut Node<A> {
        &mut self.nodes[at as usize]
    }

    /// Returns the children of a node.
    pub fn children(&self, of: u32) -> impl Iterator<Item = u32> + '_ {
        let existing = |at: u32| (at != NONE).then_some(at);
        std::iter::successors(existing(self.node(of).first), move |&at| existing(self.node(at).next))
    }

    /// Returns the child of an observation.
    #[inline]
    pub fn child(&self, of: u32, seen: A) -> Option<u32> {
        let mut at = self.node(of).first;
        while at != NONE {
            let node = self.node(at);
            if node.seen == Some(seen) {
                return Some(at);
            }
            at = node.next;
        }
        None
    }

    /// Returns the child of an observation, creating it if necessary.
    #[inline]
    pub fn grow(&mut self, of: u32, seen: A) -> u32 {
        self.child(of, seen).unwrap_or_else(|| {
            let at = self.nodes.len() as u32;
            let next = self.node(of).first;
            self.nodes.push(Node { next, ..Node::new(Some(seen)) });
            self.node_mut(of).first = at;
            at
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contents of a tree independently of the order of its nodes.
    fn picture(tree: &Tree<char>, at: u32) -> String {
        let mut below: Vec<String> = tree.children(at).map(|child| picture(tree, child)).collect();
        below.sort();
        let node = tree.node(at);
        format!("{}{}({})", node.seen.unwrap_or('-'), node.tried, below.join(" "))
    }

    #[test]
    fn what_lies_below_is_kept() {
        let mut tree = Tree::new();
        tree.clear();
        for (count, path) in ["ab", "ac", "acd", "ace", "acef", "b"].iter().enumerate() {
            let end = path.chars().fold(ROOT, |at, seen| tree.grow(at, seen));
            tree.node_mut(end).tried = count as u32 + 1;
        }
        assert_eq!(picture(&tree, ROOT), "-0(a0(b1() c2(d3() e4(f5()))) b6())");
        tree.follow('a');
        tree.follow('c');
        tree.settle();
        assert_eq!(picture(&tree, ROOT), "-2(d3() e4(f5()))");
        tree.settle();
        assert_eq!(picture(&tree, ROOT), "-2(d3() e4(f5()))", "nothing new was seen");
        tree.follow('x');
        tree.follow('d');
        tree.settle();
        assert_eq!(picture(&tree, ROOT), "-0()", "what was seen is not in the tree");
    }
}
