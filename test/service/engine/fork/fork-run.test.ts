import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { systemClock } from '../../../../service/clock.ts';
import type { Engine } from '../../../../service/engine/engine.ts';
import type { CompiledGraph } from '../../../../service/engine/graph/compiled-graph.ts';
import type { ProbePoint } from '../../../../service/engine/run/engine-probe.ts';
import type { JournalEntry } from '../../../../service/engine/journal/entry.ts';
import { limits } from '../../../../specs/limits.ts';
import { createIds } from '../../../../service/ids.ts';
import type { Database } from '../../../../service/store/database.ts';
import { findExecution } from '../../../../service/store/executions.ts';
import { findWaitingPause } from '../../../../service/store/pauses.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type EngineLab, engineLab } from '../../../support/engine-lab.ts';
import { eventually } from '../../../support/eventually.ts';
import { step } from '../../../support/step-package.ts';

const ids = createIds(systemClock);

const chain = {
  name: 'Chain',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('m'), step('z')],
  edges: [
    { from: 'a', to: 'm' },
    { from: 'm', to: 'z' },
  ],
};

const approval = {
  ...chain,
  name: 'Approval',
  nodes: [step('a'), step('ask'), step('z')],
  edges: [
    { from: 'a', to: 'ask' },
    { from: 'ask', to: 'z' },
  ],
};

/** Two branches that join. */
const diamond = {
  name: 'Diamond',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('l'), step('r'), { ...step('z'), join: { policy: 'all' } }],
  edges: [
    { from: 'a', to: 'l' },
    { from: 'a', to: 'r' },
    { from: 'l', to: 'z', adapter: { text: 'text' } },
    { from: 'r', to: 'z', adapter: { text: 'text' } },
  ],
};

