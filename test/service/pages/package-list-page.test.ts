import assert from 'node:assert/strict';
import { loadPageAssets } from '../../../service/pages/page-assets.ts';
import type { PageSite } from '../../../service/pages/page-frame.ts';
import { packageDocsPath, packageListPage } from '../../../service/pages/package-list-page.ts';

describe('the list of packages', () => {
  let site: PageSite;

  before(async () => {
    site = { assets: await loadPageAssets(), prefix: '/svc' };
  });

  it('links each listed version, and the newest one from the name', () => {
    const page = packageListPage(site, {
      search: '',
      packages: [{ name: 'acme/text', description: '', versions: ['2.0.0', '1.0.0'] }],
      isCut: false,
    });
    const links = [...page.matchAll(/href="([^"]*@[^"]*)"/g)].map(([, link]) => link);
    const [newer, older] = ['2.0.0', '1.0.0'].map((version) => `/svc/api/packages/acme/text@${version}/docs`);
    assert.deepEqual(links, [newer, newer, older]);
  });

  it('shows the number of older versions that are not listed', () => {
    const page = (count: number) =>
      packageListPage(site, {
        search: '',
        packages: [
          {
            name: 'acme/text',
            description: '',
            versions: Array.from({ length: count }, (_, index) => `1.0.${index}`),
          },
        ],
        isCut: false,
      });
    assert.doesNotMatch(page(8), /older/);
    assert.match(page(9), /and 1 older/);
  });

  it('reports empty and incomplete results', () => {
    const page = (search: string, isCut = false) =>
      packageListPage(site, {
        search,
        packages: isCut ? [{ name: 'a/b', description: '', versions: ['1.0.0'] }] : [],
        isCut,
      });
    assert.match(page(''), /There are no public packages yet/);
    assert.match(page('<x>'), /No public package matches “&lt;x&gt;”/);
    assert.match(page('', true), /Showing the first 1 packages/);
  });

  it('encodes links', () => {
    assert.equal(packageDocsPath('a/b', '1.0.0-"><x'), '/api/packages/a/b@1.0.0-%22%3E%3Cx/docs');
  });
});
