import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { commands } from '../../service/cli/all-commands.ts';
import { loadConfig } from '../../service/config.ts';
import { bareEnv, startServeProcess } from '../support/serve-process.ts';
import { stepPackage } from '../support/step-package.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { isRoot, unprivileged } from '../support/unprivileged.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Composed {
  services: Record<
    string,
    {
      image?: string;
      command?: string[];
      stop_grace_period?: string;
      environment: Record<string, string>;
      ports?: string[];
      volumes?: string[];
      depends_on?: Record<string, unknown>;
    }
  >;
  volumes: Record<string, unknown>;
}

describe('Dockerfile and compose.yaml', () => {
  let dockerfile: string;
  let composed: Composed;
  before(async () => {
    dockerfile = await readFile(path.join(root, 'Dockerfile'), 'utf8');
    composed = parse(await readFile(path.join(root, 'compose.yaml'), 'utf8')) as Composed;
  });

  const line = (instruction: string): string =>
    new RegExp(`^${instruction} (.*)$`, 'm').exec(dockerfile)?.[1] ?? assert.fail(instruction);

  /** The variables that the image sets. */
  function imageEnv(): Record<string, string> {
    return Object.fromEntries(
      line('ENV')
        .split(' ')
        .map((pair) => pair.split(/=(.*)/s, 2) as [string, string]),
    );
  }

  it('start the launcher, because npx does not forward signals', () => {
    assert.equal(line('ENTRYPOINT'), '["/app/service/cli/svc"]');
    assert.equal(line('CMD'), '["serve"]');
    for (const { command = [] } of Object.values(composed.services)) assert.ok(!command.includes('npx'));
  });

  it('set only known variables, with valid values', async () => {
    const source = await readFile(path.join(root, 'service/config.ts'), 'utf8');
    const { PATH, ...image } = imageEnv();
    assert.equal(PATH, '/app/service/cli:$PATH');
    for (const name of ['migrate', 'svc']) {
      const env = Object.entries(composed.services[name]?.environment ?? {}).map(([key, text]) => [
        key,
        expanded(text),
      ]);
      const together = { ...image, ...(Object.fromEntries(env) as Record<string, string>) };
      for (const key of Object.keys(together)) assert.match(source, new RegExp(`^  ${key}: `, 'm'));
      assert.match(loadConfig(together).databaseUrl ?? '', /^postgres:\/\/svc:secret@postgres:5432\/svc$/);
    }
  });

  it('expose the default ports, and keep the data folder in a volume', () => {
    const { port, metrics, dataDir } = loadConfig({ SVC_DATA_DIR: imageEnv().SVC_DATA_DIR });
    assert.equal(line('EXPOSE'), `${port} ${metrics.port}`);
    assert.equal(line('VOLUME'), dataDir);
    const { svc } = composed.services;
    assert.deepEqual(svc?.ports, [`127.0.0.1:${port}:${port}`]);
    assert.deepEqual(svc.volumes, [`data:${dataDir}`]);
    assert.ok(dockerfile.includes(`http://127.0.0.1:${port}/readyz`));
  });

  it('use only commands, services and volumes that exist', () => {
    assert.deepEqual(JSON.parse(line('CMD')), ['serve']);
    for (const { command = ['serve'], depends_on: needed = {}, volumes = [] } of Object.values(
      composed.services,
    )) {
      assert.ok(Object.hasOwn(commands, command[0] ?? ''), command.join(' '));
      for (const name of Object.keys(needed)) assert.ok(Object.hasOwn(composed.services, name), name);
      for (const volume of volumes)
        assert.ok(Object.hasOwn(composed.volumes, volume.split(':')[0] ?? ''), volume);
    }
  });

  it('set the documented stop timeout, which exceeds that of the service', async () => {
    const operating = await readFile(path.join(root, 'docs/operating.md'), 'utf8');
    const serve = await readFile(path.join(root, 'service/cli/actions/serve.ts'), 'utf8');
    const grace = Number(/^(\d+)s$/.exec(composed.services.svc?.stop_grace_period ?? '')?.[1]);
    assert.equal(Number(/--stop-timeout (\d+)/.exec(operating)?.[1]), grace);
    assert.equal(Number(/Give it (\d+) seconds/.exec(operating)?.[1]), grace);
    assert.ok(Number(/stopSeconds = (\d+)/.exec(serve)?.[1]) < grace);
  });

  it('run a tested version of PostgreSQL, and keep its data in a volume', async () => {
    const operating = await readFile(path.join(root, 'docs/operating.md'), 'utf8');
    const tested = /tested with PostgreSQL (\d+) and (\d+)/.exec(operating)?.slice(1) ?? [];
    const [, version = ''] = /^postgres:(\d+)$/.exec(composed.services.postgres?.image ?? '') ?? [];
    assert.ok(tested.includes(version), version);
    // From 18 on, the image keeps its data in a folder of the version below this one.
    assert.deepEqual(composed.services.postgres?.volumes, ['database:/var/lib/postgresql']);
  });

  it('copy exactly the files of the build context', async () => {
    const ignored = await readFile(path.join(root, '.dockerignore'), 'utf8');
    const context = ignored.split('\n').flatMap((each) => (each.startsWith('!') ? [each.slice(1)] : []));
    assert.deepEqual(copied(dockerfile).sort(), context.sort());
  });

  /** As compose does with POSTGRES_PASSWORD=secret, and nothing else set. */
  function expanded(text: string): string {
    return text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g, 'secret');
  }
});

