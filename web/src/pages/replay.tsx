import { useEffect, useState } from 'preact/hooks';
import { catalog, message, request } from '../api';
import { readSaved, type Saved } from '../panel/review';
import { Viewer } from '../panel/viewer';
import { query } from '../router';
import type { Catalog } from '../types';
import { Heading, Notice, title, useTitle } from '../ui';

const SIDES: Record<string, string[]> = { connect: ['X', 'O'], tictactoe: ['X', 'O'], checkers: ['red', 'white'] };

interface Listed {
  saved: Saved;
  label: string;
}

function readAll(text: string): Listed[] {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line, number) => {
      try {
        const saved = readSaved(line);
        const seats = (JSON.parse(line).seats as string[] | undefined)?.map((seat) => seat.split('(')[0]).join(' – ');
        return { saved, label: `${number + 1}. ${title(saved.game.split('(')[0] ?? '')}${seats ? `, ${seats}` : ''}` };
      } catch {
        throw new Error(`Line ${number + 1} is not a saved game. Each line of such a file is one JSON document, as \`save\` and \`--save\` write it.`);
      }
    });
}

export function ReplayPage() {
  useTitle('Replay');
  const [known, setKnown] = useState<Catalog | null>(null);
  const [text, setText] = useState('');
  const [games, setGames] = useState<Listed[]>([]);
  const [chosen, setChosen] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    catalog().then(setKnown, (problem) => setError(message(problem)));
  }, []);
  const read = (content: string) => {
    setError(null);
    try {
      const found = readAll(content);
      if (found.length === 0) throw new Error('There is no game in it.');
      setGames(found);
      setChosen(0);
    } catch (problem) {
      setGames([]);
      setError(message(problem));
    }
  };
  // A game of the owner's store, from the list in the lab.
  const recorded = query.use().get('recorded');
  useEffect(() => {
    if (!recorded) return;
    request('GET', `/api/games/${Number(recorded)}`).then(
      async (answer) => read(await answer.text()),
      (problem) => setError(message(problem)),
    );
  }, [recorded]);
  const file = async (list: FileList | null | undefined) => {
    const first = list?.[0];
    if (first) read(await first.text());
  };
  const shown = games[chosen];
  const name = shown?.saved.game.split('(')[0] ?? '';
  return (
    <div class="replay-page">
      <Heading>Replay</Heading>
      <div
        class={over ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void file(event.dataTransfer?.files);
        }}
      >
        <label class="field wide">
          <span>Drop a file of saved games here, choose one, or paste a line</span>
          <textarea rows={3} value={text} spellcheck={false} placeholder='{"parlor":1,"game":"connect(…)", …}' onInput={(event) => setText((event.currentTarget as HTMLTextAreaElement).value)} />
        </label>
        <div class="row">
          <button type="button" class="button main" disabled={!text.trim()} onClick={() => read(text)}>
            Show
          </button>
          <label class="button file">
            <span>Choose a file</span>
            <input type="file" accept=".jsonl,.json,.txt" onChange={(event) => void file((event.currentTarget as HTMLInputElement).files)} />
          </label>
        </div>
      </div>
      <Notice text={error} />
      {games.length > 1 && (
        <label class="field inline">
          <span>Game</span>
          <select value={chosen} onChange={(event) => setChosen(Number((event.currentTarget as HTMLSelectElement).value))}>
            {games.map((game, number) => (
              <option key={number} value={number}>
                {game.label}
              </option>
            ))}
          </select>
        </label>
      )}
      {shown && (
        <>
          <h2>{shown.label}</h2>
          <Viewer
            key={shown.saved.line}
            saved={shown.saved}
            info={known?.games.find((game) => game.name === name)}
            sides={SIDES[name] ?? ['seat 0', 'seat 1']}
            seat={0}
            start="first"
            about={{ line: shown.saved.line, ms: 300 }}
            keyText={null}
            flipped={false}
          />
        </>
      )}
    </div>
  );
}
