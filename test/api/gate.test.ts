import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { suspendedText, unauthorizedText } from '../../specs/operations/access-texts.ts';
import { insertTenant, updateTenantStatus } from '../../service/store/tenants.ts';
import { itSlow } from '../support/fast-run.ts';
import { type Caller, eachService, request, type RunningService } from '../support/running-service.ts';

function rateRefusal(rate: string): object {
  const error = 'rate limit exceeded';
  return { error, message: `${error}: ${rate}` };
}

const keylessRefusal = rateRefusal(
  'requests of your network without a valid key are limited to 100 a second, in bursts of at most 500',
);

eachService('the gate in front of every operation', (start) => {
  let service: RunningService;
  let acme: Caller;
  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
  });
  after(() => service.stop());

  const malformed: Record<string, string | undefined> = {
    'no header': undefined,
    'an empty header': '',
    'another scheme': 'Basic abc',
    'no token': 'Bearer ',
    'a short key': 'Bearer abc',
    'an unknown key': `Bearer ${'0'.repeat(64)}`,
    'a key of 65 characters': `Bearer ${'0'.repeat(65)}`,
    'a key that is not hex': `Bearer ${'z'.repeat(64)}`,
    'an unknown app key': `Bearer svcapp_${'0'.repeat(64)}`,
  };
  for (const [title, authorization] of Object.entries(malformed)) {
    it(`answers 401 to ${title}`, async () => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await request(`${service.url}/api/v1/packages`, { headers });
      assert.equal(answer.status, 401);
      assert.deepEqual(answer.body, { error: 'unauthorized', message: unauthorizedText });
    });
  }

  it('accepts the authorization scheme in any case', async () => {
    const answer = await request(`${service.url}/api/v1/packages`, {
      headers: { authorization: `bearer ${acme.key}` },
    });
    assert.equal(answer.status, 200);
  });

  it('requires write scope for changes', async () => {
    const reader = await service.tenant('reader', { scopes: ['read'] });
    const answer = await reader.post('/api/v1/packages', {});
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.body, { error: "forbidden: token lacks 'write' scope" });
    assert.equal((await reader.get('/api/v1/packages')).status, 200);
  });

  it('refuses a suspended tenant on invocation routes only', async () => {
    const suspended = await service.tenant('suspended');
    await updateTenantStatus(service.db.knex, suspended.tenant.id, 'suspended');
    const invoked = await suspended.post('/invocations/v1/nodes/acme/text/1.0.0/Tokenize', {});
    assert.deepEqual(
      [invoked.status, invoked.body],
      [403, { error: 'tenant_suspended', message: suspendedText }],
    );
    assert.equal((await suspended.get('/api/v1/packages')).status, 200);
  });

  itSlow(
    'refuses a suspended tenant on every invocation route for any request, and on no other route',
    async () => {
      const suspended = await service.tenant('halted');
      await updateTenantStatus(service.db.knex, suspended.tenant.id, 'suspended');
      const wrong: string[] = [];
      for (const { operation } of service.app.routes) {
        const { method, path, family, caller } = operation;
        // Probes need no key, and another test counts them.
        if (family === 'system') continue;
        // The tenant of a public invocation route is in its path, not in the key.
        const ofTenant = path.startsWith('/invocations/') && caller !== 'public';
        const answer = await fetch(service.url + path.replaceAll(/\{\w+\}/g, 'x'), {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${suspended.key}`, 'content-type': 'application/json' },
          ...(method === 'get' ? {} : { body: '{"broken":' }),
        });
        const text = await answer.text();
        const refused = answer.status === 403 && text.startsWith('{"error":"tenant_suspended",');
        if (refused !== ofTenant) wrong.push(`${method} ${path}: ${answer.status} ${text}`);
        if (answer.status === 403 && !refused) wrong.push(`${method} ${path}: ${text}`);
      }
      assert.deepEqual(wrong, []);
    },
  );

  it('admits exactly the burst of a tenant, then answers 429 with Retry-After', async () => {
    const slow = await service.tenant('slow', { limits: { rps: 0.001, burst: 5 } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => slow.get('/api/v1/packages')));
    const refused = answers.filter((one) => one.status === 429);
    assert.equal(refused.length, 3);
    assert.deepEqual(
      refused[0]!.body,
      rateRefusal('requests of the tenant are limited to 0.06 a minute, in bursts of at most 5'),
    );
    assert.equal(refused[0]!.headers.get('retry-after'), '1');
  });

  it('limits invocation routes separately, by default with a burst of 10', async () => {
    const plain = await service.tenant('plain', { limits: { invocationRps: 0.001 } });
    const path = '/invocations/v1/executions/00000000000000000000000000000000';
    const answers = await Promise.all(Array.from({ length: 12 }, () => plain.get(path)));
    assert.deepEqual(answers.map((one) => one.status).sort(), [
      ...Array.from({ length: 10 }, () => 404),
      429,
      429,
    ]);
  });

  itSlow(
    'admits 500 concurrent requests without a key, whatever they request, and probes without a limit',
    async () => {
      const now = Date.now();
      // While the clock stands still, no further request is admitted.
      const still = await start({ clock: { now: () => now } });
      try {
        const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
        const open: [path: string, init?: RequestInit][] = [
          ['/docs'],
          ['/openapi.json'],
          ['/api/packages/acme/none@1.0.0/openapi.json'],
          ['/there/is/no/such/route'],
          ['/metrics'],
          ['/docs', { method: 'DELETE' }],
          ['/openapi.json', { method: 'OPTIONS', headers: preflight }],
          ['/openapi.json', { method: 'OPTIONS' }],
          ['/invocations/v1/flows/invoke', { method: 'OPTIONS', headers: preflight }],
        ];
        const askAll = (): Promise<number[]> =>
          Promise.all(
            open.map(async ([path, init]) => {
              const response = await fetch(still.url + path, init);
              await response.arrayBuffer();
              return response.status;
            }),
          );
        const statuses: number[] = [];
        while (statuses.length < 520) statuses.push(...(await askAll()));
        assert.equal(statuses.filter((status) => status !== 429).length, 500);
        assert.deepEqual(new Set(await askAll()), new Set([429]));
        for (const probe of ['/readyz', '/healthz']) {
          const { status } = await fetch(still.url + probe);
          assert.equal(status, 200, probe);
        }
        const refused = await request(`${still.url}/docs`);
        assert.deepEqual([refused.status, refused.body], [429, keylessRefusal]);
        assert.equal(refused.headers.get('retry-after'), '1');
        const tenant = await still.tenant('still');
        assert.equal((await tenant.get('/api/v1/packages')).status, 200);
      } finally {
        await still.stop();
      }
    },
  );

  it('answers 401 to 500 invalid keys and then 429, and still admits valid keys', async () => {
    const now = Date.now();
    const still = await start({ clock: { now: () => now } });
    try {
      const tenant = await still.tenant('still', { limits: { rps: 1_000, burst: 1_000 } });
      const guess = { authorization: `Bearer ${'0'.repeat(64)}` };
      const ask = async (count: number, path: string, headers: Record<string, string>): Promise<number[]> => {
        const answers = Array.from({ length: count }, () => request(still.url + path, { headers }));
        return (await Promise.all(answers)).map(({ status }) => status);
      };
      const statuses: number[] = [];
      for (let round = 0; round < 13; round += 1) {
        statuses.push(...(await ask(20, '/api/v1/packages', guess)));
        statuses.push(...(await ask(20, '/invocations/v1/executions', {})));
        assert.equal((await tenant.get('/api/v1/packages')).status, 200);
      }
      assert.deepEqual(
        statuses.toSorted((one, other) => one - other),
        [...Array<number>(500).fill(401), ...Array<number>(20).fill(429)],
      );
      const refused = await request(`${still.url}/api/v1/packages`, { headers: guess });
      assert.deepEqual([refused.status, refused.body], [429, keylessRefusal]);
      assert.equal(refused.headers.get('retry-after'), '1');
    } finally {
      await still.stop();
    }
  });

  it('answers unknown routes with 404 and wrong methods with 405 and Allow', async () => {
    const unknown = await acme.get('/api/v1/nothing');
    assert.deepEqual([unknown.status, unknown.body], [404, { error: 'no route GET /api/v1/nothing' }]);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET http://[/x HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n');
    const answer = (await socket.toArray()).join('');
    assert.match(answer, /^HTTP\/1\.1 404 /);
    assert.match(answer, /\r\nX-Request-Id: /i);
    assert.match(answer, /"no route GET http:\/\/\[\/x"/);
    const wrong = await acme.delete('/api/v1/packages');
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get('allow'), 'GET, HEAD, POST');
  });

  it('reports why a body is not valid JSON', async () => {
    const { status, body } = await acme.post('/api/v1/packages', '{"name": ');
    assert.equal(status, 400);
    assert.match(body.error, /^invalid request body: /);
    const empty = await acme.post('/api/v1/packages');
    assert.deepEqual(empty.body, { error: 'invalid request body: it is empty, a JSON object is required' });
    for (const key of ['__proto__', String.raw`\u005f_\u0070roto__`]) {
      const lost = await acme.put('/api/v1/configs/books', `{"x":{"${key}":{"y":1}}}`);
      assert.equal(lost.status, 400);
      assert.deepEqual(lost.body, { error: 'invalid request body: the key "__proto__" is not allowed' });
    }
  });

  it('refuses a body that would lose a value', async () => {
    const put = async (text: string) => {
      const { status, body } = await acme.put('/api/v1/configs/books', text);
      return [status, body.error];
    };
    const refused = (detail: string) => [400, `invalid request body: ${detail}`];
    for (const [large, largest] of [
      ['1e309', '1.7976931348623157e308'],
      ['-1e+0400', '-17.976931348623157e+307'],
      ['9'.repeat(309), '1'.repeat(309)],
      [`1${'0'.repeat(250)}e99`, `1${'0'.repeat(209)}e99`],
      [`${'9'.repeat(307)}.5e2`, `${'9'.repeat(307)}.5e1`],
    ] as const) {
      const detail = 'a number is too large: at most 1.7976931348623157e+308';
      assert.deepEqual(await put(`{"x":[${large}]}`), refused(detail), large);
      assert.deepEqual(await put(`{"x":[${largest}]}`), [200, undefined], largest);
    }
    for (const [text, key] of [
      ['{"x":1,"x":1}', 'x'],
      ['{"x":[{"\u00e9":1,"y":{"\u00e9":2},"\\u00e9":3}]}', '\u00e9'],
    ] as const)
      assert.deepEqual(await put(text), refused(`the key "${key}" occurs twice`));
    assert.deepEqual(await put('{"x":[{"y":1},{"y":1}],"y":{"x":1}}'), [200, undefined]);
  });

  it('accepts a body of exactly the limit and refuses one byte more', async () => {
    // The JSON is padded with white space to the size under test.
    const padded = (bytes: number): string => '{}'.padEnd(bytes, ' ');
    const limit = 1_048_576;
    const fits = await acme.post('/api/v1/clients', padded(limit));
    assert.equal(fits.status, 400);
    assert.match(fits.body.error, /name/);
    const over = await acme.post('/api/v1/clients', padded(limit + 1));
    assert.deepEqual([over.status, over.body], [413, { error: 'request body too large' }]);
  });

  it('refuses a chunked body at the first byte over the limit, with a response that the sender receives', async () => {
    const { port, hostname } = new URL(service.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('request body too large')) socket.end();
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
      socket.write(
        `POST /api/v1/clients HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${acme.key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = 'x'.repeat(65_536);
      for (let index = 0; index < 20; index += 1)
        socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    });
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /request body too large/);
  });

  it('answers 401 to a key of a deleted tenant', async () => {
    const gone = await service.tenant('gone');
    await service.db.knex('tenants').where({ id: gone.tenant.id }).delete();
    const answer = await gone.get('/api/v1/packages');
    assert.deepEqual([answer.status, answer.body], [401, { error: 'missing tenant context' }]);
    await insertTenant(service.db.knex, gone.tenant);
  });

  it('refuses a revoked key on its next use', async () => {
    const before = await acme.get('/api/v1/packages');
    assert.equal(before.status, 200);
    const leaver = await service.tenant('leaver');
    assert.equal((await leaver.get('/api/v1/packages')).status, 200);
    await service.db.knex('api_keys').where({ tenant_id: leaver.tenant.id }).update({ revoked_at: 1 });
    assert.equal((await leaver.get('/api/v1/packages')).status, 401);
  });

  it('serves probes without a key', async () => {
    assert.deepEqual((await request(`${service.url}/healthz`)).body, { status: 'ok' });
    assert.deepEqual((await request(`${service.url}/readyz`)).body, {
      status: 'ready',
      checks: { process: 'ok', database: 'ok', archives: 'ok', blobs: 'ok' },
    });
  });
});
