import assert from 'node:assert/strict';
import { systemClock } from '../../service/clock.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import { createIds } from '../../service/ids.ts';
import type { Database } from '../../service/store/database.ts';
import { eachDatabase } from '../support/databases.ts';
import { type EngineLab, engineLab } from '../support/engine-lab.ts';
import { eventually } from '../support/eventually.ts';
import { itSlow } from '../support/fast-run.ts';
import { copyPausedRun } from '../support/paused-copies.ts';
import { step } from '../support/step-package.ts';

const ids = createIds(systemClock);

const count = 7_500;
const callers = 64;
/** Runs that are decided before the others are created. */
const first = 30;

const approval = {
  name: 'Approval',
  entry: 'ask',
  terminal: 'z',
  nodes: [step('ask'), step('z')],
  edges: [{ from: 'ask', to: 'z' }],
};

const busy = {
  name: 'Busy',
  entry: 'x',
  terminal: 'y',
  nodes: [step('x'), step('y')],
  edges: [{ from: 'x', to: 'y' }],
};

describe(`${count} paused runs`, function () {
  this.timeout(300_000);

  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    describe('with a separate container', () => {
      let lab: EngineLab;
      let engine: Engine;
      let graph: CompiledGraph;
      before(async () => {
        lab = await engineLab(db);
        engine = await lab.engine();
        graph = await lab.compile(approval);
        lab.behaviours.set('ask', (input, answer, { context }) => {
          if (context && context.resumedPauseId !== '') return { text: `${input.text ?? ''}!` };
          answer.say({ case: 'pause', value: { interruptPayloadJson: '"go?"' } as never });
          answer.end();
          return undefined;
        });
      });
      after(() => lab.close());

      itSlow('all end when they are decided while other runs start', async () => {
        const tenantId = lab.tenant.id;
        const resume = async (run: { executionId: string; pauseId: string }): Promise<void> => {
          const made = { pauseId: run.pauseId, decisionId: ids.ulid(), resumedBy: '', decision };
          const outcome = await engine.resume({ tenantId, executionId: run.executionId }, made);
          assert.equal(outcome?.won, true);
        };
        const pause = async (): Promise<{ executionId: string; pauseId: string }> => {
          const { executionId, end } = await lab.run(engine, graph);
          assert.ok(end.kind === 'paused');
          return { executionId, pauseId: end.pauseId };
        };
        const decision = { input: lab.encode({ text: 'go' }) };
        // PostgreSQL plans its prepared statements while the tables are small.
        for (let early = 0; early < first; early += 1) await resume(await pause());
        const model = await pause();
        const runs = await copyPausedRun(db, { tenantId, ...model }, count);
        const others = await lab.compile(busy);
        let deciding = true;
        const load = async (): Promise<number> => {
          let made = 0;
          for (; deciding; made += 1) {
            const other = await lab.run(engine, others);
            assert.equal(other.end.kind, 'completed');
          }
          return made;
        };
        const loads = Array.from({ length: 4 }, load);

        const left = [...runs];
        const decide = async (): Promise<void> => {
          for (let run = left.pop(); run; run = left.pop()) await resume(run);
        };
        await Promise.all(Array.from({ length: callers }, decide));
        deciding = false;
        const made = (await Promise.all(loads)).reduce((sum, each) => sum + each, 0);
        assert.ok(made > 0);
        if (db.dialect === 'postgres') {
          // A plan that reads a table for each decision reads tens of millions of rows. On a slow machine, more other runs are made.
          const { scans, read, searches } = await readsOfTables(db);
          assert.ok(scans > count, `${scans} lookups by index`);
          assert.ok(searches > 0 && searches < count, `${searches} searches in the index of open runs`);
          assert.ok(
            read < 100 * (count + made),
            `${read} rows of ${count} decisions and ${made} runs read without an index, or by one that does not find them`,
          );
        }

        const statuses = async (): Promise<Record<string, number>> => {
          const all = (await db
            .knex('executions')
            .where({ tenant_id: tenantId, graph_id: graph.graphId })
            .pluck('status')) as string[];
          const counts: Record<string, number> = {};
          for (const status of all) counts[status] = (counts[status] ?? 0) + 1;
          return counts;
        };
        await eventually(async () => ((await statuses()).COMPLETED === count + first ? true : undefined));
        // The model of the others still waits.
        assert.deepEqual(await statuses(), { COMPLETED: count + first, RUNNING: 1 });
        const resumed = (await db
          .knex('pauses')
          .where({ tenant_id: tenantId, status: 'RESUMED' })
          .pluck('id')) as string[];
        assert.equal(resumed.length, count + first);
      });
    });
  });
});

/**
 * Number of lookups by index and of rows that reads touched, from the statistics of PostgreSQL. Searches for runs without an owner
 * are counted apart: they are repeated for as long as the decisions take, and read what every update has left in their index.
 */
async function readsOfTables(db: Database): Promise<{ scans: number; read: number; searches: number }> {
  const searched = "indexrelname = 'executions_open_index'";
  const { rows } = await db.knex.raw<{ rows: [{ scans: number; read: number; searches: number }] }>(
    `select sum(idx_scan)::float8 as scans,
       sum(seq_tup_read)::float8 + (select sum(idx_tup_read) from pg_stat_user_indexes where not ${searched})::float8 as read,
       (select idx_scan from pg_stat_user_indexes where ${searched})::float8 as searches
     from pg_stat_user_tables where relname in ('executions', 'pauses', 'journal')`,
  );
  return rows[0];
}
