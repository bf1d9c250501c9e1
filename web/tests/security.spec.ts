// What other pages and other names of this machine can do in a real browser: nothing.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, expect, newTable, owner, sit, test, url } from './base';

/** A page at another port of this machine. */
async function elsewhere(html: string): Promise<{ address: string; close: () => void }> {
  const other = createServer((_, answer) => answer.writeHead(200, { 'Content-Type': 'text/html' }).end(html)).listen(0, '127.0.0.1');
  await new Promise((ready) => other.once('listening', ready));
  return { address: `http://127.0.0.1:${(other.address() as AddressInfo).port}/`, close: () => other.close() };
}

test('a page of another origin can do nothing', async ({ browser }) => {
  const table = await newTable({ game: 'connect', seats: ['human', 'random'] });
  const other = await elsewhere(`<body><iframe name="shown" src="${url()}/lab"></iframe>
  <form id="form" method="post" enctype="text/plain" target="shown" action="${url()}/api/tables/${table.table}/resign"><input name="{}"></form><script>
    const call = (path, options) => fetch('${url()}' + path, options).then((answer) => answer.type + ' ' + answer.status, () => 'blocked');
    const load = (name, path) => new Promise((done) => {
      const element = document.createElement(name);
      element.onload = () => done('loaded');
      element.onerror = () => done('blocked');
      element.src = '${url()}' + path;
      document.body.append(element);
    });
    const events = () => new Promise((done) => {
      const source = new EventSource('${url()}/api/events/0123456789abcdef0123456789abcdef');
      source.onopen = () => done('open');
      source.onerror = () => done('blocked');
    });
    document.getElementById('form').submit();
    Promise.all([
      call('/api/catalog'),
      call('/api/tables', { method: 'POST', body: '{"game":"connect","seats":["human","random"]}' }),
      call('/api/tables/${table.table}/act', { method: 'POST', headers: { 'X-Parlor': '1', 'X-Parlor-Seat': '${table.keys[0]}', 'Content-Type': 'application/json' }, body: '{"action":"4","ply":0}' }),
      call('/api/runs', { credentials: 'include' }),
      load('img', '/assets/icon.svg'),
      load('script', '/assets/app.js'),
      events(),
    ]).then((results) => { document.title = [...new Set(results)].join(', '); });
  </script>`);
  const context = await browser.newContext();
  const page = await context.newPage();
  // The owner's cookie is in this browser, too.
  await page.goto(owner());
  await page.goto(other.address);
  await expect(page).toHaveTitle('blocked');
  expect(await page.frameLocator('iframe').locator('h1').count()).toBe(0);
  const now = await (await fetch(`${url()}/api/tables/${table.table}`)).json();
  expect([now.log, now.over]).toEqual([[], null]);
  await context.close();
  other.close();
});

test('a name that leads here by rebinding gets no answer', async () => {
  const evil = url().replace('127.0.0.1', 'evil.example');
  const browser = await chromium.launch({
    executablePath: process.env.PARLOR_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--host-resolver-rules=MAP evil.example 127.0.0.1'],
  });
  const page = await browser.newPage();
  expect((await page.goto(evil))?.status()).toBe(421);
  // From there everything is of the same origin, and still nothing is answered.
  const statuses = await page.evaluate(async () => {
    const headers = { 'X-Parlor': '1', 'Content-Type': 'application/json' };
    const calls = [fetch('/api/catalog'), fetch('/api/tables', { method: 'POST', headers, body: '{"game":"connect","seats":["human","random"]}' })];
    return Promise.all(calls.map(async (call) => (await call).status));
  });
  expect(statuses).toEqual([421, 421]);
  await browser.close();
});

test('what people may name is shown and never run', async ({ page }) => {
  const name = '<img src=x onerror=alert(1)>';
  const table = await newTable({ game: 'tictactoe', seats: [`human:${name}`, 'human'] });
  await sit(page, { ...table, keys: [table.keys[1] as string] });
  await expect(page.locator('.player-name').first()).toContainText('<img');
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
});
