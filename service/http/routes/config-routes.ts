import { limits } from '../../../specs/limits.ts';
import * as operations from '../../../specs/operations/configs.ts';
import type { Clock } from '../../clock.ts';
import { configNotFound, tooManyConfigs } from '../../errors/graph-errors.ts';
import { deleteConfig, findConfig, listConfigs, otherConfigs, saveConfig } from '../../store/configs.ts';
import type { Database } from '../../store/database.ts';
import { bind, type Route } from '../bind.ts';
import { presentConfig } from '../present/config.ts';

/** Config profiles. Deleting one that does not exist succeeds. */
export function configRoutes({ db, clock }: { db: Database; clock: Clock }): Route[] {
  const { knex } = db;
  return [
    bind(operations.putConfig).to(async ({ principal, params, body }) => {
      const tenantId = principal.tenant.id;
      const now = clock.now();
      const record = { tenantId, id: params.config_id, config: body, createdAt: now, updatedAt: now };
      const others = await otherConfigs(knex, tenantId, record.id);
      const bytes = others.bytes + Buffer.byteLength(JSON.stringify(body));
      if (others.count >= limits.configsPerTenant || bytes > limits.configBytesPerTenant)
        throw tooManyConfigs();
      const createdAt = await saveConfig(knex, record);
      return { status: 200, body: presentConfig({ ...record, createdAt }) };
    }),
    bind(operations.listConfigs).to(async ({ principal }) => {
      const configs = await listConfigs(knex, principal.tenant.id);
      return { status: 200, body: configs.map(presentConfig) };
    }),
    bind(operations.getConfig).to(async ({ principal, params }) => {
      const found = await findConfig(knex, principal.tenant.id, params.config_id);
      if (!found) throw configNotFound();
      return { status: 200, body: presentConfig(found) };
    }),
    bind(operations.deleteConfig).to(async ({ principal, params }) => {
      await deleteConfig(knex, principal.tenant.id, params.config_id);
      return { status: 204 };
    }),
  ];
}
