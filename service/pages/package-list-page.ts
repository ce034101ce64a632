import { type Html, html } from './html.ts';
import { keyButton, keyPanel } from './key-panel.ts';
import { pageFrame, type PageSite } from './page-frame.ts';

/** A public package in the list. */
interface ListedPackage {
  /** `<handle>/<name>` */
  name: string;
  description: string;
  /** Newest first. */
  versions: readonly string[];
}

interface PackageList {
  /** The search text; empty for the whole list. */
  search: string;
  packages: readonly ListedPackage[];
  /** Whether the list is incomplete. */
  isCut: boolean;
}

/** Limits the versions shown per package, so that one package does not fill the page. */
const shownVersions = 8;

const keyNotice =
  'Your key lists the flows and private packages of your tenant. It is sent only to this service.';

/**
 * Lists public packages with links to their try-it pages. The search is a form and works without scripts. A script lists the flows and
 * private packages of a key.
 */
export function packageListPage(site: PageSite, { search, packages, isCut }: PackageList): string {
  const { assets, prefix } = site;
  return pageFrame(site, {
    title: 'Packages and flows - svc',
    bar: html`<span class="where">Packages and flows</span
      ><a class="plain" href="${prefix}/docs/api">API</a>${keyButton}`,
    main: html`<main>
      ${keyPanel(keyNotice)}
      <div class="list">
        <h1>Packages and flows</h1>
        <p class="lead">
          Typed nodes with an HTTP API, and flows of them. Select one to read its documentation and to call
          it.
        </p>
        ${ownedSection(prefix)}
        <section aria-labelledby="public">
          <h2 id="public">Public packages</h2>
          <form class="search" role="search" method="get" action="${prefix}/docs">
            <label for="q">Search by name or description</label>
            <div>
              <input id="q" name="q" type="search" value="${search}" maxlength="100" /><button>Search</button>
            </div>
          </form>
          ${summary(search, packages.length, isCut)}
          <ul class="packages">
            ${packages.map((each) => entry(prefix, each))}
          </ul>
        </section>
      </div>
    </main>`,
    scripts: (['keys.js', 'flows.js'] as const).map(
      (name) => html`<script src="${prefix}${assets.path(name)}" defer></script>`,
    ),
  });
}

function ownedSection(prefix: string): Html {
  return html`<section
    id="owned"
    aria-labelledby="yours"
    data-graphs="${prefix}/api/v1/graphs"
    data-packages="${prefix}/api/v1/packages"
    data-prefix="${prefix}"
  >
    <h2 id="yours">Your flows and private packages</h2>
    <p role="status">Enter an API key to list them.</p>
    <ul class="packages"></ul>
  </section>`;
}

function summary(search: string, count: number, isCut: boolean): Html {
  if (count === 0) {
    return search === ''
      ? html`<p>There are no public packages yet.</p>`
      : html`<p>No public package matches “${search}”.</p>`;
  }
  return isCut ? html`<p>Showing the first ${count} packages. Search to find others.</p>` : html``;
}

function entry(prefix: string, { name, description, versions }: ListedPackage): Html {
  const [newest = ''] = versions;
  const hidden = versions.length - shownVersions;
  return html`<li>
    <h3><a href="${prefix}${packageDocsPath(name, newest)}">${name}</a></h3>
    <p>${description}</p>
    <p class="versions">
      ${versions.slice(0, shownVersions).map((version) => html`<a href="${prefix}${packageDocsPath(name, version)}">${version}</a> `)}
      ${hidden > 0 ? html`<span>and ${hidden} older</span>` : html``}
    </p>
  </li>`;
}

/**
 * Returns the path of a version's try-it page.
 *
 * @param name `<handle>/<name>`
 */
export function packageDocsPath(name: string, version: string): string {
  return `/api/packages/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}/docs`;
}
