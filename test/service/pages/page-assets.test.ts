import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type AssetName, loadPageAssets, type PageAssets } from '../../../service/pages/page-assets.ts';

describe('page assets', () => {
  let assets: PageAssets;
  const names: AssetName[] = ['pages.css', 'try-it.js', 'reference.js'];

  before(async () => {
    assets = await loadPageAssets();
  });

  const find = (name: AssetName) => {
    const found = assets.find(assets.path(name).replace('/docs/assets/', ''));
    assert.ok(found, name);
    return found;
  };

  it('are named by the hash of their bytes', async () => {
    const again = await loadPageAssets();
    for (const name of names) {
      assert.match(assets.path(name), /^\/docs\/assets\/[a-z-]+\.[0-9a-f]{16}\.(css|js)$/);
      assert.equal(again.path(name), assets.path(name));
    }
    assert.equal(assets.find('try-it.js'), undefined);
    assert.equal(assets.find('../pages.css'), undefined);
  });

  it('have the same bytes in every encoding, and are compressed once', async function () {
    this.timeout(300_000);
    for (const name of names) {
      const asset = find(name);
      const source = await asset.bytes('identity');
      const brotli = await asset.bytes('br');
      assert.ok(source.equals(brotliDecompressSync(brotli)), name);
      assert.ok(source.equals(gunzipSync(await asset.bytes('gzip'))), name);
      assert.ok(brotli.length < source.length / 2, name);
      assert.equal(await asset.bytes('br'), brotli);
    }
  });

  it('contain no URLs except links of the reference', async () => {
    for (const name of ['pages.css', 'try-it.js'] as const) {
      const text = String(await find(name).bytes('identity'));
      assert.doesNotMatch(text, /https?:\/\//, name);
    }
  });
});
