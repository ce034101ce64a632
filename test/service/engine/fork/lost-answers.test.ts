import assert from 'node:assert/strict';
import type { Engine } from '../../../../service/engine/engine.ts';
import type { ForkRequest } from '../../../../service/engine/fork/fork-run.ts';
import type { CompiledGraph } from '../../../../service/engine/graph/compiled-graph.ts';
import type { RunOperation } from '../../../../service/store/commit/run-operation.ts';
import { approval } from '../../../support/asking-flow.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type EngineLab, engineLab } from '../../../support/engine-lab.ts';

eachDatabase((open) => {
  describe('a fork whose commit loses its response', function () {
    this.timeout(60_000);
    let lab: EngineLab;
    let engine: Engine;
    let graph: CompiledGraph;
    /** The number of responses that are still to be lost. */
    let lost = 0;
    before(async () => {
      lab = await engineLab(await open());
      lab.behaviours.set('ask', (_, answer) => {
        answer.say({ case: 'pause', value: { interruptPayloadJson: '"go?"', timeoutSeconds: 60 } as never });
        answer.end();
        return undefined;
      });
      const isFork = (operation: RunOperation) => operation.kind === 'admit' && operation.fork !== undefined;
      engine = await lab.engine({
        probe: (point, detail) => {
          const batch = Array.isArray(detail) ? (detail as readonly RunOperation[]) : [];
          if (point !== 'after_commit' || !batch.some(isFork) || lost === 0) return;
          lost -= 1;
          throw new Error('the connection is lost');
        },
      });
      graph = await lab.compile(approval);
    });
    after(() => lab.close());

    /** Forks a run that waits, and returns both. */
    const forked = async (answersLost: number, options: Partial<ForkRequest> = {}) => {
      const { executionId: parent, end } = await lab.run(engine, graph, { text: '>' });
      assert.equal(end.kind, 'paused');
      lost = answersLost;
      const idempotency = { kind: 'key', hash: parent } as const;
      const fork = async () => {
        const { executionId, duplicate } = await engine.fork(lab.tenant, {
          executionId: parent,
          idempotency,
          ...options,
        });
        return { executionId, duplicate };
      };
      return { parent, fork };
    };
    const askedWithHistory = async (executionId: string): Promise<void> => {
      const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 30_000 });
      assert.equal(end.kind, 'paused', JSON.stringify(end));
      const nodes = (await lab.journal(executionId)).flatMap((entry) =>
        entry.type === 'NODE_STARTED' ? entry.node : [],
      );
      assert.deepEqual(nodes.slice(0, 2), ['a', 'ask']);
    };
    const statusOf = async (executionId: string) =>
      (await lab.executions()).find(({ id }) => id === executionId)?.status;

    it('is found by its idempotency key, and continues with its history', async () => {
      const { parent, fork } = await forked(1);
      const { executionId, duplicate } = await fork();
      assert.equal(lost, 0);
      assert.equal(duplicate, false);
      await askedWithHistory(executionId);
      assert.equal(await statusOf(parent), 'FORKED');
    });

    it('continues even if the retry loses its response too', async () => {
      const { parent, fork } = await forked(2, { input: lab.input({ text: 'other' }) });
      await assert.rejects(fork(), { status: 503 });
      assert.equal(lost, 0);
      assert.equal(await statusOf(parent), 'FORKED');
      const child = (await lab.executions()).find((each) => each.forkedFromExecutionId === parent);
      assert.ok(child);
      await askedWithHistory(child.id);
      assert.deepEqual(await fork(), { executionId: child.id, duplicate: true });
    });
  });
});
