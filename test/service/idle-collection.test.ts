import assert from 'node:assert/strict';
import { createIdleCollection, type IdleCollection } from '../../service/idle-collection.ts';
import { until } from '../support/until.ts';

describe('garbage collection while idle', () => {
  let looks: number;
  let collections: number;
  let worked: number;
  let held: number;
  let collection: IdleCollection;
  let duringCollection: () => void;
  afterEach(() => collection.stop());

  /** @param workPerLook milliseconds that the main thread works in each period */
  const watch = (workPerLook: number): void => {
    [looks, collections, worked, held] = [0, 0, 0, 100];
    duringCollection = () => undefined;
    collection = createIdleCollection({
      collect: () => {
        collections += 1;
        duringCollection();
        held = 80;
        return Promise.resolve();
      },
      everyMs: 2,
      workedMs: () => {
        looks += 1;
        worked += workPerLook;
        return worked;
      },
      heldBytes: () => held,
    });
    collection.start();
  };
  const look = async (times: number): Promise<void> => {
    const enough = looks + times;
    await until(() => looks >= enough);
  };

  it('collects after the start, and again once memory has grown by half', async () => {
    watch(0);
    await until(() => collections === 1);
    await look(10);
    held = 119;
    await look(10);
    assert.equal(collections, 1);
    held = 120;
    await until(() => collections === 2);
    await look(10);
    assert.equal(collections, 2);
  });

  it('collects again after 2 s of work, which may have released memory', async () => {
    watch(0);
    await until(() => collections === 1);
    const first = worked;
    worked = first + 1_999;
    await look(10);
    assert.equal(collections, 1);
    worked = first + 2_000;
    await until(() => collections === 2);
    worked += 1_999;
    await look(10);
    assert.equal(collections, 2);
  });

  it('waits longer before later collections than before the first', async () => {
    const looksBefore: number[] = [];
    watch(0);
    duringCollection = () => looksBefore.push(looks);
    await until(() => collections === 1);
    worked += 1e9;
    await until(() => collections === 2);
    const [first = 0, second = 0] = looksBefore;
    // The start and the end of a collection read the time once more.
    assert.equal(first, 1 + 3);
    // The period with the work does not count as idle.
    assert.ok(second - first >= 1 + 1 + 5, `${second - first}`);
  });

  it('does not collect while the process is busy', async () => {
    // More than any share of a period, however late the timer is.
    watch(1e9);
    await look(10);
    assert.equal(collections, 0);
  });

  it('stops when requested', async () => {
    watch(0);
    collection.stop();
    const before = looks;
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(looks, before);
  });

  it('stops when requested during a collection', async () => {
    watch(0);
    duringCollection = () => collection.stop();
    await until(() => collections === 1);
    const before = looks;
    await new Promise((resolve) => setTimeout(resolve, 30));
    // The end of the collection reads the time once more.
    assert.ok(looks <= before + 1);
  });
});
