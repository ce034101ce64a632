import assert from 'node:assert/strict';
import { type ChildRun, runMocha } from './child-mocha.ts';
import { suiteNeeds } from './toolchains.ts';

suiteNeeds('processes', 'a fast run', function () {
  this.timeout(180_000);

  it('skips a suite with needs and runs the others', async () => {
    const files = {
      'mixed.test.ts': `import { suiteNeeds } from '../toolchains.ts';
        suiteNeeds('processes', 'needy', () => { it('fails', () => { throw new Error('ran'); }); });
        describe('plain', () => { it('runs', () => undefined); });`,
    };
    const { code, output } = await fastRun(files);
    assert.match(output, /\n1 passed, 0 failed, 0 skipped\n$/);
    assert.equal(code, 0);
  });

  it('skips a slow test, which a full run includes', async () => {
    const files = {
      'slow.test.ts': `import { itSlow } from '../fast-run.ts';
        describe('plain', () => { it('runs', () => undefined); itSlow('takes long', () => undefined).timeout(5_000); });`,
    };
    assert.match((await fastRun(files)).output, /\n1 passed, 0 failed, 0 skipped\n$/);
    assert.match((await runMocha(files)).output, /\n2 passed, 0 failed, 0 skipped\n$/);
  });

  it('fails a file that starts a program outside suiteNeeds', async () => {
    const files = {
      'starts.test.ts': `import { execFile } from 'node:child_process';
        describe('s', () => { it('starts', (done) => void execFile('true', () => done())); });`,
    };
    const { code, output } = await fastRun(files);
    assert.match(output, /starts\.test\.ts starts true in a fast run: declare the suite with suiteNeeds/);
    assert.equal(code, 1);
  });

  it('fails such a file in a full run too, but accepts one with suiteNeeds', async () => {
    const start = `it('starts', (done) => void execFile('true', () => done()));`;
    const head = `import { execFile } from 'node:child_process';\nimport { suiteNeeds } from '../toolchains.ts';`;
    const undeclared = await runMocha({ 'starts.test.ts': `${head} describe('s', () => { ${start} });` });
    assert.match(undeclared.output, /starts\.test\.ts starts true in a fast run/);
    assert.equal(undeclared.code, 1);
    const body = `${head} describe('s', () => { suiteNeeds('processes', 'p', () => { ${start} }); });`;
    const { code, output } = await runMocha({ 'starts.test.ts': body });
    assert.equal(code, 0, output);
  });

  it('includes the golden files, but no compiler', async () => {
    const folder = 'test/generator/languages';
    const { output } = await fastRun({}, [
      '--dry-run',
      'test/generator/golden.test.ts',
      `${folder}/**/archives.test.ts`,
    ]);
    assert.match(output, /generated output in rust/);
    assert.match(output, /\n[1-9]\d+ passed, 0 failed, 0 skipped\n$/);
    assert.doesNotMatch(output, /compil|lint|archives/i);
  });
});

function fastRun(files: Readonly<Record<string, string>>, flags: string[] = []): Promise<ChildRun> {
  return runMocha(files, { flags, env: { SVC_TESTS: 'fast' } });
}
