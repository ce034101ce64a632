import assert from 'node:assert/strict';
import { z } from 'zod';
import type { AnswerBody } from '../../../service/http/answer/answer.ts';
import { RawJson } from '../../../service/http/answer/raw-json.ts';
import { bind } from '../../../service/http/bind.ts';
import { defineOperation } from '../../../specs/operations/operation.ts';

const shape = z.object({ name: z.string(), size: z.int().optional(), state: z.enum(['on', 'off']) });

const read = defineOperation({
  id: 'read',
  method: 'get',
  path: '/things/{id}',
  family: 'management',
  summary: 'Read',
  caller: 'public',
  responses: {
    200: { description: 'It.', shape },
    202: { description: 'Its frames.', events: shape },
    204: { description: 'Nothing.' },
    206: { description: 'Its picture.', contentType: 'image/png' },
    207: { description: 'Its lines.', lines: shape },
    404: { description: 'Unknown.', shape: z.object({ error: z.string() }) },
  },
});

type Body = AnswerBody<typeof read, 200>;

async function* framesOf<T>(...frames: T[]) {
  for (const frame of frames) yield await Promise.resolve(frame);
}

// `npm run lint` is the test of this file: it fails at a line below that compiles but should not.
describe('a handler', () => {
  it('compiles with the declared statuses and their declared bodies', () => {
    const routes = [
      bind(read).to(() => ({ status: 200, body: { name: 'a', state: 'on' } })),
      bind(read).to(() => ({ status: 200, body: new RawJson('{"name":"a","state":"on"}') })),
      bind(read).to(() => ({
        status: 202,
        kind: 'events',
        body: framesOf<Body>({ name: 'a', state: 'on' }),
      })),
      bind(read).to(() => ({ status: 204 })),
      bind(read).to(() => ({ status: 206, kind: 'bytes', body: Buffer.alloc(1), contentType: 'image/png' })),
      bind(read).to(() => ({ status: 207, kind: 'lines', body: framesOf(new RawJson('{}')) })),
      bind(read).to(async ({ headers }) =>
        Promise.resolve(
          headers.accept ? { status: 204 as const } : { status: 404 as const, body: { error: 'unknown' } },
        ),
      ),
    ];
    assert.equal(routes.length, 7);
  });

  it('does not compile with another status or body', () => {
    const body: Body = { name: 'a', state: 'on' };
    const routes = [
      // @ts-expect-error -- 201 is not declared.
      bind(read).to(() => ({ status: 201, body })),
      // @ts-expect-error -- The body of 200 is missing.
      bind(read).to(() => ({ status: 200 })),
      // @ts-expect-error -- The field `state` is missing.
      bind(read).to(() => ({ status: 200, body: { name: 'a' } })),
      // @ts-expect-error -- The field `name` is misspelt.
      bind(read).to(() => ({ status: 200, body: { nmae: 'a', state: 'on' } })),
      // @ts-expect-error -- The field `state` has another type.
      bind(read).to(() => ({ status: 200, body: { name: 'a', state: 'broken' } })),
      // @ts-expect-error -- This is the body of another status.
      bind(read).to(() => ({ status: 200, body: { error: 'unknown' } })),
      // @ts-expect-error -- 204 has no body.
      bind(read).to(() => ({ status: 204, body })),
      // @ts-expect-error -- 200 does not declare bytes.
      bind(read).to(() => ({ status: 200, kind: 'bytes', body: 'a', contentType: 'text/plain' })),
      // @ts-expect-error -- 206 declares bytes and no JSON.
      bind(read).to(() => ({ status: 206, body })),
      // @ts-expect-error -- Bytes need their media type.
      bind(read).to(() => ({ status: 206, kind: 'bytes', body: 'a' })),
      // @ts-expect-error -- 202 declares events and no lines.
      bind(read).to(() => ({ status: 202, kind: 'lines', body: framesOf(body) })),
      // @ts-expect-error -- The frames lack the field `state`.
      bind(read).to(() => ({ status: 202, kind: 'events', body: framesOf({ name: 'a' }) })),
      // @ts-expect-error -- An object with the fields of raw JSON is not raw JSON.
      bind(read).to(() => ({ status: 200, body: { content: '{}' } })),
    ];
    assert.equal(routes.length, 13);
  });

  it('does not compile with a presenter that misspells or adds a field', () => {
    const presenters = [
      // @ts-expect-error -- The optional field `size` is misspelt.
      (): Body => ({ name: 'a', state: 'on', sise: 1 }),
      // @ts-expect-error -- The shape has no field `color`.
      (): Body => ({ name: 'a', state: 'on', color: 'red' }),
    ];
    assert.equal(presenters.length, 2);
  });
});
