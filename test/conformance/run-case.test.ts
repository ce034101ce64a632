import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Driver, DriverRequest, DriverResult } from './driver-protocol.ts';
import { casesOf } from './feature-matrix.ts';
import type { PlacedCase } from './read-cases.ts';
import { API_KEY, runCase } from './run-case.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const path = '/invocations/v1/nodes/acme/echo/1.0.0/Echo';

const unary: PlacedCase = {
  group: 'unary',
  name: 'gives the output',
  needs: ['nodes'],
  answers: [{ json: { text: 'back' } }],
  steps: [{ input: { text: 'there' }, gives: { text: 'back' } }],
  requests: [{ path, body: { text: 'there' }, keyOf: 'new' }],
};

const headers = {
  accept: 'application/json',
  authorization: `Bearer ${API_KEY}`,
  'content-type': 'application/json',
  'idempotency-key': 'k-1',
  'x-svc-client': 'acme-conformance/1.0.0 (toy; svc/0.0.0)',
};

/** A handwritten driver with the given mistakes. */
function toyDriver(
  wrong: { headers?: object; body?: string; value?: string; log?: string; times?: number } = {},
): Driver {
  return {
    async run({ id, client, steps }: DriverRequest) {
      const results: DriverResult[] = [];
      for (const { inputText = '' } of steps) {
        let text = '';
        for (let time = 0; time < (wrong.times ?? 1); time += 1) {
          const sent = { ...headers, ...wrong.headers };
          const url = `${String(client.baseUrl)}${path}`;
          const answer = await fetch(url, { method: 'POST', headers: sent, body: wrong.body ?? inputText });
          text = await answer.text();
        }
        results.push({ valueText: wrong.value ?? text });
      }
      return { id, results, log: [wrong.log ?? 'POST'] };
    },
    stop: () => Promise.resolve(),
  };
}

