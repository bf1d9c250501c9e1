import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const PATHS: Record<string, string> = {
  undo: 'M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3',
  flag: 'M6 22V3M6 4h12l-3 4.5L18 13H6',
  again: 'M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7',
  swap: 'M7 4 3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5',
  save: 'M12 3v12M7 11l5 5 5-5M4 20h16',
  bulb: 'M9 18h6M10 22h4M12 2a7 7 0 0 0-4 12.6c.7.6 1 1.4 1 2.4h6c0-1 .3-1.8 1-2.4A7 7 0 0 0 12 2z',
  graph: 'M3 3v18h18M7 15l4-5 4 3 5-7',
  flip: 'M8 3v18M8 21l-4-4M8 3l0 0M16 21V3M16 3l4 4',
  first: 'M6 5v14M19 5l-9 7 9 7z',
  previous: 'M16 5l-9 7 9 7z',
  next: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  step: 'M6 5l8 7-8 7zM18 5v14',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  stop: 'M6 6h12v12H6z',
  eye: 'M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7-10-7-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  picture: 'M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5M15.5 9a.5.5 0 1 0 0 .01',
  fast: 'M4 5l8 7-8 7zM12 5l8 7-8 7z',
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name] ?? ''} />
    </svg>
  );
}

interface ButtonProps {
  icon?: string;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  kind?: 'main' | 'quiet' | 'danger';
  pressed?: boolean;
  hideLabel?: boolean;
}

export function Button({ icon, label, onClick, disabled, kind, pressed, hideLabel }: ButtonProps) {
  return (
    <button
      type="button"
      class={`button ${kind ?? ''} ${hideLabel ? 'bare' : ''}`}
      disabled={disabled}
      aria-pressed={pressed}
      aria-label={hideLabel ? label : undefined}
      title={hideLabel ? label : undefined}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {!hideLabel && <span>{label}</span>}
    </button>
  );
}

export function Notice({ text, kind = 'error' }: { text: string | null; kind?: 'error' | 'info' }) {
  if (!text) return null;
  return (
    <p class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {text}
    </p>
  );
}

export function Loading({ what }: { what: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return <p class="loading">{late ? `Loading ${what} …` : ''}</p>;
}

export function Heading({ children }: { children: ComponentChildren }) {
  return <h1 tabIndex={-1}>{children}</h1>;
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const GAME_TITLES: Record<string, string> = {
  connect: 'Connect four',
  tictactoe: 'Tic-tac-toe',
  checkers: 'Checkers',
  minesweeper: 'Minesweeper',
  dominoes: 'Dominoes',
  darkchess: 'Dark chess',
};

export const title = (name: string) => GAME_TITLES[name] ?? name;

/** Sets the title of the document while the page is shown. */
export function useTitle(text: string): void {
  useEffect(() => {
    document.title = `${text} · parlor`;
  }, [text]);
}

/** Whether the window is as narrow as a telephone. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia('(max-width: 640px)').matches);
  useEffect(() => {
    const media = matchMedia('(max-width: 640px)');
    const change = () => setNarrow(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return narrow;
}
