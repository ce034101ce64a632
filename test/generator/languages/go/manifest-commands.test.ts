import assert from 'node:assert/strict';
import { type ArchiveCommands, startArchiveCommands } from '../../../support/archive-commands.ts';
import { goEnv } from '../../../support/go-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import type { GoArchives } from './go-archives.ts';
import { writeGoArchives } from './go-archives.ts';

suiteNeeds('go', 'the commands of a Go archive', function () {
  this.timeout(600_000);
  let archives: GoArchives;
  let commands: ArchiveCommands;

  before(async () => {
    archives = await writeGoArchives(['basic', 'flows', 'deprecated', 'well-known']);
    commands = await startArchiveCommands(archives.root, {
      ...goEnv,
      // As a tenant would run it: with the archive's folder alone.
      GOWORK: 'off',
    });
  });
  after(async () => {
    commands.stop();
    await archives.remove();
  });

  for (const name of ['basic', 'flows'])
    it(`set up and test ${name}`, async () => {
      const { setup, test } = await commands.manifestOf(name);
      assert.deepEqual(await commands.run(name, setup), { code: 0, output: '' });
      const { code, output } = await commands.run(name, test);
      assert.equal(code, 0, output);
      assert.equal(output.match(/^ok /gm)?.length, 4, output);
    });

  it('run an example that prints the response as ProtoJSON', async () => {
    const command = await commands.example('basic', 'tokenize');
    commands.answer(200, '{"words": [], "future": 1}');
    assert.deepEqual(await commands.run('basic', command), { code: 0, output: '{}\n' });
    assert.deepEqual(await commands.run('basic', `${command} '{"text": "a b"}'`), {
      code: 0,
      output: '{}\n',
    });
  });

  it('run examples of a flow and of deprecated messages', async () => {
    commands.answer(200, `{"execution_id": "${'0'.repeat(32)}", "result": {"success": true, "output": {}}}`);
    assert.deepEqual(await commands.run('flows', await commands.example('flows', 'summarize')), {
      code: 0,
      output: '{}\n',
    });
    const { members } = await commands.manifestOf('deprecated');
    commands.answer(200, '{}');
    for (const { example: command = '' } of members)
      assert.deepEqual(await commands.run('deprecated', command), { code: 0, output: '{}\n' });
  });

  it('run an example that reports errors and exits with 1', async () => {
    const command = await commands.example('basic', 'tokenize');
    commands.answer(422, '{"error_message": "no words"}');
    const refused = await commands.run('basic', command);
    assert.equal(refused.code, 1);
    assert.match(refused.output, /^svc: node failed: no words \(HTTP 422\)\n/);
    const { code, output } = await commands.run('basic', `${command} '{"text": 1}'`);
    assert.equal(code, 1);
    assert.match(output, /^svc: invalid message: acme\.text\.v1\.TokenizeRequest: text: expected a string/);
    const misspelled = await commands.run('basic', `${command} '{"txet": "a"}'`);
    assert.match(
      misspelled.output,
      /^svc: invalid message: acme\.text\.v1\.TokenizeRequest: unknown field "txet"\n/,
    );
    assert.match((await commands.run('basic', `${command} '{'`)).output, /^svc: .*not JSON/);
  });

  it('run a stream example that prints one output per line and reports an interruption', async () => {
    const command = await commands.example('basic', 'split-lines');
    const frame = 'data: {"payload": {}}\n\n';
    const last = 'data: {"is_final": true, "success": true}\n\n';
    commands.answer(200, `${frame}${frame}${last}`, 'text/event-stream');
    assert.deepEqual(await commands.run('basic', command), { code: 0, output: '{}\n{}\n' });
    commands.answer(200, frame, 'text/event-stream');
    const { code, output } = await commands.run('basic', command);
    assert.equal(code, 1);
    assert.match(output, /^svc: stream interrupted: the stream was cut off/m);
  });
});
