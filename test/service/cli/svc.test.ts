import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { runSvc, svc } from '../../support/run-svc.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

suiteNeeds('processes', 'the launcher', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-launcher-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A folder with the programs that the launcher runs, and a `node` with the given script. */
  async function programs(node?: string): Promise<string> {
    const bin = path.join(folder, 'programs');
    await mkdir(bin);
    for (const name of ['sh', 'readlink', 'dirname']) {
      await symlink(
        execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
        path.join(bin, name),
      );
    }
    if (node !== undefined) await writeFile(path.join(bin, 'node'), `#!/bin/sh\n${node}\n`, { mode: 0o755 });
    return bin;
  }

  /** The launcher without node_modules, as in a checkout before `npm ci`. */
  async function bareCheckout(): Promise<string> {
    const cli = path.join(folder, 'service', 'cli');
    await mkdir(cli, { recursive: true });
    await copyFile(svc, path.join(cli, 'svc'));
    return path.join(cli, 'svc');
  }

  it("runs the project's Node instead of the caller's", async () => {
    const PATH = await programs('echo "the old node ran" >&2; exit 1');
    const { code, stdout, stderr } = await runSvc(['tenant', '--help'], { env: { PATH } });
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: svc tenant /);
  });

  it('works through symbolic links and from any folder', async () => {
    await symlink(svc, path.join(folder, 'first'));
    await symlink('first', path.join(folder, 'second'));
    const { code, stdout } = await runSvc(['tenant', '--help'], { launcher: './second', cwd: folder });
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: svc tenant /);
  });

  it('suppresses the warning of Node about TLS to an IP address', async () => {
    const call = `import { connect } from 'node:tls';
      connect({ host: '127.0.0.1', port: 1, servername: '127.0.0.1' }).on('error', () => undefined);`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(call)}`;
    const { code, stderr } = await runSvc(['--version'], { env: { NODE_OPTIONS } });
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('replaces itself with the program, which receives its signals', async () => {
    const PATH = await programs('[ "$1" = -e ] || echo $$');
    const started = spawn(await bareCheckout(), ['serve'], { env: { PATH } });
    assert.equal(Number(await text(started.stdout)), started.pid);
  });

  it("falls back to the caller's Node if it is new enough", async () => {
    const launcher = await bareCheckout();
    const cli = path.dirname(launcher);
    await writeFile(
      path.join(cli, 'main.ts'),
      'const args: string[] = process.argv.slice(2);\nconsole.log(args);',
    );
    const PATH = await programs(`exec '${process.execPath}' "$@"`);
    const { code, stdout } = await runSvc(['a b', '--c'], { launcher, env: { PATH } });
    assert.equal(code, 0);
    assert.equal(stdout, "[ 'a b', '--c' ]\n");
  });

  it('reports a missing or outdated Node', async () => {
    const launcher = await bareCheckout();
    // Fails the version check, as an old Node does.
    const PATH = await programs('exit 1');
    const { code, stdout, stderr } = await runSvc(['--help'], { launcher, env: { PATH } });
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^svc: needs Node 22\.18 or later: run 'npm ci' in \/.*svc-launcher-\w+\n$/);
  });
  it("stores compiled code in the user's cache folder or in NODE_COMPILE_CACHE", async () => {
    const [home, own] = [path.join(folder, 'home'), path.join(folder, 'own')];
    const base = { HOME: home, XDG_CACHE_HOME: '', NODE_COMPILE_CACHE: '' };
    const kept = async (env: Record<string, string>): Promise<string[]> => {
      const { code } = await runSvc(['--version'], { env: { ...base, ...env }, cwd: folder });
      assert.equal(code, 0);
      const caches = [path.join(home, '.cache/svc'), path.join(folder, 'xdg/svc'), own];
      const filled = [];
      for (const cache of caches) {
        const entries = await readdir(cache).catch(() => []);
        if (entries.length > 0) filled.push(path.relative(folder, cache));
      }
      return filled;
    };
    assert.deepEqual(await kept({ HOME: '' }), []);
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(await kept({ NODE_COMPILE_CACHE: own }), ['own']);
    assert.deepEqual(await kept({ XDG_CACHE_HOME: path.join(folder, 'xdg') }), ['xdg/svc', 'own']);
    assert.deepEqual(await kept({}), ['home/.cache/svc', 'xdg/svc', 'own']);
  });
});
