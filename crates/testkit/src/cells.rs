//! Laws of cells, places, symmetries and numbers.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use parlor_core::{CellLayout, Cells, Game, Imagine, Numbered, Phase, Place, Rng, Seat, Symmetry};

use crate::walks::{Walker, walk};

/// How many views are remembered for the law that equal cells offer equal places.
const MOST_REMEMBERED: usize = 20_000;

/// Checks the laws of [`Cells`] and [`Numbered`] along `cases` random walks.
///
/// `chance` returns the image of an action of chance under a symmetry of the grid, such as a mine in the image of its cell. In a
/// game without chance it is never called.
///
/// # Panics
/// If a law does not hold; the message names the law and the walk.
pub fn cells_laws<G: Cells + Numbered + Imagine>(
    game: &G,
    cases: u32,
    chance: impl Fn(&G, Symmetry, G::Action) -> G::Action,
) {
    let layout = game.layout();
    check_layout(&layout);
    check_symmetries(game.symmetries(), &layout);
    check_numbers(game);
    let offered = RefCell::new(HashMap::new());
    walk(cases, |numbers| {
        let mut walker = Walker::new(game, numbers);
        let mut mirrored: Vec<(Symmetry, G::State)> =
            game.symmetries().iter().map(|&symmetry| (symmetry, game.start())).collect();
        let mut rng = Rng::new(7);
        loop {
            let state = &walker.state;
            for seat in Seat::all(game.seats()) {
                let view = game.view(state, seat);
                let cells = cells_of(game, &layout, &view);
                let world = game.imagine(&view, &mut rng);
                let imagined = cells_of(game, &layout, &game.view(&world, seat));
                assert_eq!(cells, imagined, "cells depend on something that seat {seat} cannot see");
                for (symmetry, image) in &mirrored {
                    let there = cells_of(game, &layout, &game.view(image, seat));
                    assert_eq!(
                        there,
                        image_of(&cells, *symmetry, &layout),
                        "{} does not map cells",
                        symmetry.name()
                    );
                }
            }
            if let Phase::Decide(seat) = game.phase(state) {
                let view = game.view(state, seat);
                let places = check_actions(game, &layout, state, &view);
                let cells = cells_of(game, &layout, &view);
                let mut offered = offered.borrow_mut();
                if offered.len() < MOST_REMEMBERED {
                    let before = offered.entry((seat, cells)).or_insert_with(|| places.clone());
                    assert_eq!(*before, places, "equal cells offer equal places");
                }
            }
            let Some(action) = walker.choose() else { break };
            for (symmetry, image) in &mut mirrored {
                let there = match game.phase(&walker.state) {
                    Phase::Chance => chance(game, *symmetry, action),
                    _ => image_of_action(game, &layout, &walker.state, action, *symmetry, image),
                };
                let allowed = game.try_apply(image, there);
                assert!(allowed.is_ok(), "{} maps {action:?} to {there:?}", symmetry.name());
            }
            walker.apply(action);
        }
        for (symmetry, image) in &mirrored {
            assert_eq!(game.phase(image), Phase::Over, "{} maps ends to ends", symmetry.name());
            assert_eq!(game.payoffs(image), game.payoffs(&walker.state), "{} keeps payoffs", symmetry.name());
        }
    });
}

fn cells_of<G: Cells>(game: &G, layout: &CellLayout, view: &G::View) -> Vec<u8> {
    // Filled with a number that is not a symbol, so that a cell that is not written is noticed.
    let mut cells = vec![u8::MAX; layout.count()];
    game.cells(view, &mut cells);
    let known = cells.iter().all(|&symbol| usize::from(symbol) < layout.symbols.len());
    assert!(known, "every cell holds a symbol of the layout: {cells:?}");
    cells
}

fn image_of(cells: &[u8], symmetry: Symmetry, layout: &CellLayout) -> Vec<u8> {
    let mut image = cells.to_vec();
    for (cell, &symbol) in (0..).zip(&cells[..layout.grid()]) {
        let there = symmetry.apply(cell, layout.width, layout.height);
        image[usize::from(there)] = symbol;
    }
    image
}

