import { expect, over, test, url } from './base';
import { type Input, playToTheEnd } from './play';

// Small boards, so that the matches are short; the boards are drawn by the same code.
const GAMES: Record<string, string> = {
  connect: 'game=connect(width=5, height=4, row=3)&agent=random',
  tictactoe: 'game=tictactoe(rows=3, columns=4)&agent=random',
  checkers: 'game=checkers(rows=6, columns=6, draw=8)&agent=random',
  minesweeper: 'game=minesweeper(rows=4, columns=4, mines=3, first=safe)',
  dominoes: 'game=dominoes(rules=myers)&agent=random',
  darkchess: 'game=darkchess(draw=8)&agent=random&position=K--k/----/X---/----/----/----/---X/---- r Pp',
};

for (const input of ['pointer', 'touch', 'keyboard'] as Input[]) {
  test.describe(`by ${input}`, () => {
    if (input === 'touch') test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
    for (const [game, setup] of Object.entries(GAMES)) {
      test(`${game} to its end`, async ({ page }) => {
        await page.goto(`${url()}/play/${game}?${setup.replaceAll(' ', '%20')}&seed=7`);
        const play = page.getByRole('button', { name: 'Play', exact: true });
        if (input === 'keyboard') {
          await play.focus();
          await page.keyboard.press('Enter');
        } else if (input === 'touch') await play.tap();
        else await play.click();
        await page.waitForURL(/\/t\/[0-9a-f]{32}$/);
        const moves = await playToTheEnd(page, game, input);
        expect(moves).toBeGreaterThan(0);
        await expect(over(page).locator('.over-text')).not.toBeEmpty();
        await expect(page.getByTestId('live')).toContainText((await over(page).locator('.over-text').textContent()) as string);
        // A finished match can be looked at, move by move.
        await page.getByRole('button', { name: 'Look back' }).click();
        await page.getByRole('button', { name: 'Start', exact: true }).click();
        await expect(page.locator('.ply')).toHaveText(/^0\//);
      });
    }
  });
}

test('typed moves and digit keys', async ({ page }) => {
  await page.goto(`${url()}/play/connect?agent=random&seed=3`);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByLabel('Type a move').fill('4');
  await page.getByLabel('Type a move').press('Enter');
  await expect(page.locator('.moves li')).toHaveCount(2);
  await expect(page.locator('.disc.X')).not.toHaveCount(0);
  await page.getByLabel('Type a move').fill('q');
  await page.getByLabel('Type a move').press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
});
