import assert from 'node:assert/strict';
import { type Caller, type RunningService, startService } from '../../../support/running-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';

describe('svc config', () => {
  let service: RunningService;
  let acme: Caller;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
  });
  after(() => service.stop());

  const svc = (args: string[], stdin = ''): Promise<Run> =>
    runInProcess(['config', ...args], { SVC_BASE_URL: service.url, SVC_API_KEY: acme.key }, stdin);

  it('sets, shows, lists and deletes a profile', async () => {
    const set = await svc(['set', 'shop', '{"currency": "EUR"}']);
    assert.deepEqual([set.code, set.stderr], [0, 'stored config profile shop\n']);
    assert.deepEqual(JSON.parse(set.stdout), { currency: 'EUR' });
    const replaced = await svc(['set', 'shop', '-', '--json'], '{"audience": "all", "limit": 3}');
    assert.deepEqual((JSON.parse(replaced.stdout) as Record<string, unknown>).config, {
      audience: 'all',
      limit: 3,
    });
    assert.deepEqual(JSON.parse((await svc(['get', 'shop'])).stdout), { audience: 'all', limit: 3 });
    assert.match((await svc(['list'])).stdout, /^CONFIG +UPDATED +SETTINGS\nshop +\S+Z +audience, limit\n$/);
    assert.equal((await svc(['delete', 'shop'])).stderr, 'deleted config profile shop\n');
    assert.equal((await svc(['list'])).stdout, 'CONFIG  UPDATED  SETTINGS\n');
  });

  it('preserves every digit of a number', async () => {
    await svc(['set', 'large', '{"seed": 9007199254740993}']);
    assert.equal((await svc(['get', 'large'])).stdout, '{\n  "seed": 9007199254740993\n}\n');
    assert.match((await svc(['get', 'large', '--json'])).stdout, /"seed": 9007199254740993\n/);
    await svc(['delete', 'large']);
  });

  it('reports a missing profile', async () => {
    for (const command of ['get', 'delete']) {
      assert.deepEqual(await svc([command, 'lost']), {
        code: 1,
        stdout: '',
        stderr: 'svc: config profile "lost": config not found: run svc config list to see the profiles\n',
      });
    }
  });

  it('refuses settings that are not a JSON object, and an invalid id', async () => {
    const text = await svc(['set', 'shop', 'currency=EUR']);
    assert.equal(text.code, 2);
    assert.match(text.stderr, /<json> is not valid JSON/);
    const unread = await svc(['set', 'shop', 'package.json']);
    assert.match(unread.stderr, /; to read the file, write @package\.json\n$/);
    const list = await svc(['set', 'shop', '[1]']);
    assert.equal(list.code, 2);
    assert.match(
      list.stderr,
      /^svc: <json> must be an object with all settings, such as \{"currency": "EUR"\}\n$/,
    );
    const file = await svc(['set', 'shop', '@/none.json']);
    assert.deepEqual([file.code, file.stderr], [1, 'svc: cannot read /none.json: no such file\n']);
    const id = await svc(['delete', 'a b']);
    assert.equal(id.code, 1);
    assert.match(id.stderr, /^svc: path parameter config_id: must be 1 to 64 letters/);
  });
});
