// Makes the pictures of the page for the README and the guide from the running program: `cargo xtask pictures`.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

const out = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'parlor-pictures-'));
const server = spawn(process.env.PARLOR, ['serve', '--port', '0', '--folder', folder], { env: { ...process.env, PARLOR_HOME: folder } });
let said = '';
server.stdout.on('data', (data) => (said += data));
server.stderr.on('data', (data) => (said += data));
while (!/owner=\w+/.test(said) || !/^http/m.test(said)) await new Promise((next) => setTimeout(next, 50));
const url = /^http:\/\/[\w.:]+/m.exec(said)[0];
const owner = /http:\/\/\S+owner=\w+/.exec(said)[0];

const browser = await chromium.launch({ executablePath: process.env.PARLOR_CHROMIUM ?? '/usr/bin/chromium-headless-shell' });

async function open(scheme, width = 1100, height = 780) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' });
  return context.newPage();
}

async function sit(page, setup) {
  const answer = await fetch(`${url}/api/tables`, { method: 'POST', headers: { 'X-Parlor': '1', 'Content-Type': 'application/json' }, body: JSON.stringify({ seed: 8, ...setup }) });
  const table = await answer.json();
  if (!answer.ok) throw new Error(table.error);
  await page.goto(`${url}/t/${table.table}#${table.keys.find(Boolean)}`);
  await page.locator('.board, .felt-table').first().waitFor();
}

async function hints(page) {
  await page.getByRole('button', { name: 'Hints', exact: true }).click();
  await page.locator('.hint-moves li').first().waitFor();
  await page.waitForTimeout(2600);
  await page.locator('h1').hover();
}

async function shoot(page, name) {
  await page.screenshot({ path: join(out, name), type: 'jpeg', quality: 72 });
  await page.context().close();
}

try {
  let page = await open('light');
  await page.goto(url);
  await page.locator('.card').first().waitFor();
  await shoot(page, 'page-home.jpg');

  page = await open('light');
  await sit(page, { game: 'connect', position: '25523546515174352274664472', seats: ['human', 'strongest'] });
  await hints(page);
  await shoot(page, 'page-connect.jpg');

  page = await open('dark');
  await sit(page, { game: 'dominoes', seats: ['human', 'scoring'] });
  for (let move = 0; move < 5; move += 1) {
    await page.locator('.hand-tile.live').first().click();
    const slot = page.locator('button.slot.live').first();
    await page.waitForTimeout(150);
    if (await slot.isVisible()) await slot.click();
    await page.waitForTimeout(700);
  }
  await hints(page);
  await shoot(page, 'page-dominoes.jpg');

  page = await open('light');
  await page.goto(owner);
  await page.goto(`${url}/lab/new`);
  await page.getByRole('radio', { name: /^Training/ }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/lab\/(?!new)/);
  await page.locator('.state.done').waitFor({ timeout: 300_000 });
  await shoot(page, 'page-lab.jpg');
} finally {
  await browser.close();
  server.kill();
}
