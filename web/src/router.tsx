import { shared } from './shared';

export const path = shared(location.pathname);
export const query = shared(new URLSearchParams(location.search));
export const hash = shared(location.hash.slice(1));

const PAGES = /^\/($|play\/|t\/|replay$|watch$|lab($|\/))/;

function read(): void {
  path.value = location.pathname;
  query.value = new URLSearchParams(location.search);
  hash.value = location.hash.slice(1);
}

/** Shows another page without loading it. */
export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  read();
  if (!replace) {
    scrollTo(0, 0);
    // Screen readers continue at the new page's heading.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }));
  }
}

export function startRouter(): void {
  addEventListener('popstate', read);
  addEventListener('hashchange', read);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null;
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download') || !PAGES.test(link.pathname)) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
