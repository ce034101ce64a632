import { loadSecretKey } from '../../service/access/secrets/secret-key.ts';
import { createSecretStore } from '../../service/access/secrets/secret-store.ts';
import { systemClock } from '../../service/clock.ts';
import type { Caller, RunningService } from './running-service.ts';

/** Stores a secret of the caller's tenant like `svc secret set`. */
export async function storeSecret(
  { config, db }: RunningService,
  { tenant }: Caller,
  name: string,
  value = 's3cret',
): Promise<void> {
  const store = createSecretStore({ tx: db.knex, clock: systemClock, key: await loadSecretKey(config) });
  await store.set(tenant.id, name, value);
}
