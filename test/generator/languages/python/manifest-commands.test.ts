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

  it('set it up and test it', async () => {
    const { setup, test } = await commands.manifestOf('basic');
    assert.deepEqual(await commands.run('basic', setup), { code: 0, output: '' });
    const { code, output } = await commands.run('basic', test);
    assert.equal(code, 0, output);
    assert.match(output, /\d+ passed/);
  });

  it('run an example, which prints the answer as ProtoJSON', async () => {
    const command = await commands.example('basic', 'tokenize');
    commands.answer(200, '{"words": [], "future": 1}');
    assert.deepEqual(await commands.run('basic', command), { code: 0, output: '{}\n' });
    assert.deepEqual(await commands.run('basic', `${command} '{"text": "a b"}'`), {
      code: 0,
      output: '{}\n',
    });
  });

  it('run an example, which names the error that it meets', async () => {
    const command = await commands.example('basic', 'tokenize');
    commands.answer(422, '{"error_message": "no words"}');
    const refused = await commands.run('basic', command);
    assert.deepEqual(refused, { code: 1, output: 'NodeFailedError: no words (HTTP 422)\n' });
    const { code, output } = await commands.run('basic', `${command} '{"text": 1}'`);
    assert.equal(code, 1);
    assert.match(output, /^MessageError: TokenizeRequest\.text: expected str/);
  });

  it('name no example for a member that cannot be called yet', async () => {
    const { members } = await commands.manifestOf('basic');
    const later = members.find(({ alias }) => alias === 'split-lines');
    assert.ok(later !== undefined && !('example' in later));
  });
});
