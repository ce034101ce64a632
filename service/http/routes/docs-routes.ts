import * as operations from '../../../specs/operations/docs.ts';
import { pageAssetNotFound } from '../../errors/system-errors.ts';
import { findPublicPackages, findPublicVersion } from '../../nodes/public-packages.ts';
import type { PageAssets } from '../../pages/page-assets.ts';
import type { PageSite } from '../../pages/page-frame.ts';
import { packageListPage } from '../../pages/package-list-page.ts';
import { tryItPage } from '../../pages/try-it-page.ts';
import type { Database } from '../../store/database.ts';
import { bind, type Route } from '../bind.ts';
import { presentAsset, presentMissingPage, presentPage } from '../present/page.ts';

interface DocsRouteOptions {
  db: Database;
  assets: PageAssets;
  site: () => PageSite;
}

/** Maximum number of packages on the page. */
const listedPackages = 200;

const callNotice = 'Calls use your key. It is sent only to this service.';

/** Pages that list public packages and call nodes and flows. */
export function docsRoutes({ db, assets, site }: DocsRouteOptions): Route[] {
  return [
    bind(operations.openHome).to(() => ({ status: 302, headers: { Location: `${site().prefix}/docs` } })),
    bind(operations.showPackages).to(async ({ query, headers }) => {
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
    bind(operations.showApi).to(({ headers }) => {
      const text = tryItPage(site(), {
        subject: 'API of the service',
        documentPath: '/openapi.json',
        documentKey: 'none',
        notice: callNotice,
      });
      return presentPage({ text }, headers);
    }),
    bind(operations.showPackage).to(async ({ params, headers }) => {
      const name = `${params.owner}/${params.package}`;
      const found = await findPublicVersion(db.knex, params);
      const version = found?.version ?? params.version;
      const text = tryItPage(site(), {
        subject: `${name} ${version}`,
        documentPath: packageDocumentPath(params.owner, params.package, version),
        documentKey: found ? 'none' : 'required',
        outline: found && { name, description: found.package.description, nodes: found.nodes },
        notice: found
          ? callNotice
          : `There is no public package ${name} ${version}. If it is a private package of your tenant, enter a key.`,
      });
      return found ? presentPage({ text }, headers) : presentMissingPage(text);
    }),
    bind(operations.showGraph).to(({ params, headers }) => {
      const id = encodeURIComponent(params.artifact_id);
      const text = tryItPage(site(), {
        // Reading the name requires the key. The page shows it once it has loaded the document.
        subject: 'Flow',
        documentPath: `/api/graphs/${id}/openapi.json`,
        diagramPath: `/api/v1/graphs/${id}/diagram?format=svg`,
        documentKey: 'required',
        notice: 'Enter a full key of the owner of the flow. It is sent only to this service.',
      });
      return presentPage({ text }, headers);
    }),
    bind(operations.getPageAsset).to(async ({ params, headers }) => {
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
