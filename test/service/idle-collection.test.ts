import assert from 'node:assert/strict';
import { createIdleCollection, type IdleCollection } from '../../service/idle-collection.ts';
import { until } from '../support/until.ts';

describe('collection at rest', () => {
  let looks: number;
  let collections: number;
  let worked: number;
  let resident: number;
  let collection: IdleCollection;
  afterEach(() => collection.stop());

  /** @param workPerLook milliseconds that the main thread works in each period */
  const watch = (workPerLook: number): void => {
    [looks, collections, worked, resident] = [0, 0, 0, 100];
    collection = createIdleCollection({
      collect: () => {
        collections += 1;
        resident = Math.max(80, resident - 20);
        return Promise.resolve();
      },
      everyMs: 2,
      workedMs: () => {
        looks += 1;
        worked += workPerLook;
        return worked;
      },
      residentBytes: () => resident,
    });
    collection.start();
  };
  const look = async (times: number): Promise<void> => {
    const enough = looks + times;
    await until(() => looks >= enough);
  };

  it('collects after the start, and again when memory has grown by a quarter', async () => {
    watch(0);
    resident = 85;
    await until(() => collections === 1);
    await look(5);
    resident = 99;
    await look(5);
    assert.equal(collections, 1);
    resident = 100;
    await until(() => collections > 1);
  });

  it('repeats a collection that freed more than a tenth', async () => {
    watch(0);
    resident = 140;
    await until(() => collections === 4);
    await look(5);
    assert.equal(collections, 4);
    assert.equal(resident, 80);
  });

  it('does not collect while the process works', async () => {
    // More than any share of a period, however late the timer is.
    watch(1e9);
    await look(10);
    assert.equal(collections, 0);
  });

  it('ends when it is stopped', async () => {
    watch(0);
    collection.stop();
    const before = looks;
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(looks, before);
  });
});
