import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engine } from '../../../service/engine/engine.ts';
import type { CompiledGraph } from '../../../service/engine/graph/compiled-graph.ts';
import type { JournalEntry } from '../../../service/engine/journal/entry.ts';
import type { Database } from '../../../service/store/database.ts';
import type { RunOperation } from '../../../service/store/commit/run-operation.ts';
import { createBlobStore } from '../../../service/objects/blob-store.ts';
import { createDiskObjectStore } from '../../../service/objects/disk-object-store.ts';
import { findPause, findWaitingPause, type Pause } from '../../../service/store/pauses.ts';
import { eachDatabase } from '../../support/databases.ts';
import { type Behaviour, type EngineLab, engineLab } from '../../support/engine-lab.ts';
import { itSlow } from '../../support/fast-run.ts';
import { step } from '../../support/step-package.ts';
import { eventually } from '../../support/eventually.ts';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';

const ids = createIds(systemClock);

describe('a run that waits for a decision', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });
    describe('with its own container', () => {
      let lab: EngineLab;
      let engine: Engine;
      before(async () => {
        lab = await engineLab(db);
        engine = await lab.engine();
      });
      after(() => lab.close());
      afterEach(() => lab.behaviours.clear());

      const compile = (name: string): Promise<CompiledGraph> => lab.compile(withApproval(name));
      const waiting = async (executionId: string): Promise<Pause> => {
        const pause = await findWaitingPause(db.knex, lab.tenant.id, executionId);
        assert.ok(pause, 'no pause waits');
        return pause;
      };
      const decide = (pause: Pick<Pause, 'executionId' | 'id'>, text: string, on = engine) =>
        on.resume(
          { tenantId: lab.tenant.id, executionId: pause.executionId },
          {
            pauseId: pause.id,
            decisionId: ids.ulid(),
            resumedBy: 'ann',
            decision: { input: lab.encode({ text }) },
          },
        );
      const typesOf = async (executionId: string): Promise<string[]> =>
        (await lab.journal(executionId)).map(({ type }) => type).filter((type) => /^[A-Z_]+$/.test(type));

      it('drops the mutations of a call that pauses', async () => {
        const graph = await lab.compile({ ...withApproval('Growing'), mutation_enabled: true });
        const fragment = { edges: [{ id: 'again', from: 'ask', to: 'z' }] };
        lab.behaviours.set('ask', (input, answer, request) => {
          answer.say({ case: 'mutation', value: { fragmentJson: JSON.stringify(fragment) } as never });
          return asks(input, answer, request);
        });
        const { executionId } = await lab.run(engine, graph);
        assert.equal((await typesOf(executionId)).includes('GRAPH_MUTATED'), false);
        await decide(await waiting(executionId), 'yes');
        await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        const mutations = (await typesOf(executionId)).filter((type) => type === 'GRAPH_MUTATED');
        assert.equal(mutations.length, 1, 'the answer has its mutation');
      });

      it('reports the pause to a waiting caller at once, and continues with the decision as the input of the node', async () => {
        const graph = await compile('Approval');
        lab.behaviours.set('ask', asks);
        const { executionId, end } = await lab.run(engine, graph, { text: '>' });
        const pause = await waiting(executionId);
        assert.deepEqual(end, { kind: 'paused', pauseId: pause.id });
        assert.deepEqual(
          { node: pause.node, status: pause.status, question: pause.question, schema: pause.resumeSchema },
          { node: 'ask', status: 'WAITING', question: '{"text":">a"}', schema: 'acme.steps.v1.Step' },
        );
        assert.ok(Math.abs(pause.expiresAt - pause.createdAt - 86_400_000) < 1_000);
        const resumed = await decide(pause, 'yes');
        assert.equal(resumed?.won, true);
        const ended = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(ended.kind, 'completed');
        assert.equal(lab.decode(ended.output).text, 'yes!z');
        assert.deepEqual(await typesOf(executionId), [
          ...[
            'NODE_STARTED',
            'NODE_COMPLETED',
            'EDGE_EVALUATED',
            'NODE_STARTED',
            'HITL_PAUSED',
            'HITL_RESUMED',
          ],
          ...['NODE_STARTED', 'NODE_COMPLETED', 'EDGE_EVALUATED', 'NODE_STARTED', 'NODE_COMPLETED'],
          'FLOW_COMPLETED',
        ]);
        const context = lab.container.requests.findLast(
          ({ context: each }) => each?.placementId === 'ask',
        )?.context;
        assert.equal(context?.resumedPauseId, pause.id);
        assert.equal(context.resumedBy, 'ann');
        assert.equal(context.idempotencyId, `${executionId}:2`);
        const after = await findPause(db, lab.tenant.id, pause.id);
        assert.equal(after?.status, 'RESUMED');
        assert.equal(after.resumedBy, 'ann');
      });

      it('keeps its events in order when it continues on a replica whose clock is behind', async () => {
        const graph = await compile('Behind');
        lab.behaviours.set('ask', asks);
        const first = await lab.engine({ parkAfterMs: 0 });
        const behind = await lab.engine({ ids: createIds({ now: () => Date.now() - 3_600_000 }) });
        const { executionId } = await lab.run(first, graph);
        assert.equal((await decide(await waiting(executionId), 'yes', behind))?.won, true);
        await behind.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        const events = (await lab.journal(executionId)).map(({ id }) => id);
        assert.deepEqual(events, events.toSorted());
        assert.equal(new Set(events).size, events.length);
        for (const id of events) assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
      });

      describe('while the database is unavailable for writes', () => {
        let away = false;
        const probe = (): void => {
          if (away) throw Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' });
        };
        afterEach(() => {
          away = false;
        });
        const paused = async (name: string): Promise<{ replica: Engine; executionId: string }> => {
          const replica = await lab.engine({ probe, storeMs: 300 });
          lab.behaviours.set('ask', asks);
          const { executionId } = await lab.run(replica, await compile(name));
          return { replica, executionId };
        };

        it('does not block the caller of a decision, which takes effect later', async () => {
          const { replica, executionId } = await paused('Away');
          away = true;
          assert.equal(await decide(await waiting(executionId), 'yes', replica), undefined);
          away = false;
          const ended = await eventually(async () => {
            const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 1_000 });
            return end.kind === 'completed' ? end : undefined;
          });
          assert.equal(lab.decode(ended.output).text, 'yes!z');
        });

        it('does not block the caller of a cancellation, which takes effect later', async () => {
          const { replica, executionId } = await paused('Cancelled while away');
          away = true;
          await assert.rejects(replica.cancel(lab.tenant.id, executionId), { status: 503 });
          away = false;
          await eventually(async () => {
            const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 1_000 });
            return end.kind === 'cancelled' ? end : undefined;
          });
        });
      });

      it('accepts exactly one of fifty concurrent decisions on two replicas', async () => {
        const graph = await compile('Fifty');
        const other = await lab.engine();
        lab.behaviours.set('ask', asks);
        const { executionId } = await lab.run(engine, graph);
        const pause = await waiting(executionId);
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            decide(pause, `${index}`, index % 2 === 0 ? engine : other),
          ),
        );
        assert.equal(answers.filter((each) => each?.won).length, 1);
        const winner = answers.findIndex((each) => each?.won);
        assert.deepEqual([...new Set(answers.map((each) => each?.pause.status))], ['RESUMED']);
        const ended = await other.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(ended.kind, 'completed');
        assert.equal(lab.decode(ended.output).text, `${winner}!z`);
        const types = await typesOf(executionId);
        assert.equal(types.filter((type) => type === 'HITL_RESUMED').length, 1);
        assert.equal(types.filter((type) => type === 'FLOW_COMPLETED').length, 1);
        assert.equal(
          lab.container.requests.filter(
            ({ context }) => context?.executionId === executionId && context.placementId === 'ask',
          ).length,
          2,
        );
      });

      itSlow(
        'continues each of 500 runs exactly once when they are resumed concurrently on two replicas',
        async () => {
          const graph = await compile('Many');
          const other = await lab.engine();
          lab.behaviours.set('ask', asks);
          const paused = await Promise.all(
            Array.from({ length: 500 }, async () => {
              const { executionId } = await lab.run(engine, graph);
              return waiting(executionId);
            }),
          );
          const replicas = [engine, other];
          await Promise.all(
            paused.map(async (pause, index) => {
              const resumed = await decide(pause, `${index}`, replicas[index % 2]);
              assert.equal(resumed?.won, true);
            }),
          );
          for (const [index, { executionId }] of paused.entries()) {
            const ended = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
            assert.equal(ended.kind, 'completed');
            assert.equal(lab.decode(ended.output).text, `${index}!z`);
          }
          const calls = lab.container.requests.filter(({ context }) => context?.placementId === 'ask');
          const ours = new Set(paused.map(({ executionId }) => executionId));
          assert.equal(calls.filter(({ context }) => ours.has(context?.executionId ?? '')).length, 1_000);
        },
      ).timeout(60_000);

      it('starts the node within 100 ms of a decision, on the replica that receives it', async () => {
        const graph = await compile('Soon');
        const other = await lab.engine();
        let startedAt = 0;
        lab.behaviours.set('ask', (input, answer, request) => {
          startedAt = performance.now();
          return asks(input, answer, request);
        });
        const times: number[] = [];
        for (const on of [engine, other, engine, other, engine, other, engine, other, engine]) {
          const { executionId } = await lab.run(engine, graph);
          const pause = await waiting(executionId);
          const decidedAt = performance.now();
          await decide(pause, 'go', on);
          await on.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
          times.push(startedAt - decidedAt);
        }
        // The median: a busy machine delays some of them, and a search once a second would find some in time.
        const median = times.sort((one, two) => one - two)[4] ?? Infinity;
        assert.ok(median > 0 && median < 100, `${times.join(', ')} ms`);
      });

      it('pauses in each iteration of a loop, and resumes on alternating replicas', async () => {
        const graph = await compile('Loop');
        const other = await lab.engine();
        // Asks until the third decision.
        lab.behaviours.set('ask', (input, answer, request) =>
          (input.text ?? '').length < 3
            ? asks({ text: input.text ?? '' }, answer, { ...request, context: undefined })
            : input,
        );
        const { executionId } = await lab.run(engine, graph, { text: '' });
        const seen: string[] = [];
        for (const [index, on] of [other, engine].entries()) {
          const pause = await eventually(() => findWaitingPause(db.knex, lab.tenant.id, executionId));
          assert.ok(!seen.includes(pause.id));
          // A decision on an earlier pause changes nothing.
          if (seen[0] !== undefined)
            assert.equal((await decide({ executionId, id: seen[0] }, 'late', on))?.won, false);
          seen.push(pause.id);
          assert.equal((await decide(pause, 'x'.repeat(index * 2 + 1), on))?.won, true);
        }
        const ended = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(ended.kind, 'completed');
        assert.equal(lab.decode(ended.output).text, 'xxxz');
      });

      it('asks for one decision at a time when branches pause together, and keeps the branches running', async () => {
        const graph = await lab.compile(withBranches('Branches'));
        lab.behaviours.set('p', asks);
        lab.behaviours.set('q', asks);
        const { promise: finished, resolve: finish } = Promise.withResolvers<undefined>();
        lab.behaviours.set('r', async () => {
          await finished;
          return { text: 'r' };
        });
        const { executionId, end } = await lab.run(engine, graph);
        const first = await waiting(executionId);
        assert.deepEqual(end, { kind: 'paused', pauseId: first.id });
        await eventually(async () =>
          (await lab.journal(executionId)).some(({ type }) => type === 'pause_requested') ? true : undefined,
        );
        // A later caller learns of the pause too.
        assert.deepEqual(await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 }), end);
        assert.equal((await decide(first, 'one'))?.won, true);
        const second = await eventually(() => findWaitingPause(db.knex, lab.tenant.id, executionId));
        assert.notEqual(second.node, first.node);
        assert.equal((await decide(second, 'two'))?.won, true);
        finish(undefined);
        const ended = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(ended.kind, 'completed');
        assert.match(lab.decode(ended.output).text ?? '', /^(one!two!|two!one!)rm$/);
        const calls = lab.container.requests.filter(({ context }) => context?.executionId === executionId);
        assert.equal(calls.filter(({ context }) => context?.placementId === 'r').length, 1);
      });

      it('keeps a pause that is requested while the large output of another branch is being stored', async () => {
        const graph = await lab.compile(withBranches('Large'));
        const storing = Promise.withResolvers<undefined>();
        const asked = Promise.withResolvers<undefined>();
        const blobs = createBlobStore(createDiskObjectStore(lab.blobsDir));
        const slow = await lab.engine({
          parkAfterMs: 10,
          blobs: {
            ...blobs,
            put: async (...args) => {
              storing.resolve(undefined);
              await asked.promise;
              return blobs.put(...args);
            },
          },
        });
        lab.behaviours.set('r', async () => {
          await wait(100);
          return { text: 'r'.repeat(70_000) };
        });
        lab.behaviours.set('p', async (...call) => {
          await storing.promise;
          setTimeout(() => asked.resolve(undefined), 100);
          return asks(...call);
        });
        const { executionId } = await lab.run(slow, graph);
        const pause = await waiting(executionId);
        assert.equal((await decide(pause, 'p', slow))?.won, true);
        const ended = await slow.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(ended.kind, 'completed');
      });

      itSlow('leaves memory while it waits, and expires on any replica', async () => {
        const graph = await compile('Expiry');
        let ahead = 0;
        const clock = { now: () => Date.now() + ahead };
        const later = [
          await lab.engine({ parkAfterMs: 0, clock }),
          await lab.engine({ parkAfterMs: 0, clock }),
        ] as const;
        const [other] = later;
        lab.behaviours.set('ask', (_input, answer) => {
          answer.say({
            case: 'pause',
            value: { timeoutSeconds: 7_200, escalateAfterSeconds: 3_600 } as never,
          });
          answer.end();
          return undefined;
        });
        const { executionId } = await lab.run(other, graph);
        const pause = await waiting(executionId);
        assert.deepEqual(await db.knex('executions').where({ id: executionId }).pluck('owner'), ['']);
        ahead = 3_600_000;
        await eventually(async () =>
          (await findPause(db, lab.tenant.id, pause.id))?.escalatedAt === null ? undefined : true,
        );
        assert.equal((await waiting(executionId)).status, 'WAITING');
        ahead = 7_200_000;
        // Its caller would be answered with the pause, so it asks again until the end.
        const ended = await eventually(async () => {
          const now = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 10 });
          return now.kind === 'cancelled' ? now : undefined;
        });
        assert.equal(ended.message, `pause ${pause.id} expired without a decision`);
        assert.deepEqual((await typesOf(executionId)).slice(-4), [
          'HITL_PAUSED',
          'ESCALATION_TRIGGERED',
          'HITL_TIMEOUT',
          'FLOW_FAILED',
        ]);
        assert.equal((await findPause(db, lab.tenant.id, pause.id))?.status, 'EXPIRED');
        assert.deepEqual(await decide(pause, 'late'), {
          pause: await findPause(db, lab.tenant.id, pause.id),
          won: false,
        });
        for (const each of later) await each.close(0);
      });

      it('cancels its pause with the run', async () => {
        const graph = await compile('Cancelled');
        lab.behaviours.set('ask', asks);
        const { executionId } = await lab.run(engine, graph);
        const pause = await waiting(executionId);
        await engine.cancel(lab.tenant.id, executionId);
        assert.equal((await findPause(db, lab.tenant.id, pause.id))?.status, 'CANCELLED');
        assert.equal((await decide(pause, 'late'))?.won, false);
        assert.equal(countOf(await lab.journal(executionId), 'FLOW_FAILED'), 1);
      });

      it('cancels its pause when another branch ends the run', async () => {
        const graph = await lab.compile(withBranches('Ended by a branch'));
        const broken = Promise.withResolvers<undefined>();
        lab.behaviours.set('p', asks);
        lab.behaviours.set('r', async (_input, answer) => {
          await broken.promise;
          answer.say({ case: 'error', value: { message: 'broken' } as never });
          answer.end();
          return undefined;
        });
        const { executionId, end } = await lab.run(engine, graph);
        assert.equal(end.kind, 'paused');
        broken.resolve(undefined);
        await eventually(async () =>
          (await findPause(db, lab.tenant.id, end.pauseId))?.status === 'WAITING' ? undefined : true,
        );
        assert.equal((await findPause(db, lab.tenant.id, end.pauseId))?.status, 'CANCELLED');
        const ended = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(ended.kind, 'failed');
      });

      for (const [where, parkAfterMs] of Object.entries({ parked: 0, 'in memory': 3_600_000_000 })) {
        it(`ignores a decision that is processed after the pause has expired: run ${where}`, async () => {
          let aheadMs = 0;
          const clock = { now: () => Date.now() + aheadMs };
          const replica = await lab.engine({ parkAfterMs, clock });
          lab.behaviours.set('ask', asks);
          const { executionId } = await lab.run(replica, await compile(`Late ${where}`));
          const pause = await waiting(executionId);
          // The clock of the machine may be set back a little.
          aheadMs = pause.expiresAt - Date.now() + 1_000;
          const late = await decide(pause, 'yes', replica);
          assert.deepEqual([late?.won, late?.pause.status], [false, 'WAITING']);
          // Before it sees other tests' pauses as expired.
          await replica.close(0);
          assert.equal((await typesOf(executionId)).includes('HITL_RESUMED'), false);
        });
      }

      it('reports no pause that has ended in the database', async () => {
        const graph = await lab.compile(withBranches('Seen in the database'));
        const told: string[] = [];
        const watched = await lab.engine({
          probe: async (point, detail) => {
            if (point !== 'after_commit' || !Array.isArray(detail)) return;
            for (const operation of detail as readonly RunOperation[]) {
              if (operation.kind !== 'append' || !operation.pauses) continue;
              for (const { id, status } of operation.pauses.changed) {
                const seen = await watched.wait(lab.tenant.id, operation.executionId, { timeoutMs: 0 });
                told.push(
                  `${status}: ${seen.kind === 'paused' && seen.pauseId === id ? 'paused still' : seen.kind}`,
                );
              }
            }
          },
        });
        const broken = Promise.withResolvers<undefined>();
        lab.behaviours.set('p', asks);
        lab.behaviours.set('q', asks);
        lab.behaviours.set('r', async (_input, answer) => {
          await broken.promise;
          answer.say({ case: 'error', value: { message: 'broken' } as never });
          answer.end();
          return undefined;
        });
        const { executionId, end } = await lab.run(watched, graph);
        assert.equal(end.kind, 'paused');
        // The other branch asks in the row of this decision.
        await eventually(async () =>
          (await lab.journal(executionId)).some(({ type }) => type === 'pause_requested') ? true : undefined,
        );
        assert.equal((await decide({ executionId, id: end.pauseId }, 'one', watched))?.won, true);
        broken.resolve(undefined);
        await eventually(() => Promise.resolve(told[1]));
        assert.deepEqual(told, ['RESUMED: paused', 'CANCELLED: failed']);
      });

      it('fails if the decision is not valid input', async () => {
        const graph = await compile('Unreadable decision');
        lab.behaviours.set('ask', asks);
        const { executionId } = await lab.run(engine, graph);
        const pause = await waiting(executionId);
        const resumed = await engine.resume(
          { tenantId: lab.tenant.id, executionId },
          {
            pauseId: pause.id,
            decisionId: ids.ulid(),
            resumedBy: '',
            decision: { error: 'the resume value is bad' },
          },
        );
        assert.equal(resumed?.won, true);
        const ended = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.deepEqual(
          [ended.kind, 'message' in ended && ended.message],
          ['failed', 'the resume value is bad'],
        );
        assert.deepEqual((await typesOf(executionId)).slice(-3), [
          'HITL_RESUMED',
          'HITL_RESUME_FAILED',
          'FLOW_FAILED',
        ]);
      });

      it('fails if the pause request exceeds a limit or names an invalid message or policy', async () => {
        const graph = await compile('Bad requests');
        const limit = 65_536;
        for (const [value, message] of [
          [{ interruptPayloadJson: JSON.stringify('x'.repeat(limit - 2)) }, undefined],
          [
            { interruptPayloadJson: JSON.stringify('x'.repeat(limit - 1)) },
            `its question has ${limit + 1} bytes of JSON, and the limit is ${limit}`,
          ],
          [{ resumeSchema: 'acme.steps.v1.Other' }, undefined],
          [{ resumeSchema: 'acme.Unknown' }, 'its package has no message "acme.Unknown"'],
          [
            { resumeSchema: 'acme.steps.v1.Part' },
            'its input message acme.steps.v1.Step lacks the field "name" of acme.steps.v1.Part, so that no decision can set it',
          ],
          [{ timeoutPolicy: 'CANCEL' }, undefined],
          [{ timeoutPolicy: 'RETRY' }, 'the timeout policy "RETRY" is not CANCEL'],
        ] as const) {
          lab.behaviours.set('ask', (_input, answer) => {
            answer.say({ case: 'pause', value: value as never });
            answer.end();
            return undefined;
          });
          const { executionId, end } = await lab.run(engine, graph);
          if (message === undefined) {
            assert.equal(end.kind, 'paused', JSON.stringify(value).slice(0, 99));
            await engine.cancel(lab.tenant.id, executionId);
          } else {
            assert.ok(end.kind === 'failed');
            assert.equal(end.message, `node "ask" requested a human decision, but ${message}`);
          }
        }
      });

      it('has at most one waiting pause, enforced by the database', async () => {
        const graph = await compile('One at a time');
        lab.behaviours.set('ask', asks);
        const { executionId } = await lab.run(engine, graph);
        const row = (await db.knex('pauses').where({ execution_id: executionId }).first()) as Record<
          string,
          unknown
        >;
        await assert.rejects(db.knex('pauses').insert({ ...row, id: 'another' }), /UNIQUE|unique/);
        await db.knex('pauses').insert({ ...row, id: 'another', status: 'RESUMED' });
      });
    });
  });
});