describe('a conformance case', () => {
  let server: ScriptedServer;
  before(async () => {
    server = await startScriptedServer();
  });
  after(() => server.stop());

  function problems(each: PlacedCase, driver: Driver): Promise<string[]> {
    return runCase(each, { server, driverWith: () => driver });
  }

  it('passes with a correct driver', async () => {
    assert.deepEqual(await problems(unary, toyDriver()), []);
  });

  const wrongs: [string, Parameters<typeof toyDriver>[0], RegExp][] = [
    ['another value', { value: '{"text":"other"}' }, /the value is/],
    ['another request', { body: '{}' }, /the body is/],
    ['a request too many', { times: 2 }, /2 requests came instead of 1/],
    ['a request too few', { times: 0 }, /0 requests came instead of 1/],
    ['no key', { headers: { authorization: 'none' } }, /authorization is none/],
    ['the key in a second header', { headers: { 'x-copy': API_KEY } }, /elsewhere than in the header/],
    ['the key in a log line', { log: `sent ${API_KEY}` }, /stands in a result, an error or a log line/],
    ['no idempotency key', { headers: { 'idempotency-key': '' } }, /no idempotency key/],
    ['no name of the package', { headers: { 'x-svc-client': 'curl' } }, /x-svc-client is curl/],
  ];
  for (const [what, wrong, message] of wrongs) {
    it(`fails with ${what}`, async () => {
      assert.match((await problems(unary, toyDriver(wrong))).join('\n'), message);
    });
  }

  it('passes with more requests than the minimum, and fails with fewer', async () => {
    const [answer = {}] = unary.answers ?? [];
    const repeated: PlacedCase = { ...unary, answers: [answer, answer], requestsAtLeast: 1 };
    assert.deepEqual(await problems(repeated, toyDriver({ times: 2 })), []);
    // With a wrong value, the case waits for a second only.
    const failed = await problems({ ...repeated, requestsAtLeast: 2 }, toyDriver({ value: '{}' }));
    assert.match(failed.join('\n'), /1 requests came instead of 2/);
  });

  it('fails when an expected failure does not occur', async () => {
    const failing: PlacedCase = { ...unary, steps: [{ fails: { class: 'not-found' } }], requests: 1 };
    assert.match((await problems(failing, toyDriver())).join('\n'), /instead of failing as not-found/);
  });

  it('fails when the message of an error omits its execution id', async () => {
    const failing: PlacedCase = { ...unary, steps: [{ fails: { class: 'not-found' } }], requests: 0 };
    const named = (message: string): Driver => ({
      run: ({ id }) =>
        Promise.resolve({
          id,
          results: [{ error: { class: 'not-found', message, executionId: 'e-1' } }],
          log: [],
        }),
      stop: () => Promise.resolve(),
    });
    assert.match((await problems(failing, named('gone'))).join('\n'), /does not name its execution/);
    assert.deepEqual(await problems(failing, named('gone (execution e-1)')), []);
  });

  it('waits for a request that arrives after the result', async () => {
    const driver = toyDriver();
    const early: Driver = {
      ...driver,
      run(request) {
        void pause(300).then(() => driver.run(request));
        return Promise.resolve({ id: request.id, results: [{ valueText: '{"text":"back"}' }], log: [] });
      },
    };
    assert.deepEqual(await problems(unary, early), []);
  });

  it('allows for the time that passes before a request arrives', async () => {
    const timed = (ofMs: number, rounded: 'up' | 'down'): PlacedCase => ({
      ...unary,
      requests: [{ secondsLeft: { ofMs, rounded } }],
    });
    const late = (seconds: number, delayMs: number): Driver => {
      const driver = toyDriver({ body: JSON.stringify({ timeout_seconds: seconds }) });
      return { ...driver, run: (request) => pause(delayMs).then(() => driver.run(request)) };
    };
    assert.deepEqual(await problems(timed(90_000, 'up'), late(90, 0)), []);
    assert.match((await problems(timed(90_000, 'up'), late(91, 0))).join('\n'), /timeout_seconds is 91/);
    assert.deepEqual(await problems(timed(9_900, 'down'), late(9, 0)), []);
    assert.deepEqual(await problems(timed(9_900, 'down'), late(8, 1_000)), []);
    assert.match((await problems(timed(9_900, 'down'), late(10, 0))).join('\n'), /is 10, not \d to 9/);
    assert.match((await problems(timed(9_900, 'down'), late(1, 0))).join('\n'), /is 1, not \d to 9/);
  });

  it('cannot connect to an unreachable address', async () => {
    const unreachable: PlacedCase = { ...unary, unreachable: true, requests: 0 };
    await assert.rejects(problems(unreachable, toyDriver()), ({ cause }: Error) => {
      assert.match(String(cause), /ECONNREFUSED/);
      return true;
    });
  });

  it('fails when the log lacks an expected line', async () => {
    const logged: PlacedCase = { ...unary, logs: ['retry'] };
    assert.match((await problems(logged, toyDriver())).join('\n'), /no line of the log matches retry/);
  });

  it('runs once for every position at which its response is cut', async () => {
    const cut: PlacedCase = { ...unary, answers: [{ json: { text: 'back' }, cut: 'eachByte' }] };
    await assert.rejects(problems(cut, toyDriver()), /terminated|fetch failed/);
  });

  it('runs once for every position at which its response is split', async () => {
    const frames = [{ text: 'back' }];
    const steps = [{ do: 'stream' as const, gives: frames }];
    const split: PlacedCase = { ...unary, answers: [{ frames, split: 'eachByte' }], steps };
    const text = (await problems(split, toyDriver({ value: '[]' }))).join('\n');
    assert.match(text, /\(0 of \d+ bytes\):\n.*the value is \[\], not \[\{"text":"back"\}\]/s);
  });

  it('is skipped for a language without its feature, or replaced', () => {
    const lacking = { lacking: { page: ['nodes' as const] } };
    const withoutNodes: PlacedCase = { ...unary, needs: ['flows'], name: 'by a flow' };
    assert.deepEqual(casesOf([unary], lacking, 'toy', undefined), [unary]);
    assert.deepEqual(casesOf([unary], lacking, 'page', undefined), []);
    assert.deepEqual(casesOf([{ ...unary, withoutNodes }], lacking, 'page', undefined), [withoutNodes]);
  });
});
