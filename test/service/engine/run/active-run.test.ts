import assert from 'node:assert/strict';
import type { EngineProbe } from '../../../../service/engine/run/engine-probe.ts';
import type { Database } from '../../../../service/store/database.ts';
import type { RunOperation } from '../../../../service/store/commit/run-operation.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type EngineLab, engineLab } from '../../../support/engine-lab.ts';
import { step } from '../../../support/step-package.ts';

describe('an active run', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    describe('with its own container', () => {
      let lab: EngineLab;
      before(async () => {
        lab = await engineLab(db);
      });
      after(() => lab.close());

      it('closes a branch that ends while another branch exceeds the quota', async () => {
        const refused = Promise.withResolvers<undefined>();
        const ended = Promise.withResolvers<undefined>();
        const isFork = ({ branches }: Extract<RunOperation, { kind: 'append' }>): boolean =>
          branches.length === 3;
        const probe: EngineProbe = async (point, detail) => {
          if (point !== 'before_commit' || !Array.isArray(detail)) return;
          const batch = detail as readonly RunOperation[];
          if (!batch.some((operation) => operation.kind === 'append' && isFork(operation))) return;
          refused.resolve(undefined);
          await ended.promise;
        };
        const engine = await lab.engine({ probe });
        const graph = await lab.compile(forkedTwice);
        // This branch ends while the row that opens three more is being committed.
        lab.behaviours.set('c', async (input) => {
          await refused.promise;
          setTimeout(() => ended.resolve(undefined), 100);
          return input;
        });
        const { executionId } = await engine.invoke(
          { ...lab.tenant, limits: { dailyExecutions: 4 } },
          {
            graphId: graph.graphId,
            input: lab.input({ text: '>' }),
            idempotency: { kind: 'key', hash: 'forked twice' },
          },
        );
        const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(
          end.kind === 'failed' && end.message,
          'parallel branch: daily executions quota exceeded (cap 4)',
        );
        const executions = await lab.executions();
        assert.deepEqual(
          executions.map(({ status, completedAt }) => [status, completedAt !== null]),
          [
            ['FAILED', true],
            ['CANCELLED', true],
            ['CANCELLED', true],
          ],
        );
      });

      it('continues after a commit that used up the quota and lost its response', async () => {
        let lost = false;
        const probe: EngineProbe = (point, detail) => {
          if (point !== 'after_commit' || !Array.isArray(detail) || lost) return undefined;
          const batch = detail as readonly RunOperation[];
          if (!batch.some((operation) => operation.kind === 'append' && operation.branches.length === 2)) {
            return undefined;
          }
          lost = true;
          throw new Error('the connection was lost');
        };
        const engine = await lab.engine({ probe });
        const graph = await lab.compile(forkedOnce);
        const used = (await lab.usage()).executions;
        const { executionId } = await engine.invoke(
          { ...lab.tenant, limits: { dailyExecutions: used + 3 } },
          {
            graphId: graph.graphId,
            input: lab.input({ text: '>' }),
            idempotency: { kind: 'key', hash: 'forked once' },
          },
        );
        const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(end.kind, 'completed');
        assert.ok(lost);
      });
    });
  });
});

/** Two branches that join. */
const forkedOnce = {
  name: 'Forked once',
  entry: 'a',
  terminal: 'd',
  nodes: [...['a', 'b', 'c'].map((id) => step(id)), step('d', { join: { policy: 'all' } })],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
    { id: 'bd', from: 'b', to: 'd' },
    { from: 'c', to: 'd' },
  ],
  compose: { d: { text: 'bd:text' } },
};

/** Two branches, one of which forks into three more. */
const forkedTwice = {
  name: 'Forked twice',
  entry: 'a',
  terminal: 'd',
  nodes: [...['a', 'b', 'c', 'x', 'y', 'z'].map((id) => step(id)), step('d', { join: { policy: 'all' } })],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
    { from: 'b', to: 'x' },
    { from: 'b', to: 'y' },
    { from: 'b', to: 'z' },
    { from: 'c', to: 'd', condition: 'text == "never"' },
    { from: 'x', to: 'd' },
    { from: 'y', to: 'd' },
    { from: 'z', to: 'd' },
  ],
};
