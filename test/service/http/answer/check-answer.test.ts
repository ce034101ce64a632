import assert from 'node:assert/strict';
import { z } from 'zod';
import { ApiError } from '../../../../service/errors/api-error.ts';
import type { AnyAnswer } from '../../../../service/http/answer/answer.ts';
import { RawJson } from '../../../../service/http/answer/raw-json.ts';
import type { Route } from '../../../../service/http/bind.ts';
import { managementError } from '../../../../specs/operations/error-shapes.ts';
import { defineOperation } from '../../../../specs/operations/operation.ts';
import { type RouteServer, serveRoutes } from '../../../support/route-server.ts';

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
    404: { description: 'Unknown.', shape: managementError },
  },
});

const whole = { 'X-Whole': '1' };

describe('rejecting responses that differ from their operation', () => {
  let answer: () => AnyAnswer;
  let service: RouteServer;

  before(async () => {
    const route: Route = { operation, handle: () => answer() };
    service = await serveRoutes([route], { mismatches: 'reject' });
  });
  after(() => service.close());

  /** Sends a response of the handler, and returns what arrived and what was logged. */
  async function given(make: () => AnyAnswer): Promise<{ status: number; headers: Headers; logged: string }> {
    answer = make;
    service.log.length = 0;
    const response = await fetch(`${service.url}/describe`);
    await response.text();
    return { status: response.status, headers: response.headers, logged: service.log.join('') };
  }

  const declared: [string, AnyAnswer][] = [
    ['a declared body', { status: 200, headers: whole, body: { name: 'a', parts: [{ size: 1 }] } }],
    [
      'another declared media type',
      { status: 200, kind: 'bytes', contentType: 'text/plain', headers: whole, body: 'a' },
    ],
    [
      'headers that browsers require',
      { status: 200, headers: { ...whole, Vary: 'Origin' }, body: { name: 'a' } },
    ],
    ['a declared header', { status: 200, headers: { ...whole, 'X-Part': '1' }, body: { name: 'a' } }],
    ['no body where none is declared', { status: 204 }],
    ['fields that are undefined', { status: 200, headers: whole, body: { name: 'a', other: undefined } }],
    ['raw JSON', { status: 200, headers: whole, body: new RawJson('{"name":"a"}') }],
  ];
  for (const [title, reply] of declared) {
    it(`passes a response with ${title}`, async () => {
      const { status, logged } = await given(() => reply);
      assert.equal(logged, '');
      assert.equal(status, reply.status);
    });
  }

  const undeclared: [string, AnyAnswer, RegExp][] = [
    [
      'a status',
      { status: 202, body: { name: 'a' } },
      /operation describe: status 202: it does not declare this status/,
    ],
    ['a field', { status: 200, headers: whole, body: { name: 'a', size: 1 } }, /undeclared field size/],
    [
      'a nested field',
      { status: 200, headers: whole, body: { name: 'a', parts: [{ size: 1 }, { size: 2, name: 'b' }] } },
      /undeclared field parts\[1\]\.name/,
    ],
    [
      'a field of raw JSON',
      { status: 200, headers: whole, body: new RawJson('{"name":"a","size":1}') },
      /field size/,
    ],
    [
      'a body other than JSON',
      { status: 200, headers: whole, body: new RawJson('secret') },
      /the body is not JSON/,
    ],
    ['a type of a field', { status: 200, headers: whole, body: { name: 1 } }, /expected string/],
    [
      'a media type',
      { status: 200, kind: 'bytes', contentType: 'text/html', headers: whole, body: '<p>' },
      /undeclared media type/,
    ],
    [
      'a header',
      { status: 200, headers: { ...whole, 'X-Other': '1' }, body: { name: 'a' } },
      /undeclared header x-other/,
    ],
    ['the lack of a header', { status: 200, body: { name: 'a' } }, /the declared header x-whole is missing/],
    ['the lack of a body', { status: 200, headers: whole }, /the declared body is missing/],
    ['a body', { status: 204, body: { name: 'a' } }, /status 204: undeclared media type/],
  ];
  for (const [title, reply, expected] of undeclared) {
    it(`fails a response with ${title} that is not declared`, async () => {
      const { status, headers, logged } = await given(() => reply);
      assert.equal(status, 500);
      assert.match(logged, expected);
      assert.equal(headers.get('x-whole'), null);
    });
  }

  it('passes a declared error response, and fails any other', async () => {
    const refuse =
      (status: number, body: ApiError['body'], headers = {}) =>
      () => {
        throw new ApiError(status, 'not_found', body, headers);
      };
    assert.equal((await given(refuse(404, { error: 'unknown' }))).status, 404);
    const others = [
      refuse(409, { error: 'taken' }),
      refuse(404, { error: 'unknown', detail: 1 }),
      refuse(404, 'unknown'),
      refuse(404, { error: 'unknown' }, { 'Retry-After': '1' }),
    ];
    for (const other of others) {
      const { status, logged } = await given(other);
      assert.equal(status, 500);
      assert.match(logged, /the answer differs from operation describe/);
    }
  });
});

describe('reporting responses that differ from their operation', () => {
  let answer: () => AnyAnswer;
  let service: RouteServer;

  before(async () => {
    service = await serveRoutes([{ operation, handle: () => answer() }], { mismatches: 'report' });
  });
  after(() => service.close());

  const counter = async (): Promise<string | undefined> =>
    /^svc_contract_mismatches_total\{operation="describe"\} (\d+)$/m.exec(
      await service.metrics.render(),
    )?.[1];

  it('sends them unchanged, counts each one, and logs the first without its values', async () => {
    answer = () => ({ status: 200, body: { name: 7, secret: 'svcapp_1234' } });
    for (const count of ['1', '2']) {
      const response = await fetch(`${service.url}/describe`);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), '{"name":7,"secret":"svcapp_1234"}');
      assert.equal(await counter(), count);
    }
    assert.equal(service.log.length, 1);
    const entry = JSON.parse(service.log[0]!) as Record<string, unknown>;
    assert.equal(entry.operation, 'describe');
    assert.equal(entry.problem, 'status 200: the declared header x-whole is missing');
    assert.doesNotMatch(service.log[0]!, /svcapp_/);
  });

  it('skips the search for undeclared fields in large responses', async () => {
    const before = await counter();
    const parts = Array.from({ length: 20_000 }, () => ({ size: 1 }));
    answer = () => ({ status: 200, headers: whole, body: { name: 'a', parts, other: 1 } });
    const response = await fetch(`${service.url}/describe`);
    assert.equal(((await response.json()) as { other: number }).other, 1);
    assert.equal(await counter(), before);
  });
});
