// Values that several parts of the page show: the address, the theme, whether hints are on.
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Shared<T> {
  value: T;
  /** The value, for a component that is drawn again when it changes. */
  use(): T;
}

export function shared<T>(value: T): Shared<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    get value() {
      return value;
    },
    set value(next) {
      value = next;
      for (const listener of listeners) listener(next);
    },
    use() {
      const [shown, show] = useState(value);
      useLayoutEffect(() => {
        const listener = (next: T) => show(next);
        listeners.add(listener);
        // It may have changed since this was drawn.
        listener(value);
        return () => {
          listeners.delete(listener);
        };
      }, []);
      return shown;
    },
  };
}
