import assert from 'node:assert/strict';
import { createIds } from '../../service/ids.ts';
import { createExecutionWriter } from '../../service/store/commit/execution-writer.ts';
import type { Execution } from '../../service/store/executions.ts';
import type { ExecutionStatus } from '../../specs/execution-status.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { sampleExecution } from '../support/sample-records.ts';

const path = '/invocations/v1/executions';

describe('the list of executions', () => {
  let service: RunningService;
  let acme: Caller;
  let other: Caller;
  let stored: Execution[];
  const clock = manualClock(Date.parse('2026-03-01T00:00:00Z'));
  const ids = createIds(clock);

  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    other = await service.tenant('other');
    const writer = createExecutionWriter(service.db);
    const statuses: ExecutionStatus[] = ['COMPLETED', 'FAILED', 'RUNNING'];
    stored = Array.from({ length: 25 }, (_, index) => {
      clock.advance(1_000);
      const at = clock.now();
      const status = statuses[index % 3]!;
      return sampleExecution(acme.tenant.id, {
        id: ids.executionId(),
        ...(index % 5 === 0 && { nodeId: null, nodeFqn: null, graphId: 'flow', graphArtifactId: 'flow' }),
        status,
        createdAt: at,
        updatedAt: at,
        completedAt: status === 'RUNNING' ? null : at,
      });
    });
    for (const execution of stored) await writer.write(execution);
    await writer.close();
    stored.reverse();
  });
  after(() => service.stop());

  const list = async (query: string, caller = acme) => {
    const { status, body } = await caller.get(`${path}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as { executions: { execution_id: string; status: string }[]; next_cursor?: string };
  };
  const idsOf = (page: { executions: { execution_id: string }[] }): string[] =>
    page.executions.map((one) => one.execution_id);
  const expected = (keep: (one: Execution) => boolean): string[] => stored.filter(keep).map((one) => one.id);

  it('is sorted newest first, without a cursor after the last page', async () => {
    const page = await list('');
    assert.deepEqual(
      idsOf(page),
      expected(() => true),
    );
    assert.equal('next_cursor' in page, false);
  });

  it('contains the fields of each record', async () => {
    const { executions } = await list('limit=7');
    for (const entry of executions) {
      assert.deepEqual((await acme.get(`${path}/${entry.execution_id}`)).body, entry);
    }
  });

  it('is sent with Cache-Control: no-store, as are its records', async () => {
    for (const address of [path, `${path}/${stored[0]!.id}`]) {
      const { headers } = await acme.get(address);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('is paginated without gaps or duplicates while executions are added', async () => {
    const busy = await service.tenant('busy');
    const writer = createExecutionWriter(service.db);
    const add = async (): Promise<string> => {
      clock.advance(1);
      const execution = sampleExecution(busy.tenant.id, { id: ids.executionId() });
      await writer.write(execution);
      return execution.id;
    };
    const wanted: string[] = [];
    for (let index = 0; index < 10; index += 1) wanted.unshift(await add());
    const seen: string[] = [];
    let query: string | undefined = 'limit=3';
    while (query !== undefined) {
      const page: Awaited<ReturnType<typeof list>> = await list(query, busy);
      seen.push(...idsOf(page));
      await add();
      query = page.next_cursor && `limit=3&cursor=${page.next_cursor}`;
    }
    await writer.close();
    assert.deepEqual(seen, wanted);
  });

  it('has no empty page after the last execution', async () => {
    const first = await list('limit=24');
    assert.ok(first.next_cursor);
    const last = await list(`limit=24&cursor=${first.next_cursor}`);
    assert.equal(last.executions.length, 1);
    assert.equal(last.next_cursor, undefined);
    assert.equal((await list('limit=25')).next_cursor, undefined);
  });

  it('is filtered by status, by flow, and by creation time', async () => {
    const from = stored[20]!.createdAt;
    const before = stored[4]!.createdAt;
    const cases: [string, (one: Execution) => boolean][] = [
      ['status=FAILED', (one) => one.status === 'FAILED'],
      ['status=FAILED&status=RUNNING', (one) => one.status !== 'COMPLETED'],
      ['graph_id=flow', (one) => one.graphId === 'flow'],
      [`created_after=${new Date(from).toISOString()}`, (one) => one.createdAt >= from],
      [`created_before=${new Date(before).toISOString()}`, (one) => one.createdAt < before],
      [
        `graph_id=flow&status=COMPLETED&created_after=${new Date(from).toISOString()}`,
        (one) => one.graphId === 'flow' && one.status === 'COMPLETED' && one.createdAt >= from,
      ],
    ];
    for (const [query, keep] of cases) {
      const wanted = expected(keep);
      assert.ok(wanted.length > 0 && wanted.length < stored.length, query);
      const first = await list(`${query}&limit=2`);
      const seen = idsOf(first);
      for (let { next_cursor: cursor } = first; cursor !== undefined;) {
        const page: Awaited<ReturnType<typeof list>> = await list(`${query}&limit=2&cursor=${cursor}`);
        seen.push(...idsOf(page));
        cursor = page.next_cursor;
      }
      assert.deepEqual(seen, wanted, query);
    }
  });

  it('excludes executions of other tenants', async () => {
    const shown = idsOf(await list('limit=1000', other));
    assert.equal(shown.filter((id) => stored.some((one) => one.id === id)).length, 0);
  });

  it('accepts a cursor only with the query that returned it', async () => {
    const { next_cursor: cursor } = await list('status=FAILED&limit=1');
    assert.ok(cursor);
    for (const [caller, query] of [
      [acme, 'status=COMPLETED'],
      [acme, ''],
      [other, 'status=FAILED'],
    ] as const) {
      const { status, body } = await caller.get(`${path}?${query}&cursor=${cursor}`);
      assert.deepEqual([status, body.error], [400, 'invalid_argument']);
      assert.match(body.message, /^cursor belongs to a query with other filters/);
    }
    assert.equal((await list(`status=FAILED&limit=2&cursor=${cursor}`)).executions.length, 2);
  });

  it('refuses invalid filters, and lists the valid ones', async () => {
    const cases: Record<string, RegExp> = {
      'status=DONE': /^query parameter status\[0\]: .*QUEUED/,
      'created_after=yesterday': /^query parameter created_after: must be an ISO 8601 time/,
      'created_before=2026-02-30T00:00:00Z': /^query parameter created_before: must be an ISO 8601 time/,
      'cursor=abc': /^cursor is invalid/,
      'limit=0': /^query parameter limit: .*1/,
      'limit=1001': /^query parameter limit: .*1000/,
      'limit=ten': /^query parameter limit: must be a whole number from 1 to 1000/,
      'limit=-1': /^query parameter limit: must be a whole number from 1 to 1000/,
    };
    for (const [query, message] of Object.entries(cases)) {
      const { status, body } = await acme.get(`${path}?${query}`);
      assert.deepEqual([status, body.error], [400, 'invalid_argument'], query);
      assert.match(body.message, message);
    }
    assert.equal((await acme.get(`${path}?limit=1000`)).status, 200);
    assert.equal((await acme.get(`${path}?limit=1`)).status, 200);
  });

  it('requires read scope', async () => {
    const invoker = await service.tenant('invoker', { scopes: ['invoke'] });
    assert.equal((await invoker.get(path)).status, 403);
  });

  it('has pages of at most 1 MiB of error texts', async () => {
    const failing = await service.tenant('failing');
    const writer = createExecutionWriter(service.db);
    // 16 of these are 1 MiB; the last records of a page of 100 are read together with them.
    const errorMessage = 'x'.repeat(65_536);
    const all = Array.from({ length: 120 }, (_, index) => {
      clock.advance(1_000);
      const failed = index < 36 && { status: 'FAILED' as const, errorMessage };
      return sampleExecution(failing.tenant.id, { id: ids.executionId(), createdAt: clock.now(), ...failed });
    }).reverse();
    for (const execution of all) await writer.write(execution);
    await writer.close();
    const counts: number[] = [];
    const found: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await list(`limit=1000${cursor && `&cursor=${cursor}`}`, failing);
      counts.push(page.executions.length);
      found.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    assert.deepEqual(counts, [84 + 16, 16, 4]);
    assert.deepEqual(
      found,
      all.map(({ id }) => id),
    );
    assert.deepEqual(idsOf(await list('limit=100', failing)), found.slice(0, 100));
    assert.equal((await list('limit=99', failing)).executions.length, 99);
  });
});
