import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { z } from 'zod';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { bind } from '../../../../service/http/bind.ts';
import type { Reply } from '../../../../service/http/request-context.ts';
import { createHttpServer } from '../../../../service/http/server.ts';
import { createMetrics } from '../../../../service/metrics.ts';
import { defineOperation } from '../../../../specs/operations/operation.ts';

const operation = defineOperation({
  id: 'describe',
  method: 'get',
  path: '/describe',
  family: 'management',
  summary: 'Describe',
  caller: 'public',
  responses: {
    200: {
      description: 'Described.',
      shape: z.object({ name: z.string(), parts: z.array(z.object({ size: z.number() })).optional() }),
      otherContentTypes: ['text/plain'],
      headers: { 'X-Part': z.string().optional(), 'X-Whole': z.string() },
    },
    204: { description: 'Nothing.' },
    404: { description: 'Unknown.', shape: z.object({ error: z.string() }) },
  },
});

const whole = { 'X-Whole': '1' };

describe('answers outside production', () => {
  let answer: () => Reply;
  let server: Server;
  let lines: string[];

  before(async () => {
    server = createHttpServer({
      routes: [bind(operation, () => answer())],
      logger: pino({}, { write: (line) => lines.push(line) }),
      metrics: createMetrics(),
      gate: {
        authenticate: () => Promise.reject(new Error('nobody shows a key')),
        admit: () => undefined,
        origins: { includes: () => Promise.resolve(false) },
        draining: () => false,
        checkAnswers: true,
      },
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
    await once(server, 'close');
  });

  /** What is sent for an answer of the handler, and what the log says is wrong with it. */
  async function given(make: () => Reply): Promise<{ status: number; headers: Headers; logged: string }> {
    answer = make;
    lines = [];
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/describe`);
    await response.text();
    return { status: response.status, headers: response.headers, logged: lines.join('') };
  }

  const declared: [string, Reply][] = [
    ['a declared body', { status: 200, headers: whole, body: { name: 'a', parts: [{ size: 1 }] } }],
    [
      'another declared media type',
      { status: 200, headers: { ...whole, 'Content-Type': 'text/plain' }, body: 'a' },
    ],
    [
      'headers that browsers ask for',
      { status: 200, headers: { ...whole, Vary: 'Origin' }, body: { name: 'a' } },
    ],
    ['a declared header', { status: 200, headers: { ...whole, 'X-Part': '1' }, body: { name: 'a' } }],
    ['no body where none is declared', { status: 204 }],
  ];
  for (const [title, reply] of declared) {
    it(`pass with ${title}`, async () => {
      const { status, logged } = await given(() => reply);
      assert.equal(logged, '');
      assert.equal(status, reply.status);
    });
  }

  const undeclared: [string, Reply, RegExp][] = [
    [
      'a status',
      { status: 202, body: { name: 'a' } },
      /describe answered 202: it does not declare this status/,
    ],
    ['a field', { status: 200, headers: whole, body: { name: 'a', size: 1 } }, /undeclared field size/],
    [
      'a field far within',
      { status: 200, headers: whole, body: { name: 'a', parts: [{ size: 1 }, { size: 2, name: 'b' }] } },
      /undeclared field parts\[1\]\.name/,
    ],
    ['a type of a field', { status: 200, headers: whole, body: { name: 1 } }, /expected string/],
    [
      'a media type',
      { status: 200, headers: { ...whole, 'Content-Type': 'text/html' }, body: '<p>' },
      /undeclared media type/,
    ],
    [
      'a header',
      { status: 200, headers: { ...whole, 'X-Other': '1' }, body: { name: 'a' } },
      /undeclared header x-other/,
    ],
    ['the lack of a header', { status: 200, body: { name: 'a' } }, /without the declared header X-Whole/],
    ['the lack of a body', { status: 200, headers: whole }, /no body, where one is declared/],
    ['a body', { status: 204, body: { name: 'a' } }, /answered 204: undeclared media type/],
  ];
  for (const [title, reply, expected] of undeclared) {
    it(`fail with ${title} that is not declared`, async () => {
      const { status, headers, logged } = await given(() => reply);
      assert.equal(status, 500);
      assert.match(logged, expected);
      assert.equal(headers.get('x-whole'), null);
    });
  }

  it('pass with a declared refusal, and fail with any other', async () => {
    const refuse =
      (status: number, body: ApiError['body'], headers = {}) =>
      () => {
        throw new ApiError(status, body, headers);
      };
    assert.equal((await given(refuse(404, { error: 'unknown' }))).status, 404);
    const others = [
      refuse(409, { error: 'taken' }),
      refuse(404, { error: 'unknown', code: 1 }),
      refuse(404, 'unknown'),
      refuse(404, { error: 'unknown' }, { 'Retry-After': '1' }),
    ];
    for (const other of others) {
      const { status, logged } = await given(other);
      assert.equal(status, 500);
      assert.match(logged, /operation describe answered/);
    }
  });
});
