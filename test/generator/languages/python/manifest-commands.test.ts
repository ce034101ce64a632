import assert from 'node:assert/strict';
import { type ArchiveCommands, startArchiveCommands } from '../../../support/archive-commands.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';

suiteNeeds('python', 'the commands of a Python archive', function () {
  this.timeout(300_000);
  let archives: UnpackedArchives;
  let commands: ArchiveCommands;

  before(async () => {
    archives = await unpackArchives('python', ['basic']);
    commands = await startArchiveCommands(archives.root, { PIP_DISABLE_PIP_VERSION_CHECK: '1' });
  });
  after(async () => {
    commands.stop();
    await archives.remove();
  });

  it('set up the archive', async () => {
    const { setup } = await commands.manifestOf('basic');
    assert.deepEqual(await commands.run('basic', setup), { code: 0, output: '' });
  });

  it('match the test command of the README, which test/packaging/python.test.ts runs', async () => {
    const { test } = await commands.manifestOf('basic');
    const readme = archives.files.get('basic')?.get('README.md') ?? '';
    assert.ok(readme.includes(`\n${test}\n\`\`\`\n`), test);
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

  it('run an example that reports errors and exits with 1', async () => {
    const command = await commands.example('basic', 'tokenize');
    commands.answer(422, '{"error_message": "no words"}');
    const refused = await commands.run('basic', command);
    assert.deepEqual(refused, { code: 1, output: 'NodeFailedError: no words (HTTP 422)\n' });
    const { code, output } = await commands.run('basic', `${command} '{"text": 1}'`);
    assert.equal(code, 1);
    assert.match(output, /^MessageError: TokenizeRequest\.text: expected str/);
  });

  it('run an example that rejects an unknown input field', async () => {
    const command = await commands.example('basic', 'tokenize');
    commands.answer(200, '{}');
    const refused = await commands.run('basic', `${command} '{"txt": "a b"}'`);
    assert.deepEqual(refused, { code: 1, output: 'MessageError: TokenizeRequest.txt: unknown field\n' });
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
    assert.match(output, /StreamInterruptedError: the stream was cut off/);
  });
});
