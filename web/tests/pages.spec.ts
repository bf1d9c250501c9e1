import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, newTable, over, owner, sit, test, url } from './base';

/** A finished match of two agents, as a saved line. */
async function savedLine(game: string): Promise<string> {
  const table = await newTable({ game, seats: ['random', 'random'], seed: 9, pace_ms: 0 });
  for (let tries = 0; tries < 200; tries += 1) {
    const headers = { 'X-Parlor-Seat': table.key as string };
    const answer = await fetch(`${url()}/api/tables/${table.table}`, { headers });
    if ((await answer.json()).over) return (await fetch(`${url()}/api/tables/${table.table}/saved`, { headers })).text();
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error('the match did not end');
}

test('a replay: forward, back, the end, hints and the analysis', async ({ page }) => {
  const line = await savedLine('connect(width=5, height=4, row=3)');
  await page.goto(`${url()}/replay`);
  await page.getByLabel(/paste a line/).fill(line);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.locator('.ply')).toHaveText(/^0\//);
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.ply')).toHaveText(/^1\//);
  await expect(page.locator('.board .disc')).toHaveCount(1);
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.ply')).toHaveText(/^0\//);
  await page.keyboard.press('End');
  await expect(page.locator('.won')).not.toHaveCount(0);
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await expect(page.locator('.hint-moves li').first()).toBeVisible();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await expect(page.getByRole('heading', { name: 'What lost most' })).toBeVisible({ timeout: 40_000 });
  await expect(page.locator('.chart .curve').first()).toBeVisible();
});

test('a replay of hidden hands from both shoulders', async ({ page }) => {
  const line = await savedLine('dominoes(rules=myers)');
  await page.goto(`${url()}/replay`);
  await page.getByLabel(/paste a line/).fill(line);
  await page.getByRole('button', { name: 'Show' }).click();
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Forward' }).click();
  const hand = () => page.locator('.hand-tile').evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset.tile).join());
  const mine = await hand();
  await page.getByLabel(/Seat 1/).check();
  await expect.poll(hand).not.toBe(mine);
});

test('a line that is no saved game gets a sentence', async ({ page }) => {
  await page.goto(`${url()}/replay`);
  await page.getByLabel(/paste a line/).fill('hello');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('alert')).toContainText('Line 1 is not a saved game');
});

test('two agents are watched, paused and stepped', async ({ page }) => {
  await page.goto(`${url()}/watch?game=connect&first=random&second=random`);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.waitForURL(/\/t\//);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
  await page.waitForTimeout(900);
  const before = await page.locator('.moves li').count();
  await page.waitForTimeout(900);
  expect(await page.locator('.moves li').count()).toBe(before);
  await page.getByRole('button', { name: 'One move' }).click();
  await expect(page.locator('.moves li')).toHaveCount(before + 1);
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('0');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(over(page)).toBeVisible({ timeout: 30_000 });
});

test('a run from its form to its report', async ({ page }) => {
  await page.goto(owner());
  await page.getByRole('link', { name: 'Lab' }).click();
  await page.getByRole('link', { name: 'New run' }).click();
  await page.getByLabel('pairs', { exact: true }).fill('4');
  await page.getByLabel('pairs', { exact: true }).blur();
  await expect(page.getByLabel('The same as TOML')).toHaveValue(/pairs = 4/);
  // A training has a report with its curve.
  await page.getByRole('radio', { name: /^Training/ }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/lab\/(?!new)/);
  await expect(page.locator('.state.done')).toBeVisible({ timeout: 45_000 });
  await expect(page.locator('.chart .curve').first()).toBeVisible();
  const report = page.frameLocator('iframe.report');
  await expect(report.locator('body')).not.toBeEmpty();
  await page.getByRole('link', { name: 'All runs' }).click();
  await expect(page.locator('.runs tbody tr')).not.toHaveCount(0);
});

test('the lab is closed to others', async ({ page }) => {
  await page.goto(`${url()}/lab`);
  await expect(page.getByText('only for the owner')).toBeVisible();
});

test('a page of another origin can do nothing', async ({ browser }) => {
  const table = await newTable({ game: 'connect', seats: ['human', 'random'] });
  const script = `<script>
    const call = (path, options) => fetch('${url()}' + path, options).then((answer) => 'status ' + answer.status, () => 'blocked');
    Promise.all([
      call('/api/catalog'),
      call('/api/tables', { method: 'POST', body: '{"game":"connect","seats":["human","random"]}' }),
      call('/api/tables/${table.table}/act', { method: 'POST', headers: { 'X-Parlor': '1', 'X-Parlor-Seat': '${table.keys[0]}', 'Content-Type': 'application/json' }, body: '{"action":"4","ply":0}' }),
      call('/api/runs', { credentials: 'include' }),
    ]).then((results) => { document.title = results.join(', '); });
  </script>`;
  const other = createServer((_, answer) => answer.writeHead(200, { 'Content-Type': 'text/html' }).end(script)).listen(0, '127.0.0.1');
  await new Promise((ready) => other.once('listening', ready));
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  await expect(page).toHaveTitle('blocked, blocked, blocked, blocked');
  const now = await (await fetch(`${url()}/api/tables/${table.table}`)).json();
  expect(now.log).toEqual([]);
  await page.context().close();
  other.close();
});

test('the network log of a dominoes match holds no tile of the other hand', async ({ page }) => {
  const table = await newTable({ game: 'dominoes(rules=myers)', seats: ['human', 'human'], seed: 11 });
  const bodies: string[] = [];
  page.on('response', async (answer) => {
    if (answer.url().includes('/api/tables/')) bodies.push(await answer.text().catch(() => ''));
  });
  await sit(page, table);
  const other = await (await fetch(`${url()}/api/tables/${table.table}`, { headers: { 'X-Parlor-Seat': table.keys[1] as string } })).json();
  const hidden = other.view.hand as string[];
  expect(hidden.length).toBeGreaterThan(0);
  await expect.poll(() => bodies.length).toBeGreaterThan(0);
  const text = bodies.join('\n');
  for (const tile of hidden) expect(text).not.toMatch(new RegExp(`"${tile}["@]|:${tile}"`));
});

test('the first board and a move are drawn quickly', async ({ page }) => {
  await sit(page, await newTable({ game: 'connect', seats: ['human', 'random'], seed: 1 }));
  const loads: number[] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    await page.reload();
    await page.locator('.columns button.live').first().waitFor();
    loads.push(await page.evaluate(() => performance.getEntriesByType('paint').at(-1)?.startTime ?? 0));
  }
  const times: number[] = [];
  for (let column = 1; column <= 5; column += 1) {
    times.push(
      await page.evaluate(async (name) => {
        const discs = document.querySelectorAll('.board .disc:not(.ghost)').length;
        const began = performance.now();
        document.querySelector<HTMLElement>(`[data-cell="${name}"]`)?.click();
        while (document.querySelectorAll('.board .disc:not(.ghost)').length < discs + 2) await new Promise((next) => setTimeout(next, 1));
        return performance.now() - began;
      }, String(column)),
    );
    await expect(page.locator('.columns button.live').first()).toBeVisible();
  }
  const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] as number;
  console.log(`first paint ${median(loads).toFixed(0)} ms, move and reply ${median(times).toFixed(0)} ms (medians of 5)`);
  // The aims are 300 and 50 ms on a quiet machine; a busy one gets ten times that.
  expect(median(loads)).toBeLessThan(3000);
  expect(median(times)).toBeLessThan(500);
});

