import assert from 'node:assert/strict';
import { type CelCompiler, createCelCompiler } from '../../../../service/engine/cel/cel-compiler.ts';
import { previewMapping, type PreviewOptions } from '../../../../service/engine/preview/preview-mapping.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { burn } from '../../../support/turn-watch.ts';

const target = { message_name: 'Target', fields: { first: 'string', second: 'string' } };
const source = { message_name: 'Source', fields: { title: 'string' } };
const timedOut = 'adapter: the preview timed out after 2 s: preview fewer fields at once';

describe('the time limit of a preview', () => {
  /** @param work happens while the first of two fields is compiled */
  const preview = async (work: () => void, signal = new AbortController().signal): Promise<unknown> => {
    const compiler = createCelCompiler();
    let left = 1;
    const cel: CelCompiler = {
      ...compiler,
      compile: (...given) => {
        if (left-- > 0) work();
        return compiler.compile(...given);
      },
    };
    // Drafts are resolved without the database.
    const options = { db: {}, cel } as unknown as PreviewOptions;
    const body = {
      dst_msg_name: target,
      sources: [{ edge_id: 'e', msg_name: source, sample: { title: 'tea' } }],
      adapter: { first: 'cel("title")', second: 'cel("title")' },
    };
    return previewMapping(options, 'tenant', body, signal);
  };
  const passed = { output: { first: 'tea', second: 'tea' } };

  itSlow('excludes time in which the thread does not run', async () => {
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    assert.deepEqual(await preview(() => Atomics.wait(stopped, 0, 0, 2_500)), passed);
  });

  itSlow('includes the processor time of the thread', async function () {
    this.timeout(180_000);
    assert.deepEqual(await preview(() => burn(1_500)), passed);
    assert.deepEqual(await preview(() => burn(2_010)), { error: timedOut });
  });

  it('is cut short by the abort signal of the caller', async () => {
    const ended = new AbortController();
    const asked = preview(() => ended.abort(new Error('too late')), ended.signal);
    await assert.rejects(asked, { message: 'too late' });
  });
});
