import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { executionStatuses } from '../../specs/execution-status.ts';
import { pauseStatuses } from '../../specs/pause-status.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** The file of each runtime that describes an execution. TypeScript's is also that of browsers. */
const records = {
  csharp: 'runtime/src/Runtime/ExecutionStatus.cs',
  go: 'runtime/svc/execution_record.go',
  java: 'runtime/src/main/java/svc/runtime/core/ExecutionRecord.java',
  python: 'runtime/package/_execution_record.py',
  rust: 'runtime/src/history.rs',
  typescript: 'runtime/src/runtime/execution-record.ts',
};

describe('the execution record of each runtime', () => {
  for (const [language, file] of Object.entries(records)) {
    it(`names every status: ${language}`, async () => {
      const source = await readFile(path.join(projectRoot, 'templates', language, file), 'utf8');
      assert.deepEqual(
        executionStatuses.filter((status) => !source.includes(status)),
        [],
      );
    });
  }
});

/** The file of each runtime that describes a pause. */
const pauses = {
  csharp: 'runtime/src/Runtime/PauseStatus.cs',
  go: 'runtime/svc/pause.go',
  java: 'runtime/src/main/java/svc/runtime/core/PauseStatus.java',
  python: 'runtime/package/_pause.py',
  rust: 'runtime/src/pause.rs',
  typescript: 'runtime/src/runtime/pause.ts',
};

describe('the pause of each runtime', () => {
  for (const [language, file] of Object.entries(pauses)) {
    it(`names every status: ${language}`, async () => {
      const source = await readFile(path.join(projectRoot, 'templates', language, file), 'utf8');
      assert.deepEqual(
        pauseStatuses.filter((status) => !source.includes(status)),
        [],
      );
    });
  }
});
