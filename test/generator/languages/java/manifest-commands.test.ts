import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ArchiveCommands, startArchiveCommands } from '../../../support/archive-commands.ts';
import { JAVA_TOOLS_TIMEOUT_MS } from '../../../support/java-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';

suiteNeeds('java', 'the commands of a Java archive', function () {
  this.timeout(300_000);
  let archives: UnpackedArchives;
  let commands: ArchiveCommands;

  before(async () => {
    archives = await unpackArchives('java', ['basic', 'flows']);
    commands = await startArchiveCommands(archives.root);
  });
  after(async () => {
    commands.stop();
    await archives.remove();
  });

  for (const name of ['basic', 'flows'])
    it(`set up and test ${name}`, async function () {
      this.timeout(JAVA_TOOLS_TIMEOUT_MS);
      const { setup, test } = await commands.manifestOf(name);
      for (const command of [setup, test]) {
        const { code, output } = await commands.run(name, command);
        // Maven prints this before it reads the option `--quiet`.
        assert.equal(output.replaceAll('\u001b[0m', ''), '');
        assert.equal(code, 0);
      }
    });

  it('run every test of the archive', async () => {
    const reports = path.join(archives.root, 'basic/target/surefire-reports');
    const report = await readFile(path.join(reports, 'TEST-svc.acme.acme_text.core.CallTest.xml'), 'utf8');
    assert.match(report, /tests="[2-9][0-9]" errors="0" skipped="0" failures="0"/);
  });

  it('run an example that prints the response as ProtoJSON', async () => {
    const command = await commands.example('basic', 'tokenize');
    commands.answer(200, '{"words": [], "future": 1}');
    assert.deepEqual(await commands.run('basic', command), { code: 0, output: '{}\n' });
    assert.deepEqual(await commands.run('basic', `${command} '{"text": "größe"}'`), {
      code: 0,
      output: '{}\n',
    });
  });

  it('run the example of a flow', async () => {
    commands.answer(200, `{"execution_id": "${'0'.repeat(32)}", "result": {"success": true, "output": {}}}`);
    assert.deepEqual(await commands.run('flows', await commands.example('flows', 'summarize')), {
      code: 0,
      output: '{}\n',
    });
  });

  it('run an example that reports errors and exits with 1', async () => {
    const command = await commands.example('basic', 'tokenize');
    commands.answer(422, '{"error_message": "keine Wörter"}');
    assert.deepEqual(await commands.run('basic', command), {
      code: 1,
      output: 'NodeFailedException: keine Wörter (HTTP 422)\n',
    });
    const { code, output } = await commands.run('basic', `${command} '{"text": 1}'`);
    assert.equal(code, 1);
    assert.match(
      output,
      /^InvalidMessageException: acme\.text\.v1\.TokenizeRequest: text: expected a string/,
    );
    assert.deepEqual(await commands.run('basic', `${command} '{"txt": "a"}'`), {
      code: 1,
      output: 'InvalidMessageException: acme.text.v1.TokenizeRequest: txt: unknown field\n',
    });
    assert.match(
      (await commands.run('basic', `${command} '{'`)).output,
      /^InvalidMessageException: .*not JSON/,
    );
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
    assert.match(output, /StreamInterruptedException: the stream was cut off/);
  });
});