function copied(dockerfile: string): string[] {
  return [...dockerfile.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
}

suiteNeeds('processes', 'the files of the image', function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  let app: string;
  before(async () => {
    folder = await temporaryFolder({});
    app = path.join(folder.path, 'app');
    await mkdir(app);
    for (const name of copied(await readFile(path.join(root, 'Dockerfile'), 'utf8'))) {
      await cp(path.join(root, name), path.join(app, name), { recursive: true });
    }
    await linkProductionPackages(app);
    for (const name of ['data', 'tmp']) await mkdir(path.join(folder.path, name));
    await promisify(execFile)('chmod', ['-R', 'a+rX,a-w', app]);
    if (isRoot) {
      await promisify(execFile)('chmod', ['a+rx', folder.path]);
      const writable = ['data', 'tmp'].map((name) => path.join(folder.path, name));
      await promisify(execFile)('chown', ['nobody', ...writable]);
    }
  });
  after(async () => {
    await promisify(execFile)('chmod', ['-R', 'u+w', app]);
    await folder.remove();
  });

  it('suffice for the service and its commands, for a user with write access to the data folder and /tmp only', async () => {
    const launcher = path.join(app, 'service/cli/svc');
    const data = path.join(folder.path, 'data');
    // Packages are links here and resolve their dependencies next to the link.
    const own = { SVC_DATA_DIR: data, TMPDIR: path.join(folder.path, 'tmp'), NODE_PRESERVE_SYMLINKS: '1' };
    const env = { ...own, HOME: '/nonexistent', NODE_COMPILE_CACHE: '' };
    const run = async (...args: string[]): Promise<string> => {
      const [command, ...rest] = unprivileged(...args);
      const ran = promisify(execFile)(command, rest, { env: { ...bareEnv(), ...env }, cwd: '/' });
      return (await ran).stdout.trim();
    };
    await assert.rejects(run('touch', path.join(app, 'service/written')), /Permission denied/);
    const service = await startServeProcess(env, unprivileged(launcher));
    try {
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
      assert.equal((await fetch(`${service.url}/docs`)).status, 200);
      await run(launcher, 'tenant', 'create', 'acme');
      const authorization = `Bearer ${await run(launcher, 'key', 'create', '--tenant', 'acme')}`;
      const published = await fetch(`${service.url}/api/v1/packages`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(stepPackage()),
      });
      assert.equal(published.status, 201, await published.text());
      const list = path.join(app, 'service/cli/all-commands.ts');
      const loading = `const { commands } = await import(${JSON.stringify(list)});
        for (const { load } of Object.values(commands)) await load();`;
      await run(process.execPath, '--input-type=module', '--eval', loading);
    } finally {
      assert.equal(await service.stop(), 0);
    }
  });
});

/** Links the packages that `npm ci --omit=dev` installs, and no other. */
async function linkProductionPackages(app: string): Promise<void> {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [name, { dev }] of Object.entries(lock.packages)) {
    // Nested packages come with the package that they are in; those of other platforms are not installed.
    const isOwn = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name);
    if (dev === true || !isOwn || !existsSync(path.join(root, name))) continue;
    await mkdir(path.dirname(path.join(app, name)), { recursive: true });
    await symlink(path.join(root, name), path.join(app, name));
  }
}
