// Accessibility and the look of every page, in both themes and two sizes. The pictures are kept in target/browser/pages.
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, listen, newTable, owner, SANDBOX, sit, test, url } from './base';

type Prepare = (page: Page) => Promise<void>;

const hints = async (page: Page) => {
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await expect(page.locator('.hint-moves li').first()).toBeVisible();
};

const at = (path: string): Prepare => async (page) => {
  await page.goto(url() + path);
  await expect(page.locator('h1').first()).toBeVisible();
  await expect(page.locator('.loading')).toHaveCount(0);
};

const table = (setup: Record<string, unknown>, then: Prepare = hints): Prepare => async (page) => {
  await sit(page, await newTable({ seed: 5, ...setup }));
  await then(page);
};

const resigned: Prepare = async (page) => {
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Really resign?' }).click();
  await expect(page.locator('section.over')).toBeVisible();
};

const PAGES: Record<string, Prepare> = {
  home: at('/'),
  'play-connect': at('/play/connect'),
  'play-agent': at('/play/dominoes?agent=ismcts'),
  watch: at('/watch'),
  replay: at('/replay'),
  guide: at('/guide'),
  'guide-game': at('/guide/games/checkers'),
  api: at('/guide/api'),
  lost: at('/play/nothing'),
  'lab-closed': at('/lab'),
  connect: table({ game: 'connect', position: '25523546515174352274664472', seats: ['human', 'random'], time: '5m' }),
  'connect-wide': table({ game: 'connect(width=11, height=10)', position: '5665748', seats: ['random', 'human'] }, async () => {}),
  tictactoe: table({ game: 'tictactoe(rows=5, columns=5)', position: 'XXX.O/.OO../..X.O/.X.../O....', seats: ['human', 'random'] }),
  checkers: table({ game: 'checkers', position: '-w-w-w-w/w-w-w-w-/-.-.-w-w/.-.-.-.-/-.-w-.-./r-r-r-r-/-r-R-r-r/r-r-.-r- r', seats: ['human', 'random'] }, async (page) => {
    await page.getByRole('button', { name: 'Hints', exact: true }).click();
    await expect(page.locator('.hint-head')).toContainText('by');
  }),
  minesweeper: table({ game: 'minesweeper(rows=5, columns=5, mines=5, first=safe)', seats: ['human'] }, async (page) => {
    await page.locator('[data-cell="c3"]').click();
    await page.getByRole('button', { name: 'Hints', exact: true }).click();
    await expect(page.locator('.odds-text').first()).toBeVisible();
  }),
  dominoes: table({ game: 'dominoes', seats: ['human', 'scoring'] }, async (page) => {
    for (let move = 0; move < 3; move += 1) {
      await page.locator('.hand-tile.live').first().click();
      const slot = page.locator('button.slot.live').first();
      if (await slot.isVisible()) await slot.click();
      await page.waitForFunction(() => !document.querySelector('.table-page[data-busy="true"]') && document.querySelector('.hand-tile.live'));
    }
    await hints(page);
    await expect(page.locator('.beliefs')).toBeVisible();
  }),
  darkchess: table({ game: 'darkchess', position: 'XXkX/KG-m/XXMX/XR-X/X-Np/XXcX/rXPX/nXgX r PPPCCNRMGpppcrmg', seats: ['human', 'random'] }),
  over: table({ game: 'checkers', seats: ['human', 'random'] }, resigned),
  review: table({ game: 'tictactoe', position: 'XO./.X./..O', seats: ['human', 'random'] }, async (page) => {
    await page.locator('.cells button.live').first().click();
    await page.waitForFunction(() => !document.querySelector('.table-page[data-busy="true"]'));
    await resigned(page);
    await page.getByRole('button', { name: 'Look back' }).click();
    await page.getByRole('button', { name: 'Analyse' }).click();
    await expect(page.getByRole('heading', { name: 'What lost most' })).toBeVisible({ timeout: 40_000 });
  }),
  'replay-shown': async (page) => {
    await page.goto(`${url()}/replay`);
    const line = { parlor: 1, game: 'checkers(rows=8, columns=8)', seats: ['alphabeta(depth=4)', 'random'], seed: 1, rng: 'xoshiro256++', moves: 'c3-d4 b6-a5 d4-e5 f6xd4 e3xc5', ending: 'unfinished' };
    await page.getByLabel(/paste a line/).fill(JSON.stringify(line));
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Copy and save').click();
    for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Forward' }).click();
    await hints(page);
  },
  lab: async (page) => {
    await page.goto(owner());
    await page.goto(`${url()}/lab/new`);
    await page.getByLabel('The same as TOML').fill('game = "tictactoe"\nagents = ["mcts(sims=20)", "random"]\npairs = 10\n');
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.locator('.state.done')).toBeVisible();
    await page.goto(`${url()}/lab`);
    await expect(page.getByRole('region', { name: 'Recorded games' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Earlier results' })).toBeVisible();
  },
  'lab-new': async (page) => {
    await page.goto(owner());
    await page.goto(`${url()}/lab/new`);
    await expect(page.getByLabel('The same as TOML')).not.toHaveValue('');
  },
  'lab-run': async (page) => {
    await page.goto(owner());
    await page.goto(`${url()}/lab/new`);
    await page.getByRole('radio', { name: /^Training/ }).check();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/lab\/(?!new)/);
    await expect(page.locator('.chart .curve').first()).toBeVisible({ timeout: 40_000 });
  },
};

const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } };

