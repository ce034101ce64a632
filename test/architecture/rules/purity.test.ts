import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { purity } from './purity.ts';

function judge(text: string, file = 'generator/x.ts'): string[] {
  return purity(parseTree({ [file]: text }));
}

describe('the purity rule', () => {
  for (const impure of [
    `import { readFileSync } from 'node:fs';`,
    `import { readFile } from 'node:fs/promises';`,
    `import http from 'node:http';`,
    `import { Socket } from 'node:net';`,
    `import { spawn } from 'node:child_process';`,
    `import { Worker } from 'node:worker_threads';`,
    `import { randomUUID } from 'node:crypto';`,
    `import { createHash, randomBytes } from 'node:crypto';`,
    `import crypto from 'node:crypto';`,
    `import os from 'node:os';`,
    `const fs = await import('node:fs');`,
    `import knex from 'knex';`,
    `import { ulid } from 'ulid';`,
    `const now = Date.now();`,
    `const now = new Date();`,
    `const now = Date();`,
    `const chance = Math.random();`,
    `const home = process.env.HOME;`,
    `const id = crypto.randomUUID();`,
    `const { env } = process;`,
    `await fetch('http://127.0.0.1');`,
    `setTimeout(() => 0, 5);`,
    `const started = performance.now();`,
    `const sorted = names.sort((a, b) => a.localeCompare(b));`,
  ]) {
    it(`finds ${impure}`, () => {
      assert.equal(judge(impure).length, 1, judge(impure).join('\n'));
      assert.equal(judge(impure, 'specs/x.ts').length, 1);
      assert.deepEqual(judge(impure, 'service/x.ts'), []);
    });
  }

  for (const pure of [
    `import { createHash } from 'node:crypto';`,
    `import path from 'node:path/posix';`,
    `import Handlebars from 'handlebars';`,
    `const epoch = new Date(0);`,
    `const fields = { process: 1, crypto: 2 }; const x = fields.process;`,
    `function run(fetch: () => void) { fetch(); }`,
    `// process.env and Math.random() in a comment\nconst text = 'Date.now()';`,
  ]) {
    it(`accepts ${pure}`, () => {
      assert.deepEqual(judge(pure), []);
    });
  }
});
