import { useEffect, useState } from 'preact/hooks';
import { catalog, message } from '../api';
import { Picture } from '../board/pictures';
import { KeysForm } from '../panel/keys';
import { query } from '../router';
import { formatSpec, parseSpec } from '../spec';
import { start } from '../start';
import type { Catalog, GameInfo } from '../types';
import { Heading, Loading, Notice, title, useTitle } from '../ui';

const LEVEL_TEXT: Record<string, string> = {
  easy: 'Easy',
  medium: 'Medium',
  hard: 'Hard',
  strongest: 'Strongest',
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  expert: 'Expert',
};

const CLOCKS: [string, string][] = [
  ['', 'No clock'],
  ['1m+1s', '1 minute + 1 s a move'],
  ['5m+2s', '5 minutes + 2 s a move'],
  ['15m+10s', '15 minutes + 10 s a move'],
  ['20s/move', '20 s a move'],
];

export interface Choice {
  value: string;
  label: string;
  detail?: string;
}

export function Choices({ legend, name, value, options, onChange }: { legend: string; name: string; value: string; options: Choice[]; onChange: (value: string) => void }) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      <div class="choice-row">
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? 'choice on' : 'choice'}>
            <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span>
              <b>{option.label}</b>
              {option.detail && <small>{option.detail}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function PlaySetup({ game }: { game: string }) {
  useTitle(title(game));
  const [known, setKnown] = useState<Catalog | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    catalog().then(setKnown, (problem) => setError(message(problem)));
  }, []);
  const info = known?.games.find((entry) => entry.name === game || entry.aliases.includes(game));
  if (error) return <Notice text={error} />;
  if (!known) return <Loading what="the game" />;
  if (!info)
    return (
      <>
        <Heading>No such game</Heading>
        <p>
          There is no game named {game}. <a href="/">All games</a>
        </p>
      </>
    );
  return <Form info={info} known={known} />;
}

function Form({ info, known }: { info: GameInfo; known: Catalog }) {
  const wanted = query.use();
  const alone = info.seats === 1;
  const named = known.agents.filter((agent) => agent.games.includes(info.name));
  const [spec, setSpec] = useState(wanted.get('game') ?? info.usual);
  const [opponent, setOpponent] = useState(wanted.get('level') ?? (wanted.get('agent') ? 'agent' : 'medium'));
  const [agent, setAgent] = useState(wanted.get('agent') ?? info.agents[0]?.name ?? 'random');
  const [seat, setSeat] = useState(wanted.get('seat') ?? '0');
  const [seed, setSeed] = useState(wanted.get('seed') ?? '');
  const [time, setTime] = useState(wanted.get('time') ?? '');
  const [position, setPosition] = useState(wanted.get('position') ?? '');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const boards: Choice[] = alone
    ? info.levels.map((level) => ({ value: level.game ?? '', label: LEVEL_TEXT[level.name] ?? level.name, detail: info.presets.find((preset) => preset.game === level.game)?.summary }))
    : info.presets.map((preset) => ({ value: preset.game, label: preset.name.charAt(0).toUpperCase() + preset.name.slice(1), detail: preset.summary }));
  const chosen = boards.some((board) => board.value === spec);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const other = opponent === 'agent' ? agent : opponent;
    const mine = seat === 'random' ? Math.floor(Math.random() * 2) : Number(seat);
    const seats = alone ? ['human'] : opponent === 'person' ? ['human', 'human'] : mine === 0 ? ['human', other] : [other, 'human'];
    try {
      await start({
        game: spec,
        seats,
        ...(position.trim() ? { position: position.trim() } : {}),
        ...(seed.trim() ? { seed: Number(seed) } : {}),
        ...(time ? { time } : {}),
      });
    } catch (problem) {
      setError(message(problem));
      setBusy(false);
    }
  };

  return (
    <div class="setup">
      <div class="setup-head">
        <div class="setup-picture">
          <Picture name={info.name} />
        </div>
        <div>
          <Heading>{title(info.name)}</Heading>
          <p>{info.summary.charAt(0).toUpperCase() + info.summary.slice(1)}.</p>
          <details>
            <summary>Rules</summary>
            <pre class="rules">{info.rules}</pre>
            <a href={`/guide/games/${info.name}`}>All rules, keys and text forms</a>
          </details>
        </div>
      </div>
      <form onSubmit={submit}>
        {boards.length > 1 && <Choices legend={alone ? 'Level' : 'Board'} name="board" value={spec} options={boards} onChange={setSpec} />}
        {!alone && (
          <Choices
            legend="Opponent"
            name="opponent"
            value={opponent}
            onChange={setOpponent}
            options={[
              ...info.levels.map((level) => ({ value: level.name, label: LEVEL_TEXT[level.name] ?? level.name, detail: level.agent })),
              ...named.map((entry) => ({ value: entry.name, label: entry.name.slice(1), detail: 'offered by the owner' })),
              { value: 'agent', label: 'Any agent', detail: 'with its keys' },
              { value: 'person', label: 'A person', detail: 'by a link, or at this screen' },
            ]}
          />
        )}
        {!alone && opponent === 'agent' && (
          <fieldset class="keys-box">
            <legend class="hidden-text">Agent and its keys</legend>
            <label class="field">
              <span>Agent</span>
              <select value={parseSpec(agent).name} onChange={(event) => setAgent((event.currentTarget as HTMLSelectElement).value)}>
                {info.agents.map((entry) => (
                  <option key={entry.name} value={entry.name}>
                    {entry.name} – {entry.summary}
                  </option>
                ))}
              </select>
            </label>
            <KeysForm
              keys={info.agents.find((entry) => entry.name === parseSpec(agent).name)?.keys ?? []}
              values={parseSpec(agent).keys}
              onChange={(keys) => setAgent(formatSpec({ name: parseSpec(agent).name, keys }))}
            />
            <label class="field wide">
              <span>As text</span>
              <input value={agent} onInput={(event) => setAgent((event.currentTarget as HTMLInputElement).value)} spellcheck={false} />
            </label>
          </fieldset>
        )}
        {!alone && opponent !== 'person' && (
          <Choices
            legend="Your seat"
            name="seat"
            value={seat}
            onChange={setSeat}
            options={[
              { value: '0', label: 'First' },
              { value: '1', label: 'Second' },
              { value: 'random', label: 'By lot' },
            ]}
          />
        )}
        <details class="more" open={!chosen || seed !== '' || position !== '' || time !== ''}>
          <summary>Clock, seed, position, keys of the game</summary>
          <div class="fields">
            <label class="field">
              <span>Clock</span>
              <select value={time} onChange={(event) => setTime((event.currentTarget as HTMLSelectElement).value)}>
                {CLOCKS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              <span>Seed</span>
              <input inputMode="numeric" pattern="[0-9]*" value={seed} placeholder="by chance" onInput={(event) => setSeed((event.currentTarget as HTMLInputElement).value)} />
            </label>
            <label class="field wide">
              <span>Position</span>
              <input value={position} placeholder="the start" spellcheck={false} onInput={(event) => setPosition((event.currentTarget as HTMLInputElement).value)} />
            </label>
          </div>
          <KeysForm keys={info.keys} values={parseSpec(spec).keys} onChange={(keys) => setSpec(formatSpec({ name: info.name, keys }))} />
          <label class="field wide">
            <span>Game as text</span>
            <input value={spec} onInput={(event) => setSpec((event.currentTarget as HTMLInputElement).value)} spellcheck={false} />
          </label>
        </details>
        <Notice text={error} />
        <button type="submit" class="button main big" disabled={busy}>
          Play
        </button>
      </form>
    </div>
  );
}
