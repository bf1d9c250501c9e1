import type { Key } from '../types';

interface Props {
  keys: Key[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

/** The keys of a game or an agent as a form; an empty field is the default. */
export function KeysForm({ keys, values, onChange }: Props) {
  if (keys.length === 0) return null;
  const set = (name: string, value: string) => {
    const next = { ...values };
    if (value === '') delete next[name];
    else next[name] = value;
    onChange(next);
  };
  return (
    <div class="fields">
      {keys.map((key) => {
        const value = values[key.name] ?? '';
        const words = key.kind === 'switch' ? ['on', 'off'] : key.kind === 'choice' ? (key.words ?? []) : null;
        return (
          <label class="field" key={key.name} title={key.help}>
            <span>{key.name}</span>
            {words ? (
              <select value={value} onChange={(event) => set(key.name, (event.currentTarget as HTMLSelectElement).value)}>
                <option value="">{key.default}</option>
                {words
                  .filter((word) => word !== key.default)
                  .map((word) => (
                    <option key={word} value={word}>
                      {word}
                    </option>
                  ))}
              </select>
            ) : (
              <input
                value={value}
                placeholder={key.default}
                inputMode={key.kind === 'whole' ? 'numeric' : undefined}
                spellcheck={false}
                onInput={(event) => set(key.name, (event.currentTarget as HTMLInputElement).value.trim())}
              />
            )}
            <small>{key.help}</small>
          </label>
        );
      })}
    </div>
  );
}