/// Returns the action of `image`, a state in the image of `state`, that lies where the symmetry puts `action`.
fn image_of_action<G: Cells>(
    game: &G,
    layout: &CellLayout,
    state: &G::State,
    action: G::Action,
    symmetry: Symmetry,
    image: &G::State,
) -> G::Action {
    let Phase::Decide(seat) = game.phase(state) else { panic!("a seat is to decide") };
    assert_eq!(game.phase(image), Phase::Decide(seat), "{} keeps the seat to move", symmetry.name());
    let view = game.view(image, seat);
    let wanted = game.place(&game.view(state, seat), action).image(symmetry, layout.width, layout.height);
    let found = game.actions(image).find(|&other| game.place(&view, other) == wanted);
    found.unwrap_or_else(|| panic!("{} maps {action:?} to no legal action", symmetry.name()))
}

/// Checks the places and numbers of the legal actions, and returns the places, sorted.
fn check_actions<G: Cells + Numbered>(
    game: &G,
    layout: &CellLayout,
    state: &G::State,
    view: &G::View,
) -> BTreeSet<Place> {
    let (mut places, mut numbers) = (BTreeSet::new(), HashSet::new());
    for action in game.actions(state) {
        let place = game.place(view, action);
        let inside = place.cells.iter().all(|&cell| usize::from(cell) < layout.grid());
        assert!(inside, "{action:?} lies on the grid: {place:?}");
        let number = game.number(action);
        assert!(number < game.numbers(), "{action:?} has number {number} of {}", game.numbers());
        assert_eq!(game.numbered(number), Some(action), "number {number} is {action:?}");
        assert!(numbers.insert(number), "two actions have number {number}");
        assert!(places.insert(place), "{action:?} shares its place with another action");
    }
    places
}

fn check_layout(layout: &CellLayout) {
    assert!((1..=255).contains(&layout.symbols.len()), "a cell is a byte, and 255 is no symbol");
    assert!(layout.count() > 0 && layout.grid() <= usize::from(u16::MAX), "cells have numbers");
    for symbol in &layout.symbols {
        let length = symbol.text.chars().count();
        let word = (1..=3).contains(&length) && !symbol.text.contains(char::is_whitespace);
        assert!(word, "{:?} is a short text", symbol.text);
        assert!(!symbol.meaning.is_empty(), "{} has a meaning", symbol.text);
    }
    let distinct = |texts: Vec<&String>| texts.iter().collect::<HashSet<_>>().len() == texts.len();
    assert!(distinct(layout.symbols.iter().map(|symbol| &symbol.text).collect()), "symbols are distinct");
    assert!(distinct(layout.symbols.iter().map(|symbol| &symbol.meaning).collect()), "meanings are distinct");
    assert!(distinct(layout.beside.iter().collect()), "cells beside the grid have distinct names");
}

/// Checks that the symmetries fit the grid and form a group.
fn check_symmetries(symmetries: &[Symmetry], layout: &CellLayout) {
    assert_eq!(symmetries.first(), Some(&Symmetry::Identity), "the identity comes first");
    for (at, &one) in symmetries.iter().enumerate() {
        assert!(!symmetries[..at].contains(&one), "symmetries are distinct");
        assert!(!one.swaps_sides() || layout.width == layout.height, "{} keeps the sides", one.name());
        assert!(symmetries.contains(&one.inverse()), "{} can be undone", one.name());
        for &other in symmetries {
            assert!(symmetries.contains(&one.then(other)), "two symmetries together are one");
        }
    }
}

/// Checks that numbers and actions correspond, on a sample of them where there are many.
fn check_numbers<G: Numbered>(game: &G) {
    let count = game.numbers();
    assert!(count > 0, "some action has a number");
    let step = count.div_ceil(5_000);
    for number in (0..count).step_by(step).chain([count - 1]) {
        let action =
            game.numbered(number).unwrap_or_else(|| panic!("number {number} of {count} is an action"));
        assert_eq!(game.number(action), number, "number {number} is {action:?}");
    }
    for beyond in [count, count + 1, usize::MAX] {
        assert_eq!(game.numbered(beyond), None, "there are {count} numbers");
    }
}

/// The image of chance in a game without any.
///
/// # Panics
/// Always.
pub fn no_chance<G: Game>(_: &G, _: Symmetry, action: G::Action) -> G::Action {
    panic!("{action:?} is an action of chance")
}
