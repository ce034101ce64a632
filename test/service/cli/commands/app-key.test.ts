import assert from 'node:assert/strict';
import { type FlowService, startFlowService } from '../../../support/flow-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { twoSteps } from '../../../support/step-package.ts';

const origin = 'https://shop.example.com';

describe('svc app-key', () => {
  let flows: FlowService;
  let graphId: string;
  before(async () => {
    flows = await startFlowService();
    graphId = await flows.compile(twoSteps());
  });
  after(() => flows.stop());

  const svc = (...args: string[]): Promise<Run> =>
    runInProcess(['app-key', ...args], { SVC_BASE_URL: flows.service.url, SVC_API_KEY: flows.acme.key });
  const create = async (...args: string[]): Promise<{ key: string; id: string }> => {
    const { code, stdout, stderr } = await svc('create', 'shop', '--flow', graphId, ...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as { key: string; id: string };
  };
  const invoke = async (key: string): Promise<number> =>
    (
      await flows.service
        .withKey(flows.acme.tenant, key)
        .post('/invocations/v1/flows/invoke', { graph_id: graphId, input: {} })
    ).status;

  it('creates a working key, and lists it by its last characters', async () => {
    const { code, stdout, stderr } = await svc('create', 'web', '--flow', graphId, '--origin', origin);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^svcapp_[0-9a-f]{64}\n$/);
    assert.match(stderr, /^created app key \S+: store it now, it cannot be shown again\n$/);
    const anywhere = await svc('create', 'any', '--flow', graphId);
    assert.match(
      anywhere.stderr,
      /\npages of any origin may use it: svc app-key update \S+ --origin <origin> restricts it\n$/,
    );
    assert.equal(await invoke(stdout.trim()), 202);
    const list = await svc('list');
    const row = new RegExp(
      `^\\S+ +web +\\.\\.\\.${stdout.trim().slice(-4)} +active +${graphId} +${origin}$`,
      'm',
    );
    assert.match(list.stdout, row);
    assert.doesNotMatch(list.stdout, /test/);
  });

  it('sets the rate and the expiry', async () => {
    const key = await create('--rps', '2.5', '--burst', '4', '--expires', '2999-01-31T12:00:00Z');
    const shown = { ...key } as Record<string, unknown>;
    assert.deepEqual(
      [shown.rate_rps, shown.rate_burst, shown.expires_at],
      [2.5, 4, '2999-01-31T12:00:00.000Z'],
    );
    assert.match(
      (await svc('list')).stdout,
      new RegExp(`^${key.id} .* until 2999-01-31T12:00:00.000Z .* any$`, 'm'),
    );
  });

  it('replaces or removes the allowed origins', async () => {
    const { id } = await create('--origin', origin);
    const other = await svc(
      'update',
      id,
      '--origin',
      'https://a.example.com',
      '--origin',
      'https://b.example.com',
    );
    assert.match(other.stdout, /^origins +https:\/\/a\.example\.com, https:\/\/b\.example\.com$/m);
    assert.match((await svc('update', id, '--any-origin', '--flow', graphId)).stdout, /^origins +any$/m);
  });

  it('revokes a key, and lists revoked keys only with --all', async () => {
    const { id, key } = await create();
    assert.equal((await svc('revoke', id)).stderr, `revoked app key ${id}\n`);
    assert.equal(await invoke(key), 401);
    assert.doesNotMatch((await svc('list')).stdout, new RegExp(id));
    assert.match((await svc('list', '--all')).stdout, new RegExp(`^${id} .* revoked `, 'm'));
  });

  it('reports wrong usage, and unknown flows and keys', async () => {
    const { id } = await create();
    const failures: [string[], number, RegExp][] = [
      [
        ['create', 'x', '--flow', 'lost'],
        1,
        /^svc: graph "lost" not found: give the graph_id of a compiled flow: run svc flow list to see/,
      ],
      [
        ['create', 'x', '--flow', graphId, '--origin', 'shop'],
        1,
        /"shop" is not an origin: use scheme:\/\/host/,
      ],
      [['create', 'x'], 2, /required option '--flow <graph_id>' not specified/],
      [
        ['create', 'x', '--flow', graphId, '--rps', 'fast'],
        2,
        /'--rps <number>' argument 'fast' is invalid\. Give a number\./,
      ],
      [['update', id], 2, /give --flow, --origin or --any-origin/],
      [['update', id, '--origin', origin, '--any-origin'], 2, /exclude each other/],
      [
        ['update', 'lost', '--any-origin'],
        1,
        /^svc: app key "lost": app key not found: run svc app-key list to see/,
      ],
      [
        ['revoke', 'lost'],
        1,
        /^svc: app key "lost": app key not found: run svc app-key list to see the active keys\n$/,
      ],
    ];
    for (const [args, exit, message] of failures) {
      const { code, stdout, stderr } = await svc(...args);
      assert.deepEqual([code, stdout], [exit, ''], args.join(' '));
      assert.match(stderr, message);
    }
  });
});
