"""Games and tables: numbers, masks, copies, pickles, imagined worlds."""

import copy
import pickle

import numpy as np
import pytest
from common import GAMES, finish, walk

import parlor


def test_every_game_is_here():
    assert sorted(parlor.games()) == sorted(spec.split("(")[0] for spec in GAMES)


@pytest.mark.parametrize("spec", GAMES)
def test_texts_numbers_masks_and_cells_agree(spec):
    game = parlor.open(spec)
    assert parlor.open(game.spec) == game and pickle.loads(pickle.dumps(game)) == game
    for table in walk(spec, seed=7):
        assert len(table.actions) == len(table.numbers)
        mask = table.mask()
        assert mask.dtype == np.bool_ and mask.shape == (game.actions,)
        assert sorted(table.numbers) == np.flatnonzero(mask).tolist()
        if not table.is_over:
            assert [game.action_text(number) for number in table.numbers] == table.actions
        for seat in range(game.seats):
            cells = table.cells(seat)
            assert cells.dtype == np.uint8 and cells.shape == (game.cells,)
            assert cells.max() < len(game.symbols)
            assert table.view(seat)["game"] == game.spec and table.draw(seat)


@pytest.mark.parametrize("spec", GAMES)
def test_copies_and_pickles_in_the_middle_of_a_match_go_on_equally(spec):
    tried = 0
    for seed in range(5):
        for number, table in enumerate(walk(spec, seed)):
            if table.is_over or number % 4:
                continue
            copies = [copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))]
            for one in copies:
                assert one.actions == table.actions and one.mover == table.mover
                assert [one.view(seat) for seat in range(one.game.seats)] == [
                    table.view(seat) for seat in range(one.game.seats)
                ]
                assert one.seen(0) == table.seen(0)
            ends = {(tuple(finish(one, 3)), str(one.saved())) for one in copies}
            assert len(ends) == 1
            tried += 1
    assert tried >= 5


@pytest.mark.parametrize("spec", GAMES)
def test_imagined_worlds_look_alike_and_have_a_future_of_their_own(spec):
    for number, table in enumerate(walk(spec, seed=11)):
        if table.is_over or number % 7:
            continue
        seat = table.mover
        worlds = [table.imagine(seat, seed) for seed in range(4)]
        for world in worlds:
            assert world.view(seat) == table.view(seat) and world.actions == table.actions
            assert world.is_sandbox and world.chances() == []
            again = pickle.loads(pickle.dumps(world))
            assert finish(again, 1) == finish(world, 1)
            with pytest.raises(parlor.ParlorError, match="has not happened"):
                world.saved()


def test_imagination_does_not_see_what_is_hidden():
    # Of the tiles that the seat has not seen, the other hand is drawn anew: not always the true one.
    table = parlor.open("dominoes(rules=myers)").table(seed=4)
    seat = table.mover
    others = {str(table.imagine(seat, seed).view(1 - seat)) for seed in range(30)}
    assert len(others) > 5


def test_chance_is_listed_where_nothing_is_hidden():
    table = parlor.open("darkchess").table(seed=1, auto_chance=False)
    table.act(table.actions[0])
    assert table.is_chance and sum(odds for _, odds in table.chances()) == pytest.approx(1)
    table.replay(table.chances()[0][0])
    assert table.mover == 1
    with pytest.raises(parlor.Unsupported, match="dominoes hides things"):
        parlor.open("dominoes").table(auto_chance=False).chances()
    assert parlor.open("dominoes").sandbox().chances() == [("leads:0", 0.5), ("leads:1", 0.5)]


def test_moves_are_taken_back_where_nothing_is_hidden():
    table = parlor.open("connect").table()
    assert not table.undo()
    table.act("4")
    assert table.undo() and table.mover == 0
    hidden = parlor.open("dominoes").table(seed=1)
    with pytest.raises(parlor.Unsupported, match="nothing can be taken back"):
        hidden.undo()


def test_errors_are_sentences():
    with pytest.raises(parlor.ParlorError, match="did you mean `width`"):
        parlor.open("connect(widht=7)")
    table = parlor.open("tictactoe").table()
    with pytest.raises(parlor.ParlorError, match="number 99 is not legal here"):
        table.act(99)
    with pytest.raises(parlor.Conflict, match="seat 0 is to move"):
        table.act("a1", seat=1)
    with pytest.raises(parlor.ParlorError, match="no seat 5"):
        table.view(5)
    with pytest.raises(TypeError):
        table.act(None)
    with pytest.raises((parlor.ParlorError, OverflowError, TypeError)):
        table.act(-1)
    finish(table, 1)
    with pytest.raises(parlor.Conflict, match="over"):
        table.act("a1")


def test_a_position_is_a_start():
    table = parlor.open("tictactoe").table(position=".X./O.X/.XO")
    assert table.mover == 1
    assert pickle.loads(pickle.dumps(table)).actions == table.actions
    assert table.saved()["start"] == ".X./O.X/.XO"


def test_agents_play_at_tables():
    table = parlor.open("dominoes").table(seed=2)
    table.seat(0, "expert")
    table.seat(1, "random")
    assert len(table.play()) == 2 and table.is_over
    with pytest.raises(parlor.ParlorError, match="no agent"):
        table.seat(0, "nobody")
    empty = parlor.open("tictactoe").table()
    with pytest.raises(parlor.Conflict, match="no agent sits"):
        empty.agent_act()


def test_planes_are_the_cells():
    game = parlor.open("connect(width=7, height=6)")
    table = game.table()
    table.replay("4 4 1")
    planes = game.planes(table.cells())
    assert planes.shape == (3, 6, 7) and planes.sum() == 42 and planes[1].sum() == 2


def test_random_walks_differ_by_seed():
    shown = set()
    for seed in range(6):
        table = parlor.open("dominoes").table(seed=seed)
        shown.add(str(table.view()))
    assert len(shown) == 6
