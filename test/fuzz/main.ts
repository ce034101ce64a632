import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { missingToolchain } from '../support/toolchains.ts';
import { fuzzNames } from './fuzz-names.ts';
import { hostileWords } from './hostile-words.ts';
import { listChecks, loadCheck } from './names-check.ts';
import { randomModels } from './random-model.ts';

/** `npm run fuzz:names [-- --count N] [--seed S] [--languages a,b] [--batch N]` */
const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    languages: { type: 'string', default: '' },
    batch: { type: 'string', default: '16' },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const found = path.join(import.meta.dirname, 'found');
const words = await hostileWords();
const [count, seed, batch] = [whole('count'), whole('seed'), whole('batch')];
const ids = flags.languages === '' ? await listChecks() : flags.languages.split(',');
say(`names: ${count} models from seed ${seed}, of ${words.identifiers.length} words`);
for (const id of ids) {
  const { toolchain } = await loadCheck(id);
  const missing = missingToolchain(toolchain);
  if (missing !== undefined) say(`${id}: skipped, ${missing}`);
  else await fuzz(id);
}

async function fuzz(id: string): Promise<void> {
  const started = Date.now();
  const models = randomModels(count, seed, words);
  const failure = await fuzzNames(id, models, {
    batch,
    progress: (done) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${id}: ${done} of ${count} `);
    },
  });
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  const seconds = Math.round((Date.now() - started) / 1000);
  if (failure === undefined) {
    say(`${id}: ${count} models in ${seconds} s, all well`);
    return;
  }
  const file = path.join(found, `${id}-${seed}.json`);
  await mkdir(found, { recursive: true });
  const style = await prettier.resolveConfig(file);
  await writeFile(file, await prettier.format(JSON.stringify(failure.model), { ...style, parser: 'json' }));
  say(`${id}: failed after ${seconds} s; the smallest model is in ${path.relative(process.cwd(), file)}`);
  say(failure.problems.slice(0, 4000));
  process.exitCode = 1;
}

function whole(flag: 'count' | 'seed' | 'batch'): number {
  if (!/^\d{1,9}$/.test(flags[flag])) throw new Error(`--${flag} must be a whole number`);
  return Number(flags[flag]);
}
