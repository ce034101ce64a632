import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, STATUS_CODES, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { unauthorizedText, suspendedText } from '../../../../specs/operations/access-texts.ts';
import { createApiKey, type NewApiKey } from '../../../../service/access/create-api-key.ts';
import { createAdmission } from '../../../../service/access/gate/admission.ts';
import { createAuthenticator } from '../../../../service/access/gate/authenticate.ts';
import { createGate, type Gate } from '../../../../service/access/gate/gate.ts';
import type { GateRequest } from '../../../../service/access/gate/gate-request.ts';
import { createOriginUnion } from '../../../../service/access/origins.ts';
import type { RateLimiter } from '../../../../service/access/rate-limiter.ts';
import { createRateLimits } from '../../../../service/access/rate-limits.ts';
import { createTokenBuckets } from '../../../../service/access/token-buckets.ts';
import { createIds } from '../../../../service/ids.ts';
import type { Database } from '../../../../service/store/database.ts';
import { type Tenant, updateTenantStatus } from '../../../../service/store/tenants.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type ManualClock, manualClock } from '../../../support/manual-clock.ts';
import { storedTenant } from '../../../support/sample-records.ts';

/** A WebSocket operation as passed to the gate. */
const live = {
  family: 'node',
  path: '/invocations/v1/nodes/{node_ulid}/live',
  caller: 'full-key',
  scope: 'write',
} as const;

const origin = 'https://shop.example';

