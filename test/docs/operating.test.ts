import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { createMetrics } from '../../service/metrics.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Page, readPage, rowOf } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

describe('docs/operating.md', () => {
  let page: Page;

  before(async () => {
    page = await readPage('docs/operating.md');
  });

  it('explains every variable of the configuration', async () => {
    const source = await readFile(path.join(projectRoot, 'service/config.ts'), 'utf8');
    const variables = new Set(source.match(/\b(?:SVC|OTEL)_[A-Z0-9_]+\b/g));
    assert.ok(variables.size > 15);
    assert.deepEqual(
      [...variables].filter((name) => rowOf(page, name) === undefined),
      [],
    );
  });

  it('explains every metric of the service', async () => {
    const rendered = await createMetrics().render();
    const metrics = [...rendered.matchAll(/^# HELP (svc_\w+)/gm)].map(([, name = '']) => name);
    assert.ok(metrics.length >= 3);
    assert.deepEqual(
      metrics.filter((name) => rowOf(page, name) === undefined),
      [],
    );
  });
});

suiteNeeds('processes', 'the commands in docs/operating.md', () => {
  it('include every command that svc --help lists', async function () {
    this.timeout(60_000);
    const page = await readPage('docs/operating.md');
    const run = promisify(execFile);
    const launcher = path.join(projectRoot, 'service/cli/svc');
    const { stdout } = await run(launcher, ['--help']);
    const commands = [...stdout.matchAll(/^ {2}(\w+) (?: |\[)/gm)].map(([, name = '']) => name);
    assert.ok(commands.includes('serve'), stdout);
    assert.deepEqual(
      commands.filter((name) => name !== 'help' && !page.text.includes(`\`svc ${name}`)),
      [],
    );
  });
});
