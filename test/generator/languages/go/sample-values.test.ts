import assert from 'node:assert/strict';
import { goSdk } from '../../../../generator/languages/go/go-sdk.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('samples in Go', () => {
  it('report which imports they need', async () => {
    const { samples } = goSdk(await loadSdkFixture('well-known'));
    const known = samples.ofRoot('acme.known.v1.Known', {
      timestamp: '2026-01-31T09:30:00.5Z',
      duration: '-1.5s',
    });
    assert.equal(
      known.text,
      '&wellknown.Known{\n' +
        '\t\tDuration:  &svc.Duration{Seconds: -1, Nanos: -500000000},\n' +
        '\t\tTimestamp: svc.Pointer(time.Date(2026, time.January, 31, 9, 30, 0, 500000000, time.UTC)),\n' +
        '\t}',
    );
    assert.deepEqual([known.usesSvc, known.usesTime], [true, true]);
    const plain = samples.ofRoot('acme.known.v1.Known', { stringValue: 'svc.x time.y' });
    assert.deepEqual([plain.usesSvc, plain.usesTime], [true, false]);
  });

  it('report whether they use deprecated symbols', async () => {
    const { samples } = goSdk(await loadSdkFixture('deprecated'));
    const uses = (fullName: string, sample: Record<string, string>): boolean =>
      samples.ofRoot(fullName, sample).usesDeprecated;
    assert.equal(uses('acme.old.v1.Order', { status: 'STATUS_OPEN', id: 'oldways.OldOrder' }), false);
    assert.equal(uses('acme.old.v1.Order', { status: 'STATUS_NEW' }), true);
    assert.equal(uses('acme.old.v1.OldOrder', {}), true);
  });

  it('print well-known values so that a variable gets the right type', async () => {
    const { samples } = goSdk(await loadSdkFixture('well-known'));
    const texts = [
      ['Value', 'a', 'any("a")'],
      ['Int64Value', '3', 'int64(3)'],
      ['DoubleValue', 3, '3.0'],
      ['Struct', { a: [null, 1] }, 'map[string]any{"a": []any{nil, 1.0}}'],
      ['Empty', {}, '&svc.Empty{}'],
    ] as const;
    for (const [type, sample, text] of texts) {
      const value = JSON.parse(JSON.stringify(sample)) as string;
      assert.equal(samples.ofRoot(`google.protobuf.${type}`, value).text, text);
    }
  });
});