eachDatabase((open) => {
  let db: Database;
  before(async () => {
    db = await open();
  });

  describe('a fork', function () {
    this.timeout(60_000);
    let lab: EngineLab;
    let engine: Engine;
    const graphs = new Map<object, CompiledGraph>();
    before(async () => {
      lab = await engineLab(db);
      engine = await lab.engine();
      for (const each of [chain, approval]) graphs.set(each, await lab.compile(each));
    });
    after(() => lab.close());
    beforeEach(() => {
      lab.behaviours.clear();
      lab.behaviours.set('ask', (input, answer, { context }) => {
        if (context && context.resumedPauseId !== '') return { text: `${input.text ?? ''}!` };
        answer.say({ case: 'pause', value: { interruptPayloadJson: '"go?"', timeoutSeconds: 60 } as never });
        answer.end();
        return undefined;
      });
    });

    const graphOf = (document: object): CompiledGraph => graphs.get(document)!;
    const wait = (executionId: string) => engine.wait(lab.tenant.id, executionId, { timeoutMs: 30_000 });
    const fork = async (executionId: string, options: object = {}, on = engine): Promise<string> => {
      const idempotency = { kind: 'key', hash: ids.hex(8) } as const;
      return (await on.fork(lab.tenant, { executionId, idempotency, ...options })).executionId;
    };
    const outputOf = async (executionId: string): Promise<string | undefined> => {
      const end = await wait(executionId);
      assert.equal(end.kind, 'completed', JSON.stringify(end));
      return lab.decode(end.output).text;
    };
    const record = async (executionId: string) => {
      const found = await findExecution(db, lab.tenant.id, executionId);
      assert.ok(found);
      return found;
    };
    const checkpoint = (executionId: string, seq: number) => `${executionId}-${seq}`;
    const started = async (executionId: string): Promise<string[]> =>
      (await lab.journal(executionId)).flatMap((entry) => (entry.type === 'NODE_STARTED' ? entry.node : []));
    const calls = (node: string): { count: number } => {
      const counted = { count: 0 };
      lab.behaviours.set(node, ({ text = '' }) => {
        counted.count += 1;
        return { text: `${text}${node}` };
      });
      return counted;
    };
    const decide = async (executionId: string, text: string): Promise<void> => {
      const pause = await findWaitingPause(db.knex, lab.tenant.id, executionId);
      assert.ok(pause);
      const decision = { input: lab.encode({ text }) };
      const made = { pauseId: pause.id, decisionId: ids.ulid(), resumedBy: '', decision };
      assert.equal((await engine.resume({ tenantId: lab.tenant.id, executionId }, made))?.won, true);
    };

    it('of a waiting run ends the parent and asks for its own decision', async () => {
      const { executionId, end } = await lab.run(engine, graphOf(approval), { text: '>' });
      assert.equal(end.kind, 'paused');
      const child = await fork(executionId);
      const parent = await record(executionId);
      assert.equal(parent.status, 'FORKED');
      assert.equal(parent.errorMessage, `execution forked: ${child} continues it`);
      const types = (await lab.journal(executionId)).slice(-3).map(({ type }) => type);
      assert.deepEqual(types, ['FORKED', 'pause_cancelled', 'FLOW_FAILED']);
      assert.equal(await findWaitingPause(db.knex, lab.tenant.id, executionId), undefined);

      const asked = await wait(child);
      assert.equal(asked.kind, 'paused');
      assert.notEqual(asked.pauseId, end.pauseId);
      const forked = await record(child);
      assert.deepEqual([forked.status, forked.forkedFromExecutionId], ['RUNNING', executionId]);
      const pause = await findWaitingPause(db.knex, lab.tenant.id, child);
      assert.equal(pause?.question, '"go?"');
      assert.ok(Math.abs(pause.expiresAt - pause.createdAt - 60_000) < 1_000);
      const questions = (await lab.journal(child)).filter(({ type }) => type === 'HITL_PAUSED');
      assert.equal(questions.length, 1);
      await decide(child, 'go');
      assert.equal(await outputOf(child), 'go!z');
    });

    it('repeats only the steps after its checkpoint, and leaves a finished parent unchanged', async () => {
      const { executionId } = await lab.run(engine, graphOf(chain), { text: '>' });
      const before = await record(executionId);
      const rows = await lab.journal(executionId);
      const [a, m] = [calls('a'), calls('m')];
      const child = await fork(executionId, { checkpointId: checkpoint(executionId, 1) });
      assert.equal(await outputOf(child), '>amz');
      assert.deepEqual([a.count, m.count], [0, 1]);
      assert.deepEqual(await record(executionId), before);
      assert.deepEqual(await lab.journal(executionId), rows);
      assert.deepEqual(await started(child), ['a', 'm', 'z']);
      const eventIds = new Set([...rows, ...(await lab.journal(child))].map(({ id }) => id));
      assert.equal(eventIds.size, rows.length + (await lab.journal(child)).length);
    });

    it('of a failed run retries the last step', async () => {
      lab.behaviours.set('m', (_input, answer) => {
        answer.say({ case: 'error', value: { message: 'not today' } as never });
        answer.end();
        return undefined;
      });
      const { executionId, end } = await lab.run(engine, graphOf(chain), { text: '>' });
      assert.equal(end.kind, 'failed');
      lab.behaviours.delete('m');
      const a = calls('a');
      assert.equal(await outputOf(await fork(executionId)), '>amz');
      assert.equal(a.count, 0);
      assert.equal((await record(executionId)).status, 'FAILED');
    });

    it('of a cancelled run continues where the run was cancelled', async () => {
      const { executionId } = await lab.run(engine, graphOf(approval), { text: '>' });
      await engine.cancel(lab.tenant.id, executionId);
      const child = await fork(executionId);
      await decide(child, 'go');
      assert.equal(await outputOf(child), 'go!z');
      assert.equal((await record(executionId)).status, 'CANCELLED');
    });

    it('can restart the pending node with another input', async () => {
      const { executionId } = await lab.run(engine, graphOf(chain), { text: '>' });
      const input = lab.input({ text: 'other' });
      for (const [seq, output] of [
        [0, 'otheramz'],
        [1, 'othermz'],
      ] as const) {
        const child = await fork(executionId, { checkpointId: checkpoint(executionId, seq), input });
        assert.equal(await outputOf(child), output);
      }
      const paused = await lab.run(engine, graphOf(approval), { text: '>' });
      const child = await fork(paused.executionId, { input });
      assert.equal((await wait(child)).kind, 'paused');
      const [last] = (await lab.journal(child)).filter(({ type }) => type === 'NODE_STARTED').slice(-1);
      assert.ok(last?.type === 'NODE_STARTED' && last.input instanceof Uint8Array);
      assert.equal(lab.decode(last.input).text, 'other');
    });

    it('of a fork keeps the history of both', async () => {
      const { executionId } = await lab.run(engine, graphOf(approval), { text: '>' });
      const child = await fork(executionId);
      const grandchild = await fork(child);
      assert.equal((await record(child)).status, 'FORKED');
      assert.equal((await record(grandchild)).forkedFromExecutionId, child);
      await decide(grandchild, 'go');
      assert.equal(await outputOf(grandchild), 'go!z');
      const began = (await lab.journal(grandchild)).filter(({ type }) => type === 'fork_began');
      assert.equal(began.length, 2);
    });

    it('owns copies of its messages, including large ones', async () => {
      const text = 'x'.repeat(100_000);
      const { executionId } = await lab.run(engine, graphOf(chain), { text });
      const child = await fork(executionId, { checkpointId: checkpoint(executionId, 1) });
      assert.equal(await outputOf(child), `${text}amz`);
      const folder = (id: string) => `${lab.blobsDir}/${lab.tenant.id}/${id}`;
      await rm(folder(executionId), { recursive: true });
      assert.equal(await outputOf(await fork(child, { checkpointId: checkpoint(child, 1) })), `${text}amz`);
    });

    it('counts toward the quota once for itself and once for each open branch', async () => {
      const graph = await lab.compile(diamond);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      lab.behaviours.set('r', async ({ text = '' }) => {
        await held;
        return { text: `${text}r` };
      });
      const { executionId } = await engine.invoke(lab.tenant, {
        graphId: graph.graphId,
        input: lab.input({ text: '>' }),
        idempotency: { kind: 'key', hash: ids.hex(8) },
      });
      await eventually(async () => ((await started(executionId)).length === 3 ? true : undefined));
      await eventually(async () =>
        (await lab.journal(executionId)).filter(({ type }) => type === 'NODE_COMPLETED').length === 2
          ? true
          : undefined,
      );
      const before = await lab.usage();
      const child = await fork(executionId);
      const after = await lab.usage();
      assert.deepEqual(
        [after.invocations - before.invocations, after.executions - before.executions],
        [1, 3],
      );
      release();
      const end = await wait(child);
      assert.equal(end.kind, 'completed', JSON.stringify(end));
      const branchesOf = async (root: string) =>
        (await lab.executions()).filter(({ lineageRootExecutionId }) => lineageRootExecutionId === root);
      assert.deepEqual(
        (await branchesOf(executionId)).map(({ status }) => status),
        ['CANCELLED', 'CANCELLED'],
      );
      assert.deepEqual(
        (await branchesOf(child)).map(({ status }) => status),
        ['COMPLETED', 'COMPLETED'],
      );
    });

    it('that is rejected leaves nothing behind, and the parent continues', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      lab.behaviours.set('m', async ({ text = '' }) => {
        await held;
        return { text: `${text}m` };
      });
      const { executionId } = await engine.invoke(lab.tenant, {
        graphId: graphOf(chain).graphId,
        input: lab.input({ text: '>' }),
        idempotency: { kind: 'key', hash: ids.hex(8) },
      });
      await eventually(async () => ((await started(executionId)).includes('m') ? true : undefined));
      const journals = async () =>
        (await db.knex('journal').where({ tenant_id: lab.tenant.id }).distinct('execution_id')).length;
      const before = await journals();
      const { invocations } = await lab.usage();
      const poor = { ...lab.tenant, limits: { ...lab.tenant.limits, dailyInvocations: invocations } };
      const request = { executionId, idempotency: { kind: 'key', hash: ids.hex(8) } } as const;
      await assert.rejects(
        engine.fork(poor, request),
        (error) => error instanceof ApiError && error.status === 429,
      );
      assert.equal(await journals(), before);
      assert.equal((await lab.usage()).invocations, invocations);
      release();
      assert.equal(await outputOf(executionId), '>amz');
      // The idempotency key is not taken either.
      assert.notEqual((await engine.fork(lab.tenant, request)).executionId, executionId);
    });

    it('is created once for concurrent requests with the same key', async () => {
      const { executionId } = await lab.run(engine, graphOf(chain), { text: '>' });
      const request = { executionId, idempotency: { kind: 'key', hash: ids.hex(8) } } as const;
      const forks = await Promise.all(Array.from({ length: 10 }, () => engine.fork(lab.tenant, request)));
      assert.equal(new Set(forks.map((each) => each.executionId)).size, 1);
    });

    it('waits for earlier forks of its tenant, with at most 32 in the queue', async () => {
      let copying = 0;
      let most = 0;
      const probe = async (point: ProbePoint): Promise<void> => {
        if (point === 'before_copy') copying += 1;
        most = Math.max(most, copying);
        await setImmediate();
        if (point === 'after_copy') copying -= 1;
      };
      const probed = await lab.engine({ probe });
      const { executionId } = await lab.run(probed, graphOf(chain), { text: '>' });
      const children = Array.from({ length: 1 + limits.workJobsPerTenant }, () =>
        fork(executionId, {}, probed),
      );
      await assert.rejects(
        fork(executionId, {}, probed),
        (error) => error instanceof ApiError && error.status === 429 && error.code === 'work_queue_full',
      );
      assert.equal(new Set(await Promise.all(children)).size, children.length);
      assert.equal(most, 1);
    });

    it('is abandoned without a trace when the caller disconnects before the commit', async () => {
      const leaving = new AbortController();
      const probe = (point: ProbePoint): void => {
        if (point === 'after_copy') leaving.abort();
      };
      const probed = await lab.engine({ probe });
      const { executionId } = await lab.run(probed, graphOf(approval), { text: '>' });
      const journals = async () =>
        (await db.knex('journal').where({ tenant_id: lab.tenant.id }).distinct('execution_id')).length;
      const before = await journals();
      await assert.rejects(
        fork(executionId, { signal: leaving.signal }, probed),
        (error) => error instanceof ApiError && error.status === 503,
      );
      await eventually(async () => ((await journals()) === before ? true : undefined));
      assert.equal((await record(executionId)).status, 'RUNNING');
      await decide(executionId, 'go');
      assert.equal(await outputOf(executionId), 'go!z');
    });

    it('is reported to a caller that disconnects during the commit', async () => {
      const leaving = new AbortController();
      let copied = false;
      const probe = (point: ProbePoint): void => {
        if (point === 'after_copy') copied = true;
        else if (point === 'before_commit' && copied) leaving.abort();
      };
      const probed = await lab.engine({ probe });
      const { executionId } = await lab.run(probed, graphOf(approval), { text: '>' });
      const child = await fork(executionId, { signal: leaving.signal }, probed);
      assert.ok(leaving.signal.aborted);
      assert.equal((await record(child)).forkedFromExecutionId, executionId);
      assert.equal((await record(executionId)).status, 'FORKED');
    });

    it('is rejected when the engine closes before it starts or before its commit', async () => {
      let closing: Promise<void> | undefined;
      const probe = async (point: ProbePoint): Promise<void> => {
        if (point !== 'before_copy') return;
        closing ??= closed.close();
        await setImmediate();
      };
      const { executionId } = await lab.run(engine, graphOf(chain), { text: '>' });
      const closed = await lab.engine({ probe });
      const forks = await Promise.allSettled([fork(executionId, {}, closed), fork(executionId, {}, closed)]);
      for (const each of forks) {
        assert.ok(each.status === 'rejected' && each.reason instanceof ApiError, each.status);
        assert.equal(each.reason.status, 503);
      }
      await closing;
    });

    it('takes over a run of another replica, with a single winner among concurrent forks', async () => {
      const other = await lab.engine();
      for (let round = 0; round < 5; round += 1) {
        const { executionId } = await lab.run(other, graphOf(approval), { text: '>' });
        const forks = await Promise.all([fork(executionId), fork(executionId, {}, other), fork(executionId)]);
        assert.equal((await record(executionId)).status, 'FORKED');
        const ends = (await lab.journal(executionId)).filter(({ type }) => type === 'FORKED');
        assert.equal(ends.length, 1);
        for (const child of forks) {
          await decide(child, 'go');
          assert.equal(await outputOf(child), 'go!z');
        }
      }
    });

    it('keeps the mutations of its history', async () => {
      const graph = await lab.compile({
        ...chain,
        mutation_enabled: true,
        edges: [{ from: 'a', to: 'm', condition: 'text == "never"' }, chain.edges[1]],
      });
      const fragment = {
        nodes: [step('x', { package: `${lab.tenant.handle}/steps` })],
        edges: [
          { from: 'a', to: 'x' },
          { from: 'x', to: 'z' },
        ],
      };
      lab.behaviours.set('a', ({ text = '' }, answer) => {
        answer.say({ case: 'mutation', value: { fragmentJson: JSON.stringify(fragment) } as never });
        return { text: `${text}a` };
      });
      const { executionId } = await lab.run(engine, graph, { text: '>' });
      assert.equal(await outputOf(executionId), '>axz');
      const before = await lab.usage();
      const child = await fork(executionId, { checkpointId: checkpoint(executionId, 2) });
      assert.equal(await outputOf(child), '>axz');
      assert.equal((await record(child)).mutationSeq, 1);
      // The parent has paid for the mutations.
      assert.equal((await lab.usage()).executions - before.executions, 1);
    });

    it('is rejected when its checkpoint has expired', async () => {
      const { executionId } = await lab.run(engine, graphOf(chain), { text: '>' });
      const first = await db
        .knex<{ seq: number; tenant_id: string; execution_id: string; at: number | string }>('journal')
        .where({ tenant_id: lab.tenant.id, execution_id: executionId, seq: 1 })
        .first('at');
      let now = Number(first?.at) + 30 * 86_400_000 - 1;
      const later = await lab.engine({ clock: { now: () => now } });
      const checkpointId = checkpoint(executionId, 1);
      assert.equal(await outputOf(await fork(executionId, { checkpointId }, later)), '>amz');
      now += 1;
      const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;
      await assert.rejects(fork(executionId, { checkpointId }, later), isMissing);
      await later.close(0);
    });

    it('releases callers that wait for the parent', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      lab.behaviours.set('m', async ({ text = '' }, answer) => {
        await Promise.race([held, new Promise<void>((gone) => answer.onCancelled(gone))]);
        return { text: `${text}m` };
      });
      const { executionId } = await engine.invoke(lab.tenant, {
        graphId: graphOf(chain).graphId,
        input: lab.input({ text: '>' }),
        idempotency: { kind: 'key', hash: ids.hex(8) },
      });
      await eventually(async () => ((await started(executionId)).includes('m') ? true : undefined));
      const waiting = wait(executionId);
      const child = await fork(executionId);
      const end = await waiting;
      assert.equal(end.kind, 'failed');
      assert.equal(end.message, `execution forked: ${child} continues it`);
      release();
      assert.equal(await outputOf(child), '>amz');
      const entries: JournalEntry[] = await lab.journal(executionId);
      assert.equal(entries.at(-1)?.type, 'FLOW_FAILED');
    });
  });
});