/** Requests a decision first, and then returns it. */
const asks: Behaviour = (input, answer, { context }) => {
  if (context && context.resumedPauseId !== '') return { text: `${input.text ?? ''}!` };
  answer.say({
    case: 'pause',
    value: { interruptPayloadJson: JSON.stringify({ text: input.text }) } as never,
  });
  answer.end();
  return undefined;
};

function withApproval(name: string): Record<string, unknown> {
  return {
    name,
    entry: 'a',
    terminal: 'z',
    nodes: [step('a'), step('ask'), step('z')],
    edges: [
      { from: 'a', to: 'ask' },
      { from: 'ask', to: 'z' },
    ],
  };
}

/** Three branches that join. */
function withBranches(name: string): Record<string, unknown> {
  return {
    name,
    entry: 'a',
    terminal: 'm',
    nodes: [step('a'), step('p'), step('q'), step('r'), step('m', { join: { policy: 'all' } })],
    edges: ['p', 'q', 'r'].flatMap((id) => [
      { from: 'a', to: id },
      { id, from: id, to: 'm' },
    ]),
    compose: { m: { text: 'cel("p.text + q.text + r.text")' } },
  };
}

function countOf(entries: readonly JournalEntry[], type: JournalEntry['type']): number {
  return entries.filter((entry) => entry.type === type).length;
}
