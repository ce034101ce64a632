import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventTypes } from '../../../service/engine/events/run-event.ts';

const file = path.resolve(
  import.meta.dirname,
  '../../../templates/csharp/runtime/src/Runtime/ExecutionEventType.cs',
);

describe('the event types of the C# runtime', () => {
  it('match those of the service', async () => {
    const constants = (await readFile(file, 'utf8')).matchAll(/public const string \w+ = "(\w+)";/g);
    assert.deepEqual(Array.from(constants, ([, name]) => name).sort(), [...eventTypes].sort());
  });
});
