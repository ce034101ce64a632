import assert from 'node:assert/strict';
import { errorCodes } from '../../specs/error-codes.ts';
import type { Operation } from '../../specs/operations/operation.ts';
import { type ErrorEnvelope, errorEnvelope } from '../support/error-envelope.ts';
import { itSlow } from '../support/fast-run.ts';
import { eachService, type RunningService } from '../support/running-service.ts';

/** A received error: the envelope of its family, and the fields of every JSON error. */
interface Refusal {
  status: number;
  contentType: string;
  body: Record<string, unknown>;
  envelope: ErrorEnvelope;
}

eachService('every JSON error', (start) => {
  let service: RunningService;
  let key: string;
  before(async () => {
    const now = Date.now();
    // While the clock stands still, a used-up rate stays used up.
    service = await start({ clock: { now: () => now } });
    ({ key } = await service.tenant('acme'));
  });
  after(() => service.stop());

  /** Sends a request with ids that do not exist and a body that is not JSON. Undefined if it does not fail, or not in JSON. */
  async function refused(operation: Operation, authorization?: string): Promise<Refusal | undefined> {
    const { method, path } = operation;
    const answer = await fetch(service.url + path.replaceAll(/\{\w+\}/g, 'x'), {
      method: method.toUpperCase(),
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      ...(method === 'get' ? {} : { body: '{"broken":' }),
    });
    const text = await answer.text();
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, path);
    if (answer.status >= 400) assert.equal(answer.headers.get('cache-control'), 'no-store', path);
    const contentType = answer.headers.get('content-type') ?? '';
    if (answer.status < 400 || !contentType.includes('json')) return undefined;
    const body = JSON.parse(text) as Record<string, unknown>;
    return { status: answer.status, contentType, body, envelope: errorEnvelope(answer.headers, body) };
  }

  itSlow('has a code, a message and a request id for every operation', async () => {
    const wrong: string[] = [];
    for (const { operation } of service.app.routes) {
      for (const authorization of [undefined, `Bearer ${key}`, 'Bearer none']) {
        await refused(operation, authorization).catch((error: unknown) =>
          wrong.push(`${operation.id}: ${String(error)}`),
        );
      }
    }
    assert.deepEqual(wrong, []);
  });

  itSlow('is returned by every operation except the probes', async () => {
    // Once the rate is used up, routes without a key are refused too.
    for (let status = 200; status !== 429;) ({ status } = await fetch(`${service.url}/docs`));
    const silent: string[] = [];
    for (const { operation } of service.app.routes) {
      if (!(await refused(operation))) silent.push(operation.id);
    }
    // Readiness has a test of its own.
    assert.deepEqual(silent, ['healthz', 'readyz']);
  });

  it('has a new request id, even if the caller sends one', async () => {
    const ask = (): Promise<Response> =>
      fetch(`${service.url}/api/v1/clients/none`, {
        headers: { authorization: `Bearer ${key}`, 'x-request-id': 'mine' },
      });
    const ids = [await ask(), await ask()].map(({ headers }) => headers.get('x-request-id'));
    assert.equal(new Set([...ids, 'mine']).size, 3);
  });

  it('repeats its error text as the message unless it has a separate message', async () => {
    const of = async (id: string): Promise<Record<string, unknown>> => {
      const found = service.app.routes.find(({ operation }) => operation.id === id);
      assert.ok(found);
      const refusal = await refused(found.operation, `Bearer ${key}`);
      return { ...refusal?.body, request_id: '' };
    };
    assert.deepEqual(await of('getClient'), {
      error: 'client not found',
      code: 'client_not_found',
      message: 'client not found',
      request_id: '',
    });
    assert.deepEqual(await of('resumeFlow'), {
      error: 'INVALID_ARGUMENT',
      message: (await of('resumeFlow')).message,
      code: 'invalid_argument',
      request_id: '',
    });
    const body = await of('invokeNodeByUlid');
    assert.equal(body.message, body.error_message);
  });

  it('has the request id under which an unexpected failure is logged', async () => {
    const lines: string[] = [];
    const broken = await start({
      logger: (await import('pino')).pino({}, { write: (line: string) => void lines.push(line) }),
    });
    try {
      const { key: other } = await broken.tenant('acme');
      await broken.db.knex.schema.renameTable('clients', 'clients_away');
      const answer = await fetch(`${broken.url}/api/v1/clients`, {
        headers: { authorization: `Bearer ${other}` },
      });
      const body = (await answer.json()) as Record<string, unknown>;
      const { code, requestId } = errorEnvelope(answer.headers, body);
      assert.equal(code, 'internal_error');
      assert.equal(body.error, `internal error (request ${requestId})`);
      assert.ok(lines.some((line) => line.includes(requestId)));
    } finally {
      await broken.stop();
    }
  });
});

describe('error codes', () => {
  it('are sorted and in snake case', () => {
    const codes = Object.keys(errorCodes);
    assert.deepEqual(
      codes.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code)),
      [],
    );
    assert.deepEqual(codes, codes.toSorted());
  });
});
