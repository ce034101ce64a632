import assert from 'node:assert/strict';
import path from 'node:path';

import { ApiError } from '../../service/errors/api-error.ts';
import { eventTypes } from '../../service/engine/events/run-event.ts';
import { closeCodes } from '../../service/http/upgrade/client-socket.ts';
import { errorCodes } from '../../specs/error-codes.ts';
import { executionStatuses } from '../../specs/execution-status.ts';
import { limits } from '../../specs/limits.ts';
import { acceptedInvocation, invokeFlowBody } from '../../specs/operations/flow-shapes.ts';
import type { Operation } from '../../specs/operations/operation.ts';
import { listFiles } from '../architecture/source-tree.ts';
import { codesOf, type Page, readPage, rowOf } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const callers = { public: 'none', 'optional-key': 'optional', 'full-key': 'full key', 'any-key': 'any key' };

describe('docs/http-api.md', () => {
  let page: Page;

  before(async () => {
    page = await readPage('docs/http-api.md');
  });

  it('lists every operation with its caller, scope and statuses', async () => {
    const operations = (await exportsOf('specs/operations')).filter(isOperation);
    assert.ok(operations.length > 40);
    const wanted = operations.map(rowOfOperation);
    const rows = new Set(page.rows.map((cells) => cells.join(' | ')));
    assert.deepEqual(
      wanted.filter((row) => !rows.has(row)),
      [],
    );
  });

  it('lists no operation that does not exist', async () => {
    const wanted = new Set((await exportsOf('specs/operations')).filter(isOperation).map(rowOfOperation));
    const routes = page.rows.filter(([method = '']) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(method));
    assert.deepEqual(
      routes.map((cells) => cells.join(' | ')).filter((row) => !wanted.has(row)),
      [],
    );
  });

  it('explains every field of an invocation and of its response', () => {
    const [, section = ''] = page.text.split('### POST /invocations/v1/flows/invoke\n');
    const [text = ''] = section.split('\n###');
    const fields = [...Object.keys(invokeFlowBody.shape), ...Object.keys(acceptedInvocation.shape)];
    assert.deepEqual(
      fields.filter((name) => !text.includes(`\n| \`${name}\``)),
      [],
    );
    const statuses = acceptedInvocation.shape.execution_status.unwrap().options;
    const [, type = ''] = /^\| `execution_status` *\|([^|]*)/m.exec(text) ?? [];
    assert.deepEqual(codesOf(type).toSorted(), statuses.toSorted());
  });

  it('lists the value of every limit', () => {
    const missing = Object.entries(limits).flatMap(([name, value]) => {
      const [, shown] = rowOf(page, name) ?? [];
      if (shown === undefined) return [`${name} is missing`];
      const numbers = typeof value === 'number' ? [value] : Object.values(value);
      // A rate below one per second is written as its inverse.
      const texts = numbers.map((number) => (number < 1 ? 1 / number : number).toLocaleString('en-US'));
      return texts.every((text) => shown.includes(text))
        ? []
        : [`${name}: ${shown} lacks ${texts.join(', ')}`];
    });
    assert.deepEqual(missing, []);
  });

  it('lists every event type and every status of an execution', () => {
    assert.deepEqual(
      [...eventTypes, ...executionStatuses].filter((name) => !page.text.includes(`\`${name}\``)),
      [],
    );
  });

  it('lists every error code with its meaning, and no other', () => {
    const [, section = ''] = page.text.split('### Error codes\n');
    const [table = ''] = section.split('\n#');
    const rows = [...table.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ]);
    assert.deepEqual(rows, Object.entries(errorCodes));
  });

  it('lists every close code of WebSockets', () => {
    const [, section = ''] = page.text.split('### WebSockets\n');
    const [table = ''] = section.split('\n#');
    const listed = [...table.matchAll(/^\| (\d{4}) +\|/gm)].map(([, code]) => Number(code));
    // Those of the library: a broken protocol, text that is not UTF-8, and a message that is too large.
    const sent = [...Object.values(closeCodes), 1002, 1007, 1009];
    assert.deepEqual([...new Set(listed)].toSorted(), sent.toSorted());
  });

  it('quotes every error text that takes no parameters', async () => {
    const refusals = (await exportsOf('service/errors')).flatMap((one) => {
      if (typeof one !== 'function' || one.length > 0 || one.toString().startsWith('class')) return [];
      const made: unknown = (one as () => unknown)();
      return made instanceof ApiError ? [made.body] : [];
    });
    assert.ok(refusals.length > 20);
    const texts = refusals.flatMap((body) =>
      typeof body === 'string' ? [body] : Object.values(body).filter((value) => typeof value === 'string'),
    );
    // Lines of prose are wrapped.
    const prose = page.text.replace(/\s+/g, ' ');
    assert.deepEqual(
      [...new Set(texts)].filter((text) => !prose.includes(text)),
      [],
    );
  });
});

function rowOfOperation({ method, path: route, caller, scope, responses }: Operation): string {
  const statuses = Object.keys(responses).join(', ');
  return [method.toUpperCase(), `\`${route}\``, callers[caller], scope ?? '', statuses].join(' | ');
}

async function exportsOf(folder: string): Promise<unknown[]> {
  const modules = await Promise.all(
    listFiles(folder).map((file) => import(path.join(projectRoot, file)) as Promise<object>),
  );
  return modules.flatMap((module) => Object.values(module) as unknown[]);
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'id' in value && 'responses' in value;
}
