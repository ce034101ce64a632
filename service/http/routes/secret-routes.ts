import { listSecrets } from '../../../specs/operations/secrets.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { listSecrets as readSecrets } from '../../store/secrets.ts';
import { bind, type Route } from '../bind.ts';
import { presentSecret } from '../present/secret.ts';

/** The list of secrets, without values. The command line sets them. */
export function secretRoutes({ db, clock }: { db: Database; clock: Clock }): Route[] {
  return [
    bind(listSecrets).to(async ({ principal }) => {
      const secrets = await readSecrets(db.knex, principal.tenant.id);
      return { status: 200, body: secrets.map((secret) => presentSecret(secret, clock.now())) };
    }),
  ];
}
