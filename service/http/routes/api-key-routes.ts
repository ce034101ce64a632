import * as operations from '../../../specs/operations/api-keys.ts';
import { createApiKey } from '../../access/create-api-key.ts';
import { isOrigin } from '../../access/origins.ts';
import { requireScope } from '../../access/scopes.ts';
import type { Clock } from '../../clock.ts';
import { appKeyNotFound, expiryInPast, keyGraphNotFound, notAnOrigin } from '../../errors/app-key-errors.ts';
import { mockedFlowPublished } from '../../errors/flow-errors.ts';
import type { Ids } from '../../ids.ts';
import { changeAppKey, findAppKey, readApiKeys, revokeApiKey } from '../../store/api-keys.ts';
import type { Database } from '../../store/database.ts';
import { findGraphMocks } from '../../store/graphs.ts';
import { bind, type Route } from '../bind.ts';
import { presentApiKey, presentMintedKey } from '../present/api-key.ts';
import { presentParts } from '../present/parts.ts';

interface ApiKeyRouteOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
}

/** App keys of the caller's tenant. Full keys are only listed: logins and the command line create them. */
export function apiKeyRoutes({ db, clock, ids }: ApiKeyRouteOptions): Route[] {
  return [
    bind(operations.mintAppKey).to(async ({ principal, body }) => {
      // A key without the scope could otherwise create one that has it.
      requireScope(principal, 'invoke');
      checkOrigins(body.allowed_origins);
      await checkGraphs(db, principal.tenant.id, body.graph_ids);
      const expiresAt = body.expires_at === null ? null : Date.parse(body.expires_at);
      if (expiresAt !== null && expiresAt <= clock.now()) throw expiryInPast();
      const { key, secret } = await db.transaction((tx) =>
        createApiKey(
          tx,
          { ids, clock },
          {
            tenantId: principal.tenant.id,
            name: body.name,
            kind: 'app',
            scopes: ['invoke'],
            graphIds: [...new Set(body.graph_ids)],
            allowedOrigins: [...new Set(body.allowed_origins)],
            rateRps: body.rate_rps,
            rateBurst: body.rate_burst,
            expiresAt,
          },
        ),
      );
      return { status: 201, body: presentMintedKey(key, secret) };
    }),
    bind(operations.listApiKeys).to(({ principal }) => {
      const keys = readApiKeys(db.knex, principal.tenant.id);
      return { status: 200, kind: 'list', body: presentParts(keys, presentApiKey) };
    }),
    bind(operations.changeAppKey).to(async ({ principal, params, body }) => {
      requireScope(principal, 'invoke');
      const { graph_ids: graphIds, allowed_origins: allowedOrigins } = body;
      checkOrigins(allowedOrigins ?? []);
      await checkGraphs(db, principal.tenant.id, graphIds ?? []);
      const changed = await db.transaction(async (tx) => {
        const found = await changeAppKey(tx, principal.tenant.id, params.key_id, {
          ...(graphIds && { graphIds: [...new Set(graphIds)] }),
          ...(allowedOrigins && { allowedOrigins: [...new Set(allowedOrigins)] }),
        });
        return found ? findAppKey(tx, principal.tenant.id, params.key_id) : undefined;
      });
      if (!changed) throw appKeyNotFound();
      return { status: 200, body: presentApiKey(changed) };
    }),
    bind(operations.revokeAppKey).to(async ({ principal, params }) => {
      const tenantId = principal.tenant.id;
      await db.transaction(async (tx) => {
        if (!(await findAppKey(tx, tenantId, params.key_id))) throw appKeyNotFound();
        await revokeApiKey(tx, tenantId, params.key_id, clock.now());
      });
      return { status: 204 };
    }),
  ];
}

/** Graphs are never deleted, so a key whose graphs exist remains usable. */
async function checkGraphs({ knex }: Database, tenantId: string, ids: readonly string[]): Promise<void> {
  const mocks = await findGraphMocks(knex, tenantId, ids);
  const unknown = ids.find((id) => !mocks.has(id));
  if (unknown !== undefined) throw keyGraphNotFound(unknown);
  if ([...mocks.values()].includes(true)) throw mockedFlowPublished();
}

function checkOrigins(origins: readonly string[]): void {
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) throw notAnOrigin(wrong);
}
