import assert from 'node:assert/strict';
import { EventHub } from '../../../../service/engine/events/event-hub.ts';
import type { RunEvent } from '../../../../service/engine/events/run-event.ts';
import type { Engine } from '../../../../service/engine/engine.ts';
import type { Database } from '../../../../service/store/database.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type EngineLab, engineLab } from '../../../support/engine-lab.ts';
import { twoSteps } from '../../../support/step-package.ts';

describe('the memory activity of a run', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });
    describe('in its own process', () => {
      let lab: EngineLab;
      let engine: Engine;
      let events: EventHub;
      before(async () => {
        events = new EventHub();
        lab = await engineLab(db);
        engine = await lab.engine({ events });
        lab.behaviours.set('a', (_input, answer) => {
          const memory = (operation: string, key: string, detailJson = ''): void =>
            answer.say({ case: 'memory', value: { operation, key, detailJson } as never });
          memory('READ', 'names', '{"n":1}');
          memory('FORGET', 'names');
          memory('WRITE', 'names', 'x'.repeat(65_536));
          memory('WRITE', 'names', 'x'.repeat(65_537));
          return { text: 'a' };
        });
      });
      after(() => lab.close());

      const invoke = async (): Promise<string> => {
        const graph = await lab.compile(twoSteps());
        const { executionId } = await engine.invoke(lab.tenant, {
          graphId: graph.graphId,
          input: lab.input({}),
          idempotency: { kind: 'key', hash: 'follow' },
        });
        const end = await engine.wait(lab.tenant.id, executionId, { timeoutMs: 60_000 });
        assert.equal(end.kind, 'completed');
        return executionId;
      };
      const keptOf = (session: string): readonly RunEvent[] =>
        events.subscribe(session, { stored: () => undefined, transient: () => undefined }).kept;

      it('is published but not stored', async () => {
        const executionId = await invoke();
        const kept = keptOf(executionId);
        assert.deepEqual(
          kept.map(({ type, nodeId, memory }) => [type, nodeId, memory?.key, memory?.json?.length]),
          [
            ['MEMORY_READ', 'a', 'names', 7],
            ['MEMORY_WRITE', 'a', 'names', 65_536],
            ['MEMORY_WRITE', 'a', 'names', undefined],
          ],
        );
        assert.equal(new Set(kept.map(({ eventUlid }) => eventUlid)).size, 3);
        assert.doesNotMatch(JSON.stringify(await lab.journal(executionId)), /MEMORY/);
      });
    });
  });
});
