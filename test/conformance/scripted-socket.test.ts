import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ConformanceCase, ScriptedAnswer } from './conformance-case.ts';
import type { Driver, DriverRequest } from './driver-protocol.ts';
import { API_KEY, runCase } from './run-case.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const path = '/invocations/v1/debug-stream';

/** Opens a socket with a subprotocol, sends these messages, and returns all messages received until there are `leavesAfter`. */
function socketDriver(own: { protocol?: string; sends?: string[]; leavesAfter?: number } = {}): Driver {
  const { protocol = `svc-token.${API_KEY}`, sends = [], leavesAfter = Infinity } = own;
  return {
    async run({ id, client }: DriverRequest) {
      const socket = new WebSocket(`${String(client.baseUrl).replace('http', 'ws')}${path}`, [protocol]);
      const messages: string[] = [];
      socket.on('message', (data: Buffer) => {
        messages.push(data.toString());
        if (messages.length === leavesAfter) socket.close();
      });
      socket.on('open', () => {
        for (const text of sends) socket.send(text);
      });
      const refused = new Promise<number>((resolve) => {
        socket.on('error', () => undefined);
        socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
      });
      const code = await Promise.race([once(socket, 'close').then(([code]) => code as number), refused]);
      return { id, results: [{ valueText: `[${[...messages, code].join()}]` }], log: [] };
    },
    stop: () => Promise.resolve(),
  };
}

describe('a scripted socket', () => {
  let server: ScriptedServer;
  before(async () => {
    server = await startScriptedServer();
  });
  after(() => server.stop());

  function problems(
    answer: ScriptedAnswer,
    { gives, requests }: { gives: (number | object)[]; requests?: ConformanceCase['requests'] },
    driver = socketDriver(),
  ): Promise<string[]> {
    const each = { group: 'follow', name: 'toy', needs: [], answers: [answer], requests };
    return runCase(
      { ...each, steps: [{ do: 'follow', gives: gives as never }] },
      { server, driverWith: () => driver },
    );
  }

  it('sends, waits for messages and a pong, and closes', async () => {
    const answer: ScriptedAnswer = {
      socket: [
        { send: { a: 'ä' }, fragments: 3 },
        { await: 2 },
        { ping: true },
        { send: {}, padTo: 70_000 },
        { sendText: '{"last":true}' },
        { close: 1013, reason: 'slow' },
      ],
    };
    const driver = socketDriver({ sends: ['{"n":1}', '{"n":2}'] });
    const requests = [{ path, messages: [{ n: 1 }, { n: 2 }] }];
    const gives = [{ a: 'ä' }, {}, { last: true }, 1013];
    assert.deepEqual(await problems(answer, { gives, requests }, driver), []);
    const [problem] = await problems(answer, { gives, requests: [{ messages: [] }] }, driver);
    assert.match(String(problem), /the messages are|the messages is/);
  });

  it('can end without a close frame', async () => {
    for (const end of ['close', 'reset'] as const)
      assert.deepEqual(await problems({ socket: [{ end }] }, { gives: [1006] }), []);
  });

  it('stays open until the client closes it, and records that', async () => {
    const answer: ScriptedAnswer = { socket: [{ send: {} }] };
    const driver = socketDriver({ leavesAfter: 1 });
    assert.deepEqual(
      await problems(answer, { gives: [{}, 1005], requests: [{ abandoned: true }] }, driver),
      [],
    );
  });

  it('is refused by any other response, which a request without an upgrade receives again', async () => {
    const script = server.open([{ status: 403, json: { error: 'no' } }]);
    const driver = socketDriver();
    const { results } = await driver.run({ id: 'toy', client: { baseUrl: script.baseUrl }, steps: [] });
    assert.equal(results[0]?.valueText, '[403]');
    for (let time = 0; time < 2; time += 1)
      assert.equal((await fetch(`${script.baseUrl}${path}`)).status, 403);
    assert.equal(script.requests.length, 1);
    assert.equal((await fetch(`${script.baseUrl}${path}?other`)).status, 418);
  });

  it('carries the key in its only subprotocol and nowhere else', async () => {
    const answer: ScriptedAnswer = { socket: [{ close: 1000 }] };
    const other = await problems(answer, { gives: [1000] }, socketDriver({ protocol: 'svc-token.other' }));
    assert.match(other.join('\n'), /the subprotocol is svc-token.other/);
  });
});