/**
 * The texts in drawings whose contrast with the shape below them is too low. axe reads `color`, which drawings do not use, so the fills
 * are compared here.
 */
function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
    const rgb = (colour: string): [number, number, number, number] => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      return [r as number, g as number, b as number, (a as number) / 255];
    };
    const light = ([r, g, b]: number[]) => {
      const part = (value: number) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * part(r as number) + 0.7152 * part(g as number) + 0.0722 * part(b as number);
    };
    const found: string[] = [];
    // Arrows and plates let the pointer through, but they are below the text.
    for (const part of document.querySelectorAll<SVGElement>('svg *')) part.style.pointerEvents = 'all';
    for (const text of document.querySelectorAll('svg text')) {
      text.scrollIntoView({ block: 'center', inline: 'center' });
      const box = text.getBoundingClientRect();
      if (box.width === 0) continue;
      // A single letter may end where the drawing does: its corner is looked at as well as its middle.
      const below = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const at = below.indexOf(text);
      let ground: [number, number, number, number] | null = null;
      for (const element of below.slice(Math.max(at, 0))) {
        if (element === text || element.closest('defs')) continue;
        const style = getComputedStyle(element);
        const colour = element instanceof SVGGeometryElement ? style.fill : element instanceof SVGElement ? 'none' : style.backgroundColor;
        if (colour === 'none') continue;
        const [r, g, b, a] = rgb(colour);
        const opacity = a * (element instanceof SVGGeometryElement ? Number(style.fillOpacity) : 1);
        if (opacity < 0.5) continue;
        ground = [r, g, b, opacity];
        break;
      }
      if (!ground) continue;
      const style = getComputedStyle(text);
      const [one, other] = [light(rgb(style.fill)), light(ground)];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < 4.5) found.push(`${text.textContent} (${text.getAttribute('class')}): ${ratio.toFixed(2)}`);
    }
    for (const part of document.querySelectorAll<SVGElement>('svg *')) part.style.pointerEvents = '';
    scrollTo(0, 0);
    return found;
  });
}

for (const [name, prepare] of Object.entries(PAGES)) {
  test(`look of ${name}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const context = await browser.newContext({ viewport: SIZES.desktop, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const noise = listen(page, [SANDBOX]);
    await prepare(page);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        await page.waitForTimeout(60);
        await page.screenshot({ path: join('../target/browser/pages', `${name}-${theme}-${size}.png`), fullPage: true });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wider, `${name} is wider than the window, ${size}`).toBeLessThanOrEqual(0);
      }
      // Where the end of a table is scrolled away, axe cannot tell its ground.
      await page.setViewportSize(SIZES.desktop);
      const found = await new AxeBuilder({ page }).exclude('iframe').exclude('svg[aria-hidden]').analyze();
      const short = (list: typeof found.violations) => list.map((rule) => ({ rule: rule.id, nodes: rule.nodes.slice(0, 4).map((node) => `${node.target.join(' ')}: ${node.any[0]?.message ?? node.failureSummary}`) }));
      expect(short(found.violations), `${name}, ${theme}: violations`).toEqual([]);
      expect(short(found.incomplete.filter((rule) => rule.id.startsWith('color-contrast'))), `${name}, ${theme}: incomplete contrast`).toEqual([]);
      expect(await faintTexts(page), `${name}, ${theme}: contrast of texts in drawings`).toEqual([]);
    }
    expect(noise, 'console').toEqual([]);
    await context.close();
  });
}

test('the switch of the theme outlives the page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(url());
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: /^Colours/ }).click();
  await page.getByRole('button', { name: /^Colours: light/ }).click();
  await expect(page.getByRole('button', { name: /^Colours: dark/ })).toBeVisible();
  expect(await background()).not.toBe(light);
  await page.reload();
  expect(await background()).not.toBe(light);
});
