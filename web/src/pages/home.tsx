import { useEffect, useState } from 'preact/hooks';
import { catalog, get, message } from '../api';
import { Picture } from '../board/pictures';
import { start } from '../start';
import { forgetTable, tables } from '../store';
import type { Catalog, GameInfo, Snapshot } from '../types';
import { Heading, Loading, Notice, title, useTitle } from '../ui';

const ORDER = ['connect', 'checkers', 'dominoes', 'darkchess', 'minesweeper', 'tictactoe'];

const SENTENCES: Record<string, string> = {
  connect: 'Drop discs into columns. Four in a row wins.',
  checkers: 'Jump over every piece of the other side; jumps are compulsory.',
  dominoes: 'Hidden hands. Make the open ends add up to a multiple of five.',
  darkchess: 'Half a Chinese chess board, and every piece begins face down.',
  minesweeper: 'Alone against chance. Open every cell that is not a mine.',
  tictactoe: 'Fill the whole board; every three in a row is a point.',
};

/** The last table that is not over, if the server still has it. */
function useLastTable(): Snapshot | null {
  const [last, setLast] = useState<Snapshot | null>(null);
  useEffect(() => {
    let gone = false;
    void (async () => {
      for (const known of tables().slice(0, 4)) {
        try {
          const snapshot = await get<Snapshot>(`/api/tables/${known.table}`, known.keys[0]);
          if (gone) return;
          if (snapshot.over === null && snapshot.log.length > 0) {
            setLast(snapshot);
            return;
          }
        } catch {
          forgetTable(known.table);
        }
      }
    })();
    return () => {
      gone = true;
    };
  }, []);
  return last;
}

function Card({ game, onError }: { game: GameInfo; onError: (text: string) => void }) {
  const [busy, setBusy] = useState(false);
  const play = async () => {
    setBusy(true);
    try {
      if (game.seats === 1) await start({ game: game.name, seats: ['human'] });
      else await start({ game: game.name, seats: ['human', 'medium'] });
    } catch (error) {
      onError(message(error));
      setBusy(false);
    }
  };
  return (
    <li class="card">
      <div class="card-picture">
        <Picture name={game.name} />
      </div>
      <div class="card-text">
        <h2>{title(game.name)}</h2>
        <p>{SENTENCES[game.name] ?? game.summary}</p>
        <div class="row">
          <button type="button" class="button main" disabled={busy} onClick={play} aria-label={`Play ${title(game.name)} now`}>
            Play now
          </button>
          <a class="button quiet" href={`/play/${game.name}`} aria-label={`Options for ${title(game.name)}`}>
            Options
          </a>
        </div>
      </div>
    </li>
  );
}

export function Home() {
  useTitle('Games');
  const [known, setKnown] = useState<Catalog | null>(null);
  const [error, setError] = useState<string | null>(null);
  const last = useLastTable();
  useEffect(() => {
    catalog().then(setKnown, (problem) => setError(message(problem)));
  }, []);
  const games = known ? [...known.games].sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name)) : [];
  return (
    <div class="home">
      <div class="intro">
        <Heading>Six games, and agents that learn them</Heading>
        <p>Play against an agent, ask it why a move is good, watch two of them, or measure them in the lab.</p>
      </div>
      <Notice text={error} />
      {last && (
        <a class="continue" href={`/t/${last.table}`}>
          <span class="continue-picture">
            <Picture name={last.name} />
          </span>
          <span>
            <b>Continue {title(last.name)}</b>
            <span class="soft">
              {last.to_move === last.seat ? 'It is your turn' : 'Under way'} · {last.log.length} {last.log.length === 1 ? 'event' : 'events'} so far
            </span>
          </span>
        </a>
      )}
      {!known && !error && <Loading what="the games" />}
      <ul class="cards">
        {games.map((game) => (
          <Card key={game.name} game={game} onError={setError} />
        ))}
      </ul>
    </div>
  );
}