describe('the gate', () => {
  eachDatabase((open) => {
    let db: Database;
    let clock: ManualClock;
    let tenant: Tenant;
    let draining: boolean;
    let limiter: RateLimiter;
    let gate: Gate;
    const keyUse = { note: () => undefined };
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      clock = manualClock();
      tenant = await storedTenant(db.knex);
      draining = false;
      limiter = createTokenBuckets(clock);
      const rates = createRateLimits({ take: (buckets) => limiter.take(buckets) });
      gate = createGate({
        authenticate: createAuthenticator({ db, clock, rates, keyUse, onError: assert.ifError }),
        admit: createAdmission(rates),
        origins: createOriginUnion(db, clock),
        draining: () => draining,
      });
    });

    async function mint(fields: Partial<NewApiKey> = {}): Promise<string> {
      const { secret } = await createApiKey(
        db.knex,
        { ids: createIds(clock), clock },
        { tenantId: tenant.id, name: 'k', kind: 'full', scopes: ['read', 'write', 'invoke'], ...fields },
      );
      return `Bearer ${secret}`;
    }

    const appKey = { kind: 'app', scopes: ['invoke'], graphIds: ['g'], allowedOrigins: [origin] } as const;
    const request = (fields: Partial<GateRequest>): GateRequest => ({
      operation: live,
      authorization: undefined,
      origin: undefined,
      address: '192.0.2.1',
      ...fields,
    });

    /** The refusal's status and body, or `admitted`. */
    async function decision(fields: Partial<GateRequest>): Promise<unknown> {
      const decided = await gate(request(fields));
      return decided.admitted ? 'admitted' : [decided.refusal.status, decided.refusal.body];
    }

    it('admits a key with the scope of the operation and returns its principal', async () => {
      const decided = await gate(request({ authorization: await mint() }));
      assert.ok(decided.admitted);
      assert.equal(decided.principal?.tenant.id, tenant.id);
      assert.deepEqual(decided.headers, { Vary: 'Origin' });
    });

    it('rejects a missing key, a missing scope, an app key and a suspended tenant', async () => {
      assert.deepEqual(await decision({}), [401, { error: 'unauthorized', message: unauthorizedText }]);
      assert.deepEqual(await decision({ authorization: await mint({ scopes: ['read'] }) }), [
        403,
        { error: "forbidden: token lacks 'write' scope" },
      ]);
      assert.deepEqual(await decision({ authorization: await mint(appKey) }), [
        403,
        { error: 'forbidden: app keys may only invoke flows: use a full key' },
      ]);
      const authorization = await mint();
      await updateTenantStatus(db.knex, tenant.id, 'suspended');
      assert.deepEqual(await decision({ authorization }), [
        403,
        { error: 'tenant_suspended', message: suspendedText },
      ]);
    });

    it('rejects origins outside the allowlist of an app key', async () => {
      const operation = { ...live, caller: 'any-key' } as const;
      const authorization = await mint(appKey);
      const decided = await gate(request({ operation, authorization, origin }));
      assert.ok(decided.admitted);
      assert.equal(decided.headers['Access-Control-Allow-Origin'], origin);
      const other = await gate(request({ operation, authorization, origin: 'https://other.example' }));
      assert.ok(!other.admitted);
      assert.deepEqual(other.refusal.body, { error: 'origin not in app key allowlist' });
      assert.equal(other.headers['Access-Control-Allow-Origin'], undefined);
    });

    it('lets pages of a known origin read why a key was rejected', async () => {
      await mint(appKey);
      const known = await gate(request({ origin }));
      assert.equal(known.headers['Access-Control-Allow-Origin'], origin);
      const unknown = await gate(request({ origin: 'https://other.example' }));
      assert.equal(unknown.headers['Access-Control-Allow-Origin'], undefined);
    });

    it('rejects new work while the process drains, except probes', async () => {
      draining = true;
      const authorization = await mint();
      assert.equal(((await decision({ authorization })) as unknown[])[0], 503);
      const probe = { family: 'system', path: '/healthz', caller: 'public' } as const;
      assert.equal(await decision({ operation: probe }), 'admitted');
    });

    it('supports an asynchronous rate limiter, such as one in another process', async () => {
      const asked: string[][] = [];
      limiter = {
        take: async (buckets) => {
          asked.push(buckets.map(({ name }) => name));
          await new Promise((resolve) => setTimeout(resolve, 5));
          return asked.length === 1
            ? { granted: true }
            : { granted: false, empty: buckets[1]!, waitMs: 1_000 };
        },
      };
      const authorization = await mint();
      assert.equal(await decision({ authorization }), 'admitted');
      const error = 'rate limit exceeded';
      const message = `${error}: invocation requests of the tenant are limited to 5 a second, in bursts of at most 10`;
      assert.deepEqual(await decision({ authorization }), [429, { error, message }]);
      const names = [`tenant ${tenant.id}`, `invocations ${tenant.id}`];
      assert.deepEqual(asked, [names, names]);
    });

    describe('for a WebSocket upgrade', () => {
      let server: Server;

      /** An upgrade passes the gate by a description made from its own request; no route or context is involved. */
      async function upgrade({ headers, socket: { remoteAddress } }: IncomingMessage, socket: Duplex) {
        const decided = await gate({
          operation: live,
          authorization: headers.authorization,
          origin: headers.origin,
          address: remoteAddress ?? '',
        });
        const status = decided.admitted ? 101 : decided.refusal.status;
        const body = decided.admitted ? '' : JSON.stringify(decided.refusal.body);
        socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n${body}`);
      }

      before(async () => {
        server = createServer()
          .on('upgrade', (message, socket) => void upgrade(message, socket))
          .listen(0, '127.0.0.1');
        await once(server, 'listening');
      });
      after(async () => {
        server.close();
        await once(server, 'close');
      });

      async function send(headers: string): Promise<string> {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
        socket.write(
          `GET /invocations/v1/nodes/x/live HTTP/1.1\r\nHost: svc\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`,
        );
        return text(socket);
      }

      it('decides as for an ordinary request', async () => {
        assert.match(await send(`Authorization: ${await mint()}\r\n`), /^HTTP\/1\.1 101 /);
        assert.match(await send(''), /^HTTP\/1\.1 401 [^]*\{"error":"unauthorized","message":"[^"]+"\}$/);
        const reader = await mint({ scopes: ['read'] });
        assert.match(
          await send(`Authorization: ${reader}\r\n`),
          /^HTTP\/1\.1 403 [^]*token lacks 'write' scope/,
        );
      });
    });
  });
});
