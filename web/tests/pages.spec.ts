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

test('a file of games is dropped, and its texts are copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = async (label: string) => {
    await page.getByRole('button', { name: label, exact: true }).click();
    await expect(page.locator('.share .said')).toHaveText(`${label}: copied`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const games = [await savedLine('connect'), await savedLine('checkers')];
  await page.goto(`${url()}/replay`);
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'games.jsonl'));
    return data;
  }, games.join('\n'));
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
  await page.getByText('Copy and save').click();
  await page.getByRole('button', { name: 'Forward' }).click();
  await page.getByRole('button', { name: 'Forward' }).click();
  const columns = JSON.parse(games[0] as string).moves.split(' ').slice(0, 2).join('');
  expect(await copied('Copy the columns')).toBe(columns);
  const link = await copied('Copy a link to the position');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the board as SVG' }).click();
  const svg = await (await saving).createReadStream();
  let text = '';
  for await (const part of svg) text += part;
  expect(text).toMatch(/^<svg .*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(text.match(/<circle/g)?.length).toBeGreaterThan(4);
  expect(text).not.toMatch(/class=|style=|var\(/);
  // The second game of the file, in the notations of draughts.
  await page.getByRole('combobox', { name: /^Game/ }).selectOption('1');
  await page.getByText('Copy and save').click();
  expect(await copied('Copy FEN')).toBe('B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12');
  for (let step = 0; step < 2; step += 1) await page.getByRole('button', { name: 'Forward' }).click();
  expect(await copied('Copy PDN')).toMatch(/^1\. (9|1[0-2])-1[3-6] 2[1-4]-(1[6-9]|20) \*$/);
  // A link leads to the form with the position, and from there to a table with it.
  await page.goto(link);
  await expect(page.getByLabel('Position', { exact: true })).toHaveValue(columns);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.locator('.board .disc:not(.ghost)')).toHaveCount(2);
});

test('a FEN and its PDN are understood by the program', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const fen = 'W:W13,22,K31:B6,9,K27';
  await sit(page, await newTable({ game: 'checkers', position: fen, seats: ['random', 'human'] }));
  await page.getByText('Copy and save').click();
  for (const [label, text] of [
    ['Copy FEN', fen],
    ['Copy PDN', `[GameType "21"]\n[FEN "${fen}"]\n\n*`],
  ] as const) {
    await page.getByRole('button', { name: label, exact: true }).click();
    await expect(page.locator('.share .said')).toHaveText(`${label}: copied`);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  }
});

test('a hint in a replay that began from a position', async ({ page }) => {
  const position = '-.-.-.-./.-w-.-.-/-.-.-.-./.-.-.-.-/-r-.-.-./.-.-.-.-/-.-.-.-./.-.-.-.- r';
  const table = await newTable({ game: 'checkers', position, seats: ['random', 'random'], seed: 3, pace_ms: 0 });
  const headers = { 'X-Parlor-Seat': table.key as string };
  await expect.poll(async () => (await (await fetch(`${url()}/api/tables/${table.table}`, { headers })).json()).over !== null).toBe(true);
  const line = await (await fetch(`${url()}/api/tables/${table.table}/saved`, { headers })).text();
  await page.goto(`${url()}/replay`);
  await page.getByLabel(/paste a line/).fill(line);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await expect(page.locator('.hint-moves li').first()).toContainText('b4');
  await expect(page.locator('.arrow').first()).toBeVisible();
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

test('a run is stopped and resumed, and its games are recorded', async ({ page }) => {
  await page.goto(owner());
  await page.goto(`${url()}/lab/new`);
  const toml = page.getByLabel('The same as TOML');
  await toml.fill('game = "tictactoe"\nagents = ["mcts(sims=50)", "random"]\npairs = 1000000\nseed = 1\n');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/lab\/(?!new)/);
  // The curve grows without loading anything again, with its band.
  await expect(page.locator('.chart .curve').first()).toBeVisible();
  const drawn = () => page.locator('.chart .curve').first().getAttribute('d');
  const before = await drawn();
  await expect.poll(drawn).not.toBe(before);
  await expect(page.locator('.chart .band').first()).toHaveAttribute('d', /^M.+Z$/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.state.stopped')).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.locator('.state.running')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.state.stopped')).toBeVisible();
  await page.getByRole('link', { name: 'All runs' }).click();
  const games = page.getByRole('region', { name: 'Recorded games' });
  await games.getByLabel('Filter of recorded games').fill('tictactoe mcts');
  await games.getByRole('link').first().click();
  await expect(page.locator('.ply')).toHaveText(/^0\//);
  await expect(page.locator('.cells button')).toHaveCount(9);
});

test('the curve of an experiment has its published points', async ({ page }) => {
  await page.goto(owner());
  await page.goto(`${url()}/lab/new`);
  await page.getByRole('radio', { name: /^Experiment/ }).check();
  const all = page.getByRole('combobox', { name: /^Experiment/ }).locator('option');
  await expect.poll(() => all.count()).toBeGreaterThan(10);
  await page.getByRole('combobox', { name: /^Experiment/ }).selectOption('a1');
  const toml = page.getByLabel('The same as TOML');
  await expect(toml).toHaveValue(/published/);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/lab\/(?!new)/);
  await expect(page.locator('.chart path.published').first()).toBeVisible({ timeout: 45_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.state.stopped')).toBeVisible({ timeout: 45_000 });
});

test('the lab is closed to others', async ({ page }) => {
  await page.goto(`${url()}/lab`);
  await expect(page.getByText('only for the owner')).toBeVisible();
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

test('the first board and a move are drawn quickly', async ({ browser }) => {
  const table = await newTable({ game: 'connect', seats: ['human', 'random'], seed: 1 });
  const loads: number[] = [];
  const times: number[] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    // A new browser each time: nothing of the page is kept.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(() => {
      const seen = new MutationObserver(() => {
        if (!document.querySelector('.columns button.live')) return;
        seen.disconnect();
        requestAnimationFrame(() => setTimeout(() => Object.assign(window, { boardAt: performance.now() })));
      });
      seen.observe(document, { childList: true, subtree: true });
    });
    await sit(page, table);
    await page.waitForFunction(() => 'boardAt' in window);
    loads.push(await page.evaluate(() => (window as any).boardAt));
    times.push(
      await page.evaluate(async (name) => {
        const discs = document.querySelectorAll('.board .disc:not(.ghost)').length;
        const began = performance.now();
        document.querySelector<HTMLElement>(`[data-cell="${name}"]`)?.click();
        while (document.querySelectorAll('.board .disc:not(.ghost)').length < discs + 2) await new Promise((next) => setTimeout(next, 1));
        await new Promise((next) => requestAnimationFrame(next));
        return performance.now() - began;
      }, String(tries + 1)),
    );
    await context.close();
  }
  const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] as number;
  console.log(`first board ${median(loads).toFixed(0)} ms, move and reply ${median(times).toFixed(0)} ms (medians of 5)`);
  // The aims are 300 and 50 ms on a quiet machine; a busy one gets ten times that.
  expect(median(loads)).toBeLessThan(3000);
  expect(median(times)).toBeLessThan(500);
});
