import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { commands } from '../../../service/cli/all-commands.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const listing = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`;

/** Runs the CLI and returns the modules that it loads, as paths from the project's root, without Node's own. */
async function modulesOf(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(listing)}`;
  const main = path.join(root, 'service/cli/main.ts');
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', hook, main, ...args], {
    env: { ...process.env, ...env },
  });
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('file:'))
    .map((url) => path.relative(root, new URL(url).pathname));
}

suiteNeeds('processes', 'the modules that a command loads', () => {
  it('are those of the command line for --help and --version', async () => {
    for (const option of ['--help', '--version']) {
      const loaded = await modulesOf([option]);
      const beside = loaded.filter(
        (file) => !/^(?:service\/cli\/[^/]+|node_modules\/commander\/.*|package\.json)$/.test(file),
      );
      assert.deepEqual(beside, [], option);
      assert.ok(loaded.includes('service/cli/program.ts'));
    }
  });

  it('exclude the service, its schemas and its database for the help of any command', async () => {
    // The completions load every command.
    const loaded = await modulesOf(['completion', 'bash']);
    const names = Object.keys(commands).filter((name) => name !== 'help');
    for (const name of names) assert.ok(loaded.includes(`service/cli/commands/${name}.ts`), name);
    const heavy =
      /^(?:service\/(?:app|main)\.ts|generator\/.*|node_modules\/(?:zod|knex|yaml|@grpc|koa)\/.*)$/;
    assert.deepEqual(
      loaded.filter((file) => heavy.test(file)),
      [],
    );
  });

  it('exclude schema libraries for a command that reads the database', async () => {
    const folder = await temporaryFolder({});
    try {
      const loaded = await modulesOf(['migrate'], { SVC_DATA_DIR: folder.path });
      assert.ok(loaded.some((file) => file.startsWith('node_modules/knex/')));
      assert.deepEqual(
        loaded.filter((file) => file.startsWith('node_modules/zod/')),
        [],
      );
    } finally {
      await folder.remove();
    }
  });
});
