import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { pino } from 'pino';

import { startApp } from '../../service/app.ts';
import { loadConfig } from '../../service/config.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import type { Operation } from '../../specs/operations/operation.ts';
import { operationsBound } from './rules/operations.ts';
import { listFiles } from './source-tree.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

describe('the operations of the running service', () => {
  let dataDir: string;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-operations-'));
  });

  after(() => rm(dataDir, { recursive: true, force: true }));

  it('match specs/operations, and are each bound exactly once', async () => {
    const operations = await exportedOperations();
    assert.ok(operations.length > 10, 'specs/operations exports no operations');
    const bound = await boundOperations(dataDir);
    assert.deepEqual(operationsBound(operations, bound), []);
  });
});

async function exportedOperations(): Promise<Operation[]> {
  const modules = await Promise.all(
    listFiles('specs/operations').map((file) => import(path.join(projectRoot, file)) as Promise<object>),
  );
  return modules.flatMap((module) => Object.values(module).filter(isOperation));
}

async function boundOperations(dataDir: string): Promise<Operation[]> {
  const db = await openDatabase({ dataDir, sync: 'off' });
  const config = loadConfig({ SVC_PORT: '0', SVC_DATA_DIR: dataDir });
  try {
    const app = await startApp({ config, db, logger: pino({ level: 'silent' }) });
    await app.drain();
    return app.routes.map((route) => route.operation);
  } finally {
    await db.close();
  }
}

function isOperation(value: unknown): value is Operation {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['id', 'method', 'path', 'responses'].every((key) => key in value)
  );
}
