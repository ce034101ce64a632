import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fingerprintOf } from '../../../../service/access/secrets/sealing-key.ts';
import { loadSecretKey } from '../../../../service/access/secrets/secret-key.ts';
import { createSecretStore } from '../../../../service/access/secrets/secret-store.ts';
import { runProgram } from '../../../../service/cli/program.ts';
import { systemClock } from '../../../../service/clock.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { findTenantByHandle } from '../../../../service/store/tenants.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';

describe('svc secret', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
    await runInProcess(['tenant', 'create', 'acme'], { SVC_DATA_DIR: dataDir });
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const run = (args: string[], stdin: string | Buffer = ''): Promise<Run> =>
    runInProcess(['secret', ...args, '--tenant', 'acme'], { SVC_DATA_DIR: dataDir }, stdin);

  async function value(name: string): Promise<string | undefined> {
    const db = await openDatabase({ dataDir });
    try {
      const key = await loadSecretKey({ secretKey: null, dataDir });
      const tenant = (await findTenantByHandle(db.knex, 'acme'))!;
      const secrets = createSecretStore({ tx: db.knex, clock: systemClock, key });
      return (await secrets.values(tenant.id, [name]))[name];
    } finally {
      await db.close();
    }
  }

  it('set explains at a terminal how to end the value', async () => {
    const stdin = Object.assign(Readable.from(['s3cret\n']), { isTTY: true });
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const terminal = { env: { SVC_DATA_DIR: dataDir }, stdin, stdout, stderr };
    assert.equal(await runProgram(terminal, ['secret', 'set', 'API_TOKEN', '--tenant', 'acme']), 0);
    assert.match(await text(stderr.end()), /^type the value, then Enter and Ctrl-D\n/m);
  });

  it('set stores the value from stdin without printing it', async () => {
    const { code, stdout, stderr } = await run(['set', 'API_TOKEN'], 's3cret\n');
    assert.deepEqual([code, stdout, stderr], [0, '', 'stored secret API_TOKEN for acme\n']);
    assert.equal(await value('API_TOKEN'), 's3cret');
    await run(['set', 'API_TOKEN'], 'two lines\n\n');
    assert.equal(await value('API_TOKEN'), 'two lines\n');
  });

  it('list shows names and times, delete removes a secret', async () => {
    await run(['set', 'B'], 'value-b');
    await run(['set', 'A'], 'value-a');
    const { stdout } = await run(['list', '--json']);
    const listed = JSON.parse(stdout) as { name: string }[];
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['A', 'B'],
    );
    assert.ok(!stdout.includes('value'));
    assert.equal((await run(['delete', 'A'])).code, 0);
    const again = await run(['delete', 'A']);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /acme has no secret "A"/);
    assert.equal(await value('A'), undefined);
  });

  it('arm allows development runs to use a secret, for an hour by default', async () => {
    await run(['set', 'A'], 'x');
    const armed = async (): Promise<{ armed: boolean; armed_expires_at: string | null }> => {
      const [secret] = JSON.parse((await run(['list', '--json'])).stdout) as [
        Awaited<ReturnType<typeof armed>>,
      ];
      return secret;
    };
    assert.deepEqual([(await armed()).armed, (await armed()).armed_expires_at], [false, null]);
    assert.equal((await run(['arm', 'A'])).code, 0);
    const left = Date.parse((await armed()).armed_expires_at ?? '') - Date.now();
    assert.ok(left > 3_500_000 && left <= 3_600_000, String(left));
    await run(['set', 'A'], 'another value');
    assert.equal((await armed()).armed, true);
    assert.equal((await run(['arm', 'A', '--minutes', '10080'])).code, 0);
    for (const minutes of ['10081', '-1', '1.5', 'x']) {
      const { code, stderr } = await run(['arm', 'A', `--minutes=${minutes}`]);
      assert.equal(code, 2);
      assert.match(stderr, /--minutes must be a whole number from 0 to 10080/);
    }
    assert.equal((await run(['arm', 'A', '--minutes', '0'])).code, 0);
    assert.equal((await armed()).armed, false);
    const missing = await run(['arm', 'B']);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /acme has no secret "B"/);
  });

  it('set rejects invalid names and empty or large values', async () => {
    for (const [args, stdin, message] of [
      [['set', '1A'], 'x', /"1A" is not a valid secret name/],
      [['set', 'A-B'], 'x', /is not a valid secret name/],
      [['set', 'A'], '\n', /stdin is empty/],
      [['set', 'A'], Buffer.of(0x61, 0xff), /not UTF-8 text: encode it, for example with base64/],
      [['set', 'A'], 'x'.repeat(65_537), /larger than 65536 bytes/],
    ] as const) {
      const { code, stderr } = await run([...args], stdin);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
    assert.equal((await run(['set', 'A'], 'x'.repeat(65_536))).code, 0);
  });

  describe('rekey', () => {
    const rekey = (args: string[] = [], env: Record<string, string> = {}): Promise<Run> =>
      runInProcess(['secret', 'rekey', ...args], { SVC_DATA_DIR: dataDir, ...env });
    const keyFiles = async (): Promise<string[]> =>
      (await readdir(dataDir)).filter((name) => name.startsWith('secret.key')).sort();
    const newKey = async (key: string): Promise<string> => {
      const file = path.join(dataDir, 'new.hex');
      await writeFile(file, `${key}\n`);
      return file;
    };
    const keyInFile = async () => (await readFile(path.join(dataDir, 'secret.key'), 'utf8')).trim();

    it('replaces the key of the data folder with a random one', async () => {
      await run(['set', 'A'], 'value');
      const before = await keyInFile();
      const { code, stdout, stderr } = await rekey();
      assert.deepEqual([code, stdout], [0, '']);
      assert.equal(
        stderr,
        'encrypted 1 secret and 0 deployment tokens with the new key\n' +
          'the key is in secret.key of the data folder: back it up, and restart the service\n',
      );
      assert.notEqual(await keyInFile(), before);
      assert.equal((await stat(path.join(dataDir, 'secret.key'))).mode & 0o777, 0o600);
      assert.deepEqual(await keyFiles(), ['secret.key']);
      assert.equal(await value('A'), 'value');
    });

    it('uses the key in a file, and does nothing the second time', async () => {
      await run(['set', 'A'], 'value');
      const file = await newKey('AB'.repeat(32));
      assert.equal((await rekey(['--key-file', file])).code, 0);
      assert.equal(await keyInFile(), 'ab'.repeat(32));
      const again = await rekey(['--key-file', file]);
      assert.equal(again.code, 0);
      assert.match(again.stderr, /^the secrets are encrypted with this key already\n/);
      assert.equal(await value('A'), 'value');
    });

    it('works with SVC_SECRET_KEY, and asks the operator to change the variable', async () => {
      const [old, file] = ['12'.repeat(32), await newKey('34'.repeat(32))];
      await runInProcess(
        ['secret', 'set', 'A', '--tenant', 'acme'],
        { SVC_DATA_DIR: dataDir, SVC_SECRET_KEY: old },
        'v',
      );
      const without = await rekey([], { SVC_SECRET_KEY: old });
      assert.equal(without.code, 2);
      assert.match(without.stderr, /SVC_SECRET_KEY has the current key: make a new one with openssl rand/);
      const done = await rekey(['--key-file', file], { SVC_SECRET_KEY: old });
      assert.match(
        done.stderr,
        /set SVC_SECRET_KEY to the key in .*new\.hex, back it up, and restart the service/,
      );
      assert.deepEqual(await keyFiles(), []);
      const stale = await runInProcess(
        ['secret', 'set', 'B', '--tenant', 'acme'],
        { SVC_DATA_DIR: dataDir, SVC_SECRET_KEY: old },
        'v',
      );
      assert.equal(stale.code, 1);
      assert.match(
        stale.stderr,
        /^svc: the stored secrets are encrypted with another key: restart with the current key/,
      );
    });

    it('is refused without the current key, and creates none', async () => {
      const old = '12'.repeat(32);
      await runInProcess(
        ['secret', 'set', 'A', '--tenant', 'acme'],
        { SVC_DATA_DIR: dataDir, SVC_SECRET_KEY: old },
        'v',
      );
      for (const args of [[], ['--key-file', await newKey('34'.repeat(32))]]) {
        const { code, stdout, stderr } = await rekey(args);
        assert.deepEqual([code, stdout], [1, '']);
        assert.equal(
          stderr,
          'svc: there is no key to change: set SVC_SECRET_KEY to the key that the service uses, ' +
            `or restore ${path.join(dataDir, 'secret.key')}\n`,
        );
        assert.deepEqual(await keyFiles(), []);
      }
    });

    it('finishes an interrupted change first', async () => {
      await run(['set', 'A'], 'value');
      const name = `secret.key.${fingerprintOf(Buffer.from(await keyInFile(), 'hex'))}`;
      await rename(path.join(dataDir, 'secret.key'), path.join(dataDir, name));
      assert.equal((await rekey()).code, 0);
      assert.deepEqual(await keyFiles(), ['secret.key']);
      assert.equal(await value('A'), 'value');
    });

    it('changes nothing if the key or a stored value cannot be read', async () => {
      await run(['set', 'A'], 'value');
      const before = await keyInFile();
      for (const [content, message] of [
        ['ab'.repeat(31), /new\.hex does not contain a key of 64 hex characters/],
        ['xy'.repeat(32), /new\.hex does not contain a key of 64 hex characters/],
      ] as const) {
        const { code, stderr } = await rekey(['--key-file', await newKey(content)]);
        assert.equal(code, 1);
        assert.match(stderr, message);
      }
      assert.match((await rekey(['--key-file', '/missing'])).stderr, /cannot be read \(ENOENT/);
      const wrong = await rekey(['--key-file', await newKey('34'.repeat(32))], {
        SVC_SECRET_KEY: '12'.repeat(32),
      });
      assert.equal(wrong.code, 1);
      assert.match(wrong.stderr, /the key to change is not the one that encrypts the stored secrets/);
      const db = await openDatabase({ dataDir });
      await db.knex('secrets').update({ sealed: Buffer.from('damaged') });
      await db.close();
      const damaged = await rekey();
      assert.equal(damaged.code, 1);
      assert.match(
        damaged.stderr,
        /remove them first:\n {2}secret A of acme: svc secret delete A --tenant acme\n/,
      );
      assert.deepEqual([await keyInFile(), await keyFiles()], [before, ['secret.key']]);
    });
  });
});
