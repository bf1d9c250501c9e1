import { expect, newTable, over, sit, test, url } from './base';
import { startServer } from './server';
import { listen } from './base';

test('hints: exact values, estimates and bounds are told apart', async ({ page }) => {
  // Late on 7×6 the solver has every column.
  const late = await newTable({ game: 'connect', position: '25523546515174352274664472', seats: ['human', 'random'] });
  await sit(page, late);
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await expect(page.locator('.under-columns .proven').first()).toBeVisible();
  await expect(page.locator('.hint-head')).toContainText('exact');
  await expect(page.locator('.hint-moves .best')).not.toHaveCount(0);
  // An agent that is asked gives estimates.
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await sit(page, await newTable({ game: 'connect', seats: ['human', 'random'] }));
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await page.getByLabel('Who answers').selectOption('mcts');
  await expect(page.locator('.under-columns .guess').first()).toBeVisible();
  await expect(page.locator('.hint-head')).toContainText('estimate');
});

test('hints: odds in minesweeper, and what they say is true', async ({ page }) => {
  const table = await newTable({ game: 'minesweeper(rows=4, columns=4, mines=3, first=safe)', seats: ['human'], seed: 2 });
  await sit(page, table);
  await page.locator('[data-cell="b2"]').click();
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await expect(page.locator('.odds-text').first()).toBeVisible();
  // The expected number of mines is their number; each percentage is rounded by half a point at most.
  const odds = (await page.locator('.odds-text').allTextContents()).map((text) => Number(text.replace('%', '')));
  const sum = odds.reduce((a, b) => a + b, 0);
  expect(Math.abs(sum - 300)).toBeLessThanOrEqual(odds.length / 2);
  // The safest cells are ringed.
  await expect(page.locator('.odds-best')).not.toHaveCount(0);
});

test('hints: beliefs in dominoes, and the truth over them after the end', async ({ page }) => {
  const table = await newTable({ game: 'dominoes(rules=myers)', seats: ['human', 'random'], seed: 5 });
  await sit(page, table);
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  for (let moves = 0; moves < 40; moves += 1) {
    const live = page.locator('.hand-tile.live').or(page.getByRole('button', { name: /^Pass:/ }));
    await expect(live.or(over(page)).first()).toBeVisible();
    if (await over(page).isVisible()) break;
    await expect(page.locator('.beliefs')).toBeVisible();
    await live.first().click();
    const slot = page.locator('button.slot.live').first();
    if (await slot.isVisible()) await slot.click();
    await page.waitForFunction(() => !document.querySelector('.table-page[data-busy="true"]'));
  }
  await expect(over(page)).toBeVisible();
  // Each tile that was in doubt has its place now.
  const bars = await page.locator('.beliefs .bars li').count();
  await expect(page.locator('.beliefs .bar-truth')).toHaveCount(bars);
});

test('hints: what is certain, and whom mstar takes you for', async ({ page }) => {
  await sit(page, await newTable({ game: 'dominoes(rules=myers)', seats: ['human', 'random'], seed: 5 }));
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await page.getByLabel('Who answers').selectOption({ label: 'mstar, guessing who the opponent is' });
  await expect(page.getByRole('heading', { name: 'It takes the opponent for' })).toBeVisible();
  const shares = (await page.locator('.types .bar-number').allTextContents()).map((text) => Number.parseInt(text, 10));
  expect(shares.length).toBeGreaterThan(1);
  expect(Math.abs(shares.reduce((a, b) => a + b, 0) - 100)).toBeLessThanOrEqual(shares.length);
});

test('hints: the solver alone, and the bounds of a search', async ({ page }) => {
  await sit(page, await newTable({ game: 'connect', position: '25523546515174352274664472', seats: ['human', 'random'] }));
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await page.getByLabel('Who answers').selectOption('exact');
  await expect(page.locator('.hint-head')).toContainText('by the exact solver');
  await page.getByLabel('Who answers').selectOption('alphabeta');
  await expect(page.locator('.under-columns .at_most').first()).toContainText('≤');
});

test('levels, offered agents and clocks', async ({ page }) => {
  await page.goto(`${url()}/play/tictactoe`);
  await page.getByRole('radio', { name: /^Hard/ }).check();
  await page.getByText('Clock, seed').click();
  await page.getByLabel('Clock').selectOption('1m+1s');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.locator('.player-name b').first()).toHaveText('Hard');
  const clock = page.locator('.clock.running');
  await expect(clock).toHaveCount(1);
  const before = await clock.textContent();
  await expect.poll(() => clock.textContent()).not.toBe(before);
  // Another match has a clock as well.
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Really resign?' }).click();
  await page.getByRole('button', { name: 'Again' }).click();
  await expect(page.locator('.clock.running')).toHaveCount(1);
  await expect(page.locator('.player-name b').first()).toHaveText('Hard');
  await page.goto(`${url()}/play/tictactoe`);
  await page.getByRole('radio', { name: /^mine/ }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.locator('.player-name b').first()).toHaveText('random');
});

test('take back, resign, again', async ({ page }) => {
  await sit(page, await newTable({ game: 'connect', seats: ['human', 'random'], seed: 1 }));
  await page.getByRole('button', { name: /^Column 4/ }).click();
  await expect(page.locator('.moves li')).toHaveCount(2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByText('No moves yet.')).toBeVisible();
  await expect(page.locator('.falls, .board .disc:not(.ghost)')).toHaveCount(0);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Really resign?' }).click();
  await expect(over(page)).toBeVisible();
  const before = page.url();
  await page.getByRole('button', { name: 'Swap seats' }).click();
  await page.waitForURL((now) => now.href !== before);
  // The other seat begins now.
  await expect(page.locator('.moves li')).toHaveCount(1);
});

