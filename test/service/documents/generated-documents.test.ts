import assert from 'node:assert/strict';
import { systemClock as clock } from '../../../service/clock.ts';
import { createGeneratedDocuments } from '../../../service/documents/generated-documents.ts';
import { createTypeRegistries } from '../../../service/nodes/type-registries.ts';
import type { Database } from '../../../service/store/database.ts';
import type { Tenant } from '../../../service/store/tenants.ts';
import { FairQueue } from '../../../service/work/fair-queue.ts';
import { publishStepsOf } from '../../support/compiled-flow.ts';
import { eachDatabase } from '../../support/databases.ts';
import { storedTenant } from '../../support/sample-records.ts';

describe('generated documents', () => {
  eachDatabase((open) => {
    let db: Database;
    let owner: Tenant;
    before(async () => {
      db = await open();
      owner = await storedTenant(db.knex, { handle: 'acme' });
      await publishStepsOf(db, owner);
    });

    it('are queued for the owner of the package, and rejected beyond the limit of the queue', async function () {
      this.timeout(60_000);
      const queue = new FairQueue({ clock, slots: 1, maxJobsPerTenant: 1 });
      const documents = createGeneratedDocuments({
        db,
        types: createTypeRegistries(),
        queue,
        baseUrl: () => 'https://svc.example.com',
        goModulePrefix: 'go.svc.internal',
      });
      try {
        const ref = { owner: 'acme', package: 'steps', version: '1.0.0' };
        const blocker = Promise.withResolvers<undefined>();
        const running = queue.run(owner.id, () => blocker.promise);
        const queued = queue.run(owner.id, () => Promise.resolve());
        await assert.rejects(documents.ofPackage(undefined, ref, 'json'), /work_queue_full/);
        blocker.resolve(undefined);
        await Promise.all([running, queued]);
        const { bytes } = await documents.ofPackage(undefined, ref, 'json');
        assert.match(new TextDecoder().decode(bytes), /"openapi":"3/);
      } finally {
        queue.close();
        await documents.close();
      }
    });
  });
});
