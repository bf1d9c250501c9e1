// What all tests share: pages whose console must stay silent, and tables.
import { chromium, expect, type Page, test as plain } from '@playwright/test';

export const url = () => process.env.PARLOR_URL as string;
export const owner = () => process.env.PARLOR_OWNER as string;

/** Reports are shown in a sandbox without scripts, and the browser says so. */
export const SANDBOX = /Blocked script execution in '[^']*\/reports\//;

/** Collects what a page writes to its console, except what a test expects. */
export function listen(page: Page, allowed: RegExp[] = []): string[] {
  const noise: string[] = [];
  page.on('console', (message) => {
    const text = `${message.type()}: ${message.text()}`;
    if (!allowed.some((one) => one.test(text))) noise.push(text);
  });
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
  return noise;
}

/** Every test has a page, and fails if the page writes anything to its console. */
export const test = plain.extend({
  page: async ({ page }, use) => {
    const noise = listen(page, [SANDBOX]);
    await use(page);
    expect(noise, 'console').toEqual([]);
  },
});

export interface Table {
  table: string;
  keys: (string | null)[];
  key?: string;
  snapshot: any;
}

export async function newTable(setup: Record<string, unknown>): Promise<Table> {
  const answer = await fetch(`${url()}/api/tables`, { method: 'POST', headers: { 'X-Parlor': '1', 'Content-Type': 'application/json' }, body: JSON.stringify(setup) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** Opens a table with its key, as a link does. */
export async function sit(page: Page, table: Table): Promise<void> {
  const key = table.keys.find((one) => one !== null) ?? table.key;
  await page.goto(`${url()}/t/${table.table}${key ? `#${key}` : ''}`);
  await expect(page.locator('.board-area .board, .board-area .dominoes, .felt-table').first()).toBeVisible();
}

export const over = (page: Page) => page.locator('section.over');

export { chromium, expect };
