import assert from 'node:assert/strict';
import { RunWaits } from '../../../../service/engine/wait/run-waits.ts';
import { createBlobStore } from '../../../../service/objects/blob-store.ts';
import { createDiskObjectStore } from '../../../../service/objects/disk-object-store.ts';
import type { Database } from '../../../../service/store/database.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type EngineLab, engineLab } from '../../../support/engine-lab.ts';
import { twoSteps } from '../../../support/step-package.ts';

describe('waiting for a run of another replica', () => {
  eachDatabase((open) => {
    let db: Database;
    let lab: EngineLab;
    before(async () => {
      db = await open();
    });

    // The container is stopped before the database is closed.
    describe('after its end', () => {
      before(async () => {
        lab = await engineLab(db);
      });
      after(() => lab.close());

      const waits = () =>
        new RunWaits({
          db,
          blobs: createBlobStore(createDiskObjectStore(lab.blobsDir)),
          hints: undefined,
          pollMs: 20,
          isActive: () => false,
          pauseOf: () => undefined,
        });
      const hideRuns = () => db.knex.schema.renameTable('executions', 'hidden');
      const showRuns = () => db.knex.schema.renameTable('hidden', 'executions');

      it('survives a temporary failure of the database', async () => {
        const { executionId } = await lab.run(await lab.engine(), await lab.compile(twoSteps()));
        await hideRuns();
        const waiting = waits().wait(lab.tenant.id, executionId, { timeoutMs: 30_000 });
        await new Promise((resolve) => setTimeout(resolve, 100));
        await showRuns();
        assert.equal((await waiting).kind, 'completed');
      });

      it('fails if the database still fails at the timeout', async () => {
        const { executionId } = await lab.run(await lab.engine(), await lab.compile(twoSteps()));
        await hideRuns();
        try {
          await assert.rejects(waits().wait(lab.tenant.id, executionId, { timeoutMs: 100 }));
        } finally {
          await showRuns();
        }
      });
    });
  });
});
