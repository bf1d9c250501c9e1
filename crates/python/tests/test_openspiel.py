"""Code written against pyspiel's method names."""

import random

import pytest
from common import GAMES

import parlor
from parlor import openspiel


def minimax(state, maximizing):
    """The value for a player, as OpenSpiel's examples compute it."""
    if state.is_terminal():
        return state.player_return(maximizing)
    if state.is_chance_node():
        return sum(odds * minimax(state.child(action), maximizing) for action, odds in state.chance_outcomes())
    values = [minimax(state.child(action), maximizing) for action in state.legal_actions()]
    return max(values) if state.current_player() == maximizing else min(values)


def test_minimax_knows_what_tictactoe_is_worth():
    state = openspiel.load_game("tictactoe(rows=3, columns=3)").new_initial_state()
    for action in (0, 4, 8):
        state.apply_action(action)
    while state.legal_actions():
        player = state.current_player()
        assert minimax(state, player) == parlor.solve("tictactoe", state.table.position()).value
        assert state.action_to_string(player, 7) == "b3"
        state.apply_action(state.legal_actions()[-1])


@pytest.mark.parametrize("spec", GAMES)
def test_random_walks_in_every_game(spec):
    game = openspiel.load_game(spec)
    rng = random.Random(4)
    for _ in range(2):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes())
                assert sum(odds) == pytest.approx(1)
                state.apply_action(rng.choices(actions, odds)[0])
                continue
            player = state.current_player()
            assert state.legal_actions(1 - player) == []
            assert sum(state.legal_actions_mask(player)) == len(state.legal_actions())
            action = rng.choice(state.legal_actions())
            assert state.string_to_action(state.action_to_string(player, action)) == action
            assert state.observation_tensor(player).shape == tuple(game.observation_tensor_shape())
            world = state.resample_from_infostate(player, rng.random)
            assert world.observation_string(player) == state.observation_string(player)
            state.apply_action(action)
        assert len(state.returns()) == game.num_players()
        assert game.min_utility() <= min(state.returns()) and max(state.returns()) <= game.max_utility()
        # A history leads to the same state again.
        again = game.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        assert again.returns() == state.returns() and str(again) == str(state)


def test_information_states_are_what_was_seen():
    game = openspiel.load_game("dominoes(rules=myers)")
    rng = random.Random(2)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    player = state.current_player()
    world = state.resample_from_infostate(player, rng.random)
    assert world.table.view(player) == state.table.view(player)
    assert state.information_state_string(0) != state.information_state_string(1)
