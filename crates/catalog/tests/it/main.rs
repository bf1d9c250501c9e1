//! Tests of the registry: every game with every agent. One binary: linking is what takes the time.

mod agents;
mod alphabeta;
mod analysis;
mod beliefs;
mod books;
mod cells;
mod classifiers;
mod collective;
mod endgames;
mod equilibrium;
mod expectimax;
mod fable;
mod hidden;
mod house;
mod leduc;
mod mcts;
mod mstar;
mod nonsense;
mod ntuple;
#[cfg(unix)]
mod people;
mod pipe;
mod playthroughs;
mod policies;
mod recognition;
mod recognition_memory;
mod specs;
mod tables;
mod thinkers;
mod thoughts;
