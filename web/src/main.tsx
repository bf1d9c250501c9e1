import { Component, type ComponentChildren, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { offline } from './live';
import { Home } from './pages/home';
import { Lab } from './pages/lab';
import { PlaySetup } from './pages/play';
import { ReplayPage } from './pages/replay';
import { TablePage } from './pages/table';
import { Watch } from './pages/watch';
import { path, startRouter } from './router';
import { setTheme, type Theme, theme } from './store';
import { Heading, Icon, useTitle } from './ui';

const LINKS: [string, string][] = [
  ['/', 'Play'],
  ['/watch', 'Watch'],
  ['/replay', 'Replay'],
  ['/lab', 'Lab'],
  ['/guide', 'Guide'],
];

const THEMES: Record<Theme, { next: Theme; icon: string; label: string }> = {
  system: { next: 'light', icon: 'auto', label: 'Colours: as the system' },
  light: { next: 'dark', icon: 'sun', label: 'Colours: light' },
  dark: { next: 'system', icon: 'moon', label: 'Colours: dark' },
};

function Top() {
  const here = path.use();
  const mode = THEMES[theme.use()];
  const current = (to: string) => (to === '/' ? here === '/' || here.startsWith('/play/') : here.startsWith(to));
  return (
    <header class="top">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <a class="brand" href="/">
        <img src="/assets/icon.svg" alt="" width="28" height="28" />
        <span>parlor</span>
      </a>
      <nav aria-label="Pages">
        {LINKS.map(([to, name]) => (
          <a key={to} href={to} aria-current={current(to) ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <button type="button" class="button bare theme" aria-label={mode.label} title={mode.label} onClick={() => setTheme(mode.next)}>
        <Icon name={mode.icon} />
      </button>
    </header>
  );
}

function Lost() {
  useTitle('No such page');
  return (
    <>
      <Heading>No such page</Heading>
      <p>
        There is nothing at this address. <a href="/">All games</a>
      </p>
    </>
  );
}

function Page() {
  const here = path.use();
  const parts = here.split('/').slice(1).map(decodeURIComponent);
  if (here === '/') return <Home />;
  if (parts[0] === 'play' && parts[1]) return <PlaySetup key={parts[1]} game={parts[1]} />;
  if (parts[0] === 't' && parts[1]) return <TablePage key={parts[1]} table={parts[1]} />;
  if (here === '/replay') return <ReplayPage />;
  if (here === '/watch') return <Watch />;
  if (parts[0] === 'lab') return <Lab run={parts[1] ?? null} />;
  return <Lost />;
}

/** Shows a sentence instead of an empty page if drawing fails. */
class Guard extends Component<{ children: ComponentChildren }, { error: string | null }> {
  override state = { error: null };
  static override getDerivedStateFromError(error: unknown) {
    return { error: String(error) };
  }
  override componentDidCatch(error: unknown) {
    console.error(error);
  }
  render() {
    if (this.state.error === null) return this.props.children;
    return (
      <p class="notice error" role="alert">
        The page cannot draw this: {this.state.error}. <a href={location.pathname + location.search}>Load it again</a>
      </p>
    );
  }
}

function Offline() {
  const [late, setLate] = useState(false);
  const isOffline = offline.use();
  useEffect(() => {
    if (!isOffline) {
      setLate(false);
      return undefined;
    }
    const timer = setTimeout(() => setLate(true), 800);
    return () => clearTimeout(timer);
  }, [isOffline]);
  return late ? (
    <p class="offline" role="status">
      The connection to the server is interrupted. Trying again …
    </p>
  ) : null;
}

function App() {
  return (
    <>
      <Top />
      <Offline />
      <main id="content">
        <Guard key={path.use()}>
          <Page />
        </Guard>
      </main>
      <footer class="bottom">
        <a href="/guide">Guide</a>
        <a href="/guide/api">API</a>
      </footer>
    </>
  );
}

startRouter();
const root = document.getElementById('app');
if (root) {
  root.textContent = '';
  render(<App />, root);
}
