import assert from 'node:assert/strict';
import { itSlow } from '../support/fast-run.ts';
import { openRaw, type RawConnection } from '../support/raw-connection.ts';
import { type Caller, request, type RunningService, startService } from '../support/running-service.ts';

const get = (path: string, authorization = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: svc\r\n${authorization}\r\n`;

describe('connections to the service', () => {
  let service: RunningService;
  let acme: Caller;
  const start = async (env: Record<string, string>): Promise<void> => {
    service = await startService(env);
    acme = await service.tenant('acme');
  };
  afterEach(() => service.stop());

  const listPackages = async (client: RawConnection): Promise<void> => {
    const before = client.received().length;
    client.send(get('/api/v1/packages', `Authorization: Bearer ${acme.key}\r\n`));
    await client.receives(new RegExp(`^[^]{${before}}HTTP/1.1 200 OK[^]*\\[\\]$`));
  };

  it('stay open for callers with a key when others exceed the limit', async () => {
    await start({ SVC_MAX_CONNECTIONS_PER_ADDRESS: '3' });
    const keyed = await openRaw(service.url);
    await listPackages(keyed);
    for (let n = 0; n < 10; n += 1) (await openRaw(service.url)).send('GET / HTTP/1.1\r\n');
    await listPackages(keyed);
    const late = await openRaw(service.url);
    await listPackages(late);
    await listPackages(keyed);
  });

  it('are refused with 503 when callers with a key hold all of them', async () => {
    await start({ SVC_MAX_CONNECTIONS: '2' });
    const first = await openRaw(service.url);
    const second = await openRaw(service.url);
    await listPackages(first);
    await listPackages(second);
    const refused = await openRaw(service.url);
    assert.match(
      await refused.closed,
      /^HTTP\/1\.1 503 [^]*\r\nRetry-After: 5\r\n[^]*\{"error":"too many connections: close some, or ask the operator to raise the limit","code":"too_many_connections",.*\}$/,
    );
    first.socket.destroy();
    await first.closed;
    // The service may see the end of the first connection a moment later.
    for (;;) {
      const next = await openRaw(service.url);
      if (await Promise.race([listPackages(next).then(() => true), next.closed.then(() => false)])) break;
    }
    await listPackages(second);
  });

  it('with an invalid key are evicted like those without a key', async () => {
    await start({ SVC_MAX_CONNECTIONS: '1' });
    const guess = await openRaw(service.url);
    guess.send(get('/api/v1/packages', `Authorization: Bearer ${'0'.repeat(64)}\r\n`));
    await guess.receives(/HTTP\/1\.1 401 /);
    await listPackages(await openRaw(service.url));
    await guess.closed;
  });

  const refusals: [title: string, sent: string, status: string, message: RegExp][] = [
    [
      'of another protocol',
      '\x16\x03\x01\r\n\r\n',
      '400 Bad Request',
      /^the request is not valid HTTP: Invalid /,
    ],
    ['with a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n', '400 Bad Request', /not valid HTTP/],
    [
      'with a chunk without a length',
      'POST /invocations/v1/flows/invoke HTTP/1.1\r\nHost: svc\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
      '400 Bad Request',
      /not valid HTTP: Invalid character in chunk size$/,
    ],
    [
      'with an oversized head',
      `GET / HTTP/1.1\r\nHost: svc\r\nX-Long: ${'x'.repeat(16_384)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      /^the head of the request exceeds the limit of 16384 bytes: send fewer or shorter headers$/,
    ],
  ];
  for (const [title, sent, status, message] of refusals) {
    it(`are closed with the reason after a request ${title}`, async () => {
      await start({});
      const client = await openRaw(service.url);
      client.send(sent);
      const [head = '', body = ''] = (await client.closed).split('\r\n\r\n');
      assert.ok(head.startsWith(`HTTP/1.1 ${status}\r\n`), head);
      const error = JSON.parse(body) as { error: string; message: string; code: string; request_id: string };
      assert.match(error.message, message);
      assert.equal(error.error, error.message);
      assert.ok(head.includes(`X-Request-Id: ${error.request_id}`));
    });
  }

  it('accept a request head just below the limit', async () => {
    await start({});
    const client = await openRaw(service.url);
    const [one = '', rest = ''] = get('/healthz', 'X-Long: \r\n').split('X-Long: ');
    const room = 16_384 - one.length - 'X-Long: '.length - rest.length;
    client.send(`${one}X-Long: ${'x'.repeat(room - 1)}${rest}`);
    await client.receives(/HTTP\/1\.1 200 OK/);
  });

  itSlow('that stall do not lock others out, even 3,000 of them', async () => {
    await start({ SVC_MAX_CONNECTIONS: '500', SVC_MAX_CONNECTIONS_PER_ADDRESS: '400' });
    const heads = [
      '',
      get('/healthz').slice(0, -2),
      'POST /api/v1/packages HTTP/1.1\r\nHost: svc\r\nContent-Le',
    ];
    const keyed = await openRaw(service.url);
    await listPackages(keyed);
    const stalled: RawConnection[] = [];
    while (stalled.length < 3_000) {
      const opened = Array.from({ length: 100 }, (_, n) => openRaw(service.url, `127.0.0.${2 + (n % 3)}`));
      stalled.push(...(await Promise.all(opened)));
      for (const client of stalled.slice(-100)) client.send(heads[stalled.length % 3]!);
      await listPackages(keyed);
      const fresh = await openRaw(service.url);
      await listPackages(fresh);
      fresh.socket.destroy();
    }
    assert.equal((await request(`${service.url}/healthz`)).status, 200);
    const open = stalled.filter(({ socket }) => !socket.closed).length;
    assert.ok(open <= 500, `${open} connections are open`);
    for (const { socket } of stalled) socket.destroy();
  }).timeout(60_000);
});
