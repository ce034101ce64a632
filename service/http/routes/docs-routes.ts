import * as operations from '../../../specs/operations/docs.ts';
import { pageAssetNotFound } from '../../errors/page-errors.ts';
import { findPublicPackages, findPublicVersion } from '../../nodes/public-packages.ts';
import type { PageAssets } from '../../pages/page-assets.ts';
import type { PageSite } from '../../pages/page-frame.ts';
import { packageListPage } from '../../pages/package-list-page.ts';
import { tryItPage } from '../../pages/try-it-page.ts';
import type { Database } from '../../store/database.ts';
import { bind, type Route } from '../bind.ts';
import { presentAsset, presentPage } from '../present/page.ts';

export interface DocsRouteOptions {
  db: Database;
  assets: PageAssets;
  /** Address of the service as its users see it, without a slash at its end; asked for with each page. */
  baseUrl: () => string;
}

/** One page's worth. */
const listedPackages = 200;

const callNotice = 'Calls are made with your key. It goes to this service alone.';

/** Pages for people: the public packages, and trying what there is (SPEC.md, Generated specs). */
export function docsRoutes({ db, assets, baseUrl }: DocsRouteOptions): Route[] {
  const site = (): PageSite => ({ assets, prefix: new URL(baseUrl()).pathname.replace(/\/$/, '') });
  return [
    bind(operations.openHome, () => ({ status: 302, headers: { Location: `${site().prefix}/docs` } })),
    bind(operations.showPackages, async ({ query, headers }) => {
      const search = query.q?.trim() ?? '';
      const { found, isCut } = await findPublicPackages(db.knex, search, listedPackages);
      const packages = found.map(({ package: { handle, name, description }, versions }) => ({
        name: `${handle}/${name}`,
        description,
        versions,
      }));
      const text = packageListPage(site(), { search, packages, isCut });
      return presentPage({ text, sendsForm: true }, headers);
    }),
    bind(operations.showApi, ({ headers }) => {
      const text = tryItPage(site(), {
        subject: 'API of the service',
        documentPath: '/openapi.json',
        documentKey: 'none',
        notice: callNotice,
      });
      return presentPage({ text }, headers);
    }),
    bind(operations.showPackage, async ({ params, headers }) => {
      const name = `${params.owner}/${params.package}`;
      const found = await findPublicVersion(db.knex, params);
      const version = found?.version ?? params.version;
      const text = tryItPage(site(), {
        subject: `${name} ${version}`,
        documentPath: packageDocumentPath(params.owner, params.package, version),
        documentKey: found ? 'none' : 'asked',
        notice: found
          ? callNotice
          : `There is no public package ${name} ${version}. If it is a private one of yours, enter a key of your tenant.`,
      });
      return presentPage({ text, status: found ? 200 : 404 }, headers);
    }),
    bind(operations.showGraph, ({ params, headers }) => {
      const text = tryItPage(site(), {
        subject: `Flow ${params.artifact_id}`,
        documentPath: `/api/graphs/${encodeURIComponent(params.artifact_id)}/openapi.json`,
        documentKey: 'asked',
        notice: 'A flow is shown to keys of its owner. Enter a full key; it goes to this service alone.',
      });
      return presentPage({ text }, headers);
    }),
    bind(operations.getPageAsset, async ({ params, headers }) => {
      const asset = assets.find(params.file);
      if (!asset) throw pageAssetNotFound();
      return presentAsset(asset, headers);
    }),
  ];
}

function packageDocumentPath(owner: string, name: string, version: string): string {
  const [handle = '', slug = '', pinned = ''] = [owner, name, version].map(encodeURIComponent);
  return `/api/packages/${handle}/${slug}@${pinned}/openapi.json`;
}
