import { useEffect, useState } from 'preact/hooks';
import { catalog, message } from '../api';
import { Picture } from '../board/pictures';
import { query } from '../router';
import { start } from '../start';
import type { Catalog, GameInfo } from '../types';
import { Heading, Loading, Notice, title, useTitle } from '../ui';

function AgentField({ info, offered, label, value, onChange }: { info: GameInfo; offered: Catalog['agents']; label: string; value: string; onChange: (value: string) => void }) {
  const id = `agents-${label.replace(' ', '-').toLowerCase()}`;
  return (
    <label class="field">
      <span>{label}</span>
      <input value={value} list={id} spellcheck={false} onInput={(event) => onChange((event.currentTarget as HTMLInputElement).value)} />
      <datalist id={id}>
        {info.levels.filter((level) => level.agent).map((level) => (
          <option key={level.name} value={level.name}>
            {level.agent}
          </option>
        ))}
        {[...offered.filter((agent) => agent.games.includes(info.name)).map((agent) => [agent.name, agent.spec]), ...info.agents.map((agent) => [agent.name, agent.summary])].map(([name, about]) => (
          <option key={name} value={name}>
            {about}
          </option>
        ))}
      </datalist>
    </label>
  );
}

export function Watch() {
  useTitle('Watch');
  const wanted = query.use();
  const [known, setKnown] = useState<Catalog | null>(null);
  const [name, setName] = useState(wanted.get('game') ?? 'connect');
  const [spec, setSpec] = useState<string | null>(null);
  const [first, setFirst] = useState(wanted.get('first') ?? 'hard');
  const [second, setSecond] = useState(wanted.get('second') ?? 'medium');
  const [seed, setSeed] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    catalog().then(setKnown, (problem) => setError(message(problem)));
  }, []);
  const info = known?.games.find((game) => game.name === name);
  if (!known || !info)
    return (
      <>
        <Heading>Watch two agents</Heading>
        <Notice text={error} />
        {!error && <Loading what="the games" />}
      </>
    );
  const alone = info.seats === 1;
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await start({
        game: spec ?? info.usual,
        seats: alone ? [first] : [first, second],
        pace_ms: 600,
        ...(seed.trim() ? { seed: Number(seed) } : {}),
      });
    } catch (problem) {
      setError(message(problem));
      setBusy(false);
    }
  };
  const choose = (next: string) => {
    setName(next);
    setSpec(null);
    const chosen = known.games.find((game) => game.name === next);
    if (chosen?.seats === 1) setFirst(chosen.hints.split('(')[0] ?? 'random');
    else if (alone) setFirst('hard');
  };
  return (
    <div class="setup">
      <Heading>Watch two agents</Heading>
      <form onSubmit={submit}>
        <fieldset class="choices">
          <legend>Game</legend>
          <div class="choice-row pictures">
            {known.games.map((game) => (
              <label key={game.name} class={game.name === name ? 'choice on' : 'choice'}>
                <input type="radio" name="game" value={game.name} checked={game.name === name} onChange={() => choose(game.name)} />
                <span>
                  <Picture name={game.name} />
                  <b>{title(game.name)}</b>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <div class="fields">
          <AgentField info={info} offered={known.agents} label={alone ? 'Agent' : 'First agent'} value={first} onChange={setFirst} />
          {!alone && <AgentField info={info} offered={known.agents} label="Second agent" value={second} onChange={setSecond} />}
          <label class="field">
            <span>Board</span>
            <select value={spec ?? info.usual} onChange={(event) => setSpec((event.currentTarget as HTMLSelectElement).value)}>
              {!info.presets.some((preset) => preset.game === info.usual) && <option value={info.usual}>usual</option>}
              {info.presets.map((preset) => (
                <option key={preset.name} value={preset.game}>
                  {preset.summary}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>Seed</span>
            <input value={seed} inputMode="numeric" pattern="[0-9]*" placeholder="by chance" onInput={(event) => setSeed((event.currentTarget as HTMLInputElement).value)} />
          </label>
        </div>
        <Notice text={error} />
        <button type="submit" class="button main big" disabled={busy}>
          Watch
        </button>
      </form>
    </div>
  );
}
