// Plays a match to its end by pointer, by touch, or by the keyboard alone.
import { type Locator, type Page } from '@playwright/test';
import { expect, over } from './base';

export type Input = 'pointer' | 'touch' | 'keyboard';

/** Moves the focus on a board to a cell by arrows, and acts with Enter. */
async function arrowsTo(page: Page, cell: Locator): Promise<void> {
  const wanted = await cell.evaluate((element) => {
    const all = [...(element.parentElement as Element).children];
    const columns = Math.round((element.parentElement as Element).clientWidth / (element as HTMLElement).offsetWidth);
    const start = all.findIndex((one) => (one as HTMLElement).tabIndex === 0);
    return { start, index: all.indexOf(element), columns };
  });
  await cell.locator('..').locator('[tabindex="0"]').focus();
  const rows = Math.floor(wanted.index / wanted.columns) - Math.floor(wanted.start / wanted.columns);
  const columns = (wanted.index % wanted.columns) - (wanted.start % wanted.columns);
  for (let step = 0; step < Math.abs(rows); step += 1) await page.keyboard.press(rows > 0 ? 'ArrowDown' : 'ArrowUp');
  for (let step = 0; step < Math.abs(columns); step += 1) await page.keyboard.press(columns > 0 ? 'ArrowRight' : 'ArrowLeft');
  await expect(cell).toBeFocused();
  await page.keyboard.press('Enter');
}

async function activate(page: Page, target: Locator, input: Input): Promise<void> {
  if (input === 'pointer') await target.click();
  else if (input === 'touch') await target.tap();
  else if (await target.evaluate((element) => element.closest('.cells') !== null)) await arrowsTo(page, target);
  else {
    await target.focus();
    await page.keyboard.press('Enter');
  }
}

/** Waits until something can be done, or the match is over; returns whether it is over. */
async function turn(page: Page): Promise<boolean> {
  const live = page.locator('.cells button.live, .columns button.live, .hand-tile.live, .slot.live').or(page.getByRole('button', { name: /^Pass:/ }));
  await expect(live.or(over(page)).first()).toBeVisible();
  return over(page).isVisible();
}

const MOST_MOVES = 200;

export async function playToTheEnd(page: Page, game: string, input: Input): Promise<number> {
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    if (await turn(page)) return moves;
    if (game === 'connect') {
      const column = page.locator('.columns button.live').first();
      if (input === 'keyboard') {
        await page.locator('.columns [tabindex="0"]').focus();
        await page.keyboard.press((await column.getAttribute('data-cell')) as string);
      } else await activate(page, column, input);
    } else if (game === 'dominoes') {
      const pass = page.getByRole('button', { name: /^Pass:/ });
      if (await pass.isVisible()) await activate(page, pass, input);
      else {
        const tile = page.locator('.hand-tile.live').first();
        const many = /and/.test((await tile.getAttribute('aria-label')) as string);
        await activate(page, tile, input);
        if (many) {
          const slot = page.locator('button.slot.live').first();
          await expect(slot).toBeVisible();
          if (input === 'keyboard') {
            // The focus goes to the first end by itself.
            await expect(slot).toBeFocused();
            await page.keyboard.press('Enter');
          } else await activate(page, slot, input);
        }
      }
    } else if (game === 'checkers' || game === 'darkchess') {
      const flip = page.locator('.cells button[aria-label$="can be turned"]').first();
      const piece = page.locator('.cells button[aria-label$="can move"]').first();
      if ((await flip.count()) > 0) await activate(page, flip, input);
      else {
        await activate(page, piece, input);
        // A jump goes on square by square.
        for (let step = 0; step < 12; step += 1) {
          const target = page.locator('.cells button[aria-label$="can move here"]').first();
          if ((await target.count()) === 0) break;
          await activate(page, target, input);
        }
      }
    } else await activate(page, page.locator('.cells button.live').first(), input);
    // The page takes no further move before the server has answered this one.
    await page.waitForFunction(() => !document.querySelector('.table-page[data-busy="true"]'));
  }
  throw new Error(`not over after ${MOST_MOVES} moves`);
}