test('a piece can be dragged', async ({ page }) => {
  await sit(page, await newTable({ game: 'checkers', seats: ['human', 'random'], seed: 1 }));
  await page.locator('[data-cell="c3"]').dragTo(page.locator('[data-cell="d4"]'));
  await expect(page.locator('.moves li').first()).toContainText('c3-d4');
});

test('a tile can be dragged to its end', async ({ page }) => {
  const table = await newTable({ game: 'dominoes(rules=myers)', seats: ['human', 'human'], seed: 2 });
  const mover = table.keys[table.snapshot.to_move] as string;
  await sit(page, { ...table, keys: [mover] });
  await expect(page.locator('.hand-tile')).toHaveCount(3);
  await page.locator('.hand-tile.live').first().hover();
  await page.mouse.down();
  const felt = await page.locator('.felt-table').boundingBox();
  await page.mouse.move((felt?.x ?? 0) + (felt?.width ?? 0) / 2, (felt?.y ?? 0) + (felt?.height ?? 0) / 2, { steps: 20 });
  await page.mouse.up();
  await expect(page.locator('.felt-table .laid')).toHaveCount(1);
  await expect(page.locator('.hand-tile')).toHaveCount(2);
});

test('flags by the right button, by F and by a long press', async ({ page }) => {
  await sit(page, await newTable({ game: 'minesweeper', seats: ['human'], seed: 1 }));
  const cell = (name: string) => page.locator(`[data-cell="${name}"]`);
  await cell('c3').click({ button: 'right' });
  await expect(cell('c3')).toHaveAccessibleName(/flag/);
  await cell('c3').click({ button: 'right' });
  await expect(cell('c3')).not.toHaveAccessibleName(/flag/);
  await page.locator('.cells [tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('f');
  await expect(page.locator('.cells button:focus')).toHaveAccessibleName(/flag/);
  const box = await cell('d4').boundingBox();
  const finger = { pointerType: 'touch', pointerId: 7, button: 0, clientX: (box?.x ?? 0) + 9, clientY: (box?.y ?? 0) + 9 };
  await cell('d4').dispatchEvent('pointerdown', finger);
  await expect(cell('d4')).toHaveAccessibleName(/flag/);
  await cell('d4').dispatchEvent('pointerup', finger);
  await cell('d4').dispatchEvent('click');
  await expect(cell('d4')).toHaveAccessibleName(/flag/);
});

test('a flagged cell does not open', async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const noise = listen(page);
  await sit(page, await newTable({ game: 'minesweeper', seats: ['human'], seed: 1 }));
  await page.getByRole('button', { name: 'Flags' }).tap();
  await page.locator('[data-cell="b2"]').tap();
  await expect(page.locator('[data-cell="b2"]')).toHaveAccessibleName(/flag/);
  await page.getByRole('button', { name: 'Flags' }).tap();
  await page.locator('[data-cell="b2"]').tap();
  await expect(page.locator('[data-cell="b2"]')).toHaveAccessibleName(/flag/);
  expect(noise).toEqual([]);
  await context.close();
});

test('two people at one table see what they may see', async ({ browser }) => {
  const table = await newTable({ game: 'dominoes(rules=myers)', seats: ['human', 'human'], seed: 2 });
  const hands: string[][] = [];
  for (const key of table.keys) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url()}/t/${table.table}#${key}`);
    await expect(page.locator('.hand-tile')).toHaveCount(3);
    hands.push(await page.locator('.hand-tile').evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset.tile as string)));
    // The key does not stay in the address.
    await expect(page).toHaveURL(`${url()}/t/${table.table}`);
    await context.close();
  }
  expect(hands[0]).not.toEqual(hands[1]);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(`${url()}/t/${table.table}`);
  await expect(stranger.getByText('Only the players see the hands')).toBeVisible();
  await stranger.context().close();
});

test('twelve tabs follow one table', async ({ context, page }) => {
  const table = await newTable({ game: 'connect', seats: ['human', 'random'], seed: 4 });
  await sit(page, table);
  const tabs = [];
  for (let tab = 0; tab < 11; tab += 1) {
    const other = await context.newPage();
    await other.goto(`${url()}/t/${table.table}`);
    tabs.push(other);
  }
  for (const tab of tabs) await expect(tab.locator('.columns button').first()).toBeVisible();
  await page.getByRole('button', { name: /^Column 1/ }).click();
  for (const tab of tabs) await expect(tab.locator('.moves li')).toHaveCount(2);
});

test('a restarted server loses nothing', async ({ browser }) => {
  const first = await startServer();
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${first.url}/play/connect?agent=random&seed=2`);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('button', { name: /^Column 3/ }).click();
  await expect(page.locator('.moves li')).toHaveCount(2);
  await first.stop('SIGKILL');
  await expect(page.locator('.offline')).toBeVisible();
  const second = await startServer(first.folder, first.port);
  await expect(page.locator('.offline')).toBeHidden();
  await expect(page.locator('.moves li')).toHaveCount(2);
  await page.getByRole('button', { name: /^Column 3/ }).click();
  await expect(page.locator('.moves li')).toHaveCount(4);
  await page.reload();
  await expect(page.locator('.moves li')).toHaveCount(4);
  await page.context().close();
  await second.stop();
});
