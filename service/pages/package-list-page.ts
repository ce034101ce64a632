import { type Html, html } from './html.ts';
import { pageFrame, type PageSite } from './page-frame.ts';

/** A public package as the list shows it. */
export interface ListedPackage {
  /** `<handle>/<name>` */
  name: string;
  description: string;
  /** Newest first. */
  versions: readonly string[];
}

export interface PackageList {
  /** What was searched for; empty: everything. */
  search: string;
  packages: readonly ListedPackage[];
  /** Whether there are more than these. */
  isCut: boolean;
}

/** More versions than anybody chooses from hide the packages below. */
const shownVersions = 8;

/** Public packages with links to their try-it pages. The search is a form: it works without a script. */
export function packageListPage(site: PageSite, { search, packages, isCut }: PackageList): string {
  const { prefix } = site;
  return pageFrame(site, {
    title: 'Packages - svc',
    bar: html`<span class="where">Packages</span><a class="plain" href="${prefix}/docs/api">API</a>`,
    main: html`<main class="list">
      <h1>Packages</h1>
      <p class="lead">
        Typed nodes that can be called over HTTP. Choose a version to read about it and to try it.
      </p>
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
    </main>`,
  });
}

function summary(search: string, count: number, isCut: boolean): Html {
  if (count === 0) {
    return search === ''
      ? html`<p>No public package is published yet.</p>`
      : html`<p>No public package has “${search}” in its name or description.</p>`;
  }
  return isCut ? html`<p>The first ${count} packages: search for others.</p>` : html``;
}

function entry(prefix: string, { name, description, versions }: ListedPackage): Html {
  const [newest = ''] = versions;
  const hidden = versions.length - shownVersions;
  return html`<li>
    <h2><a href="${prefix}${packageDocsPath(name, newest)}">${name}</a></h2>
    <p>${description}</p>
    <p class="versions">
      ${versions.slice(0, shownVersions).map((version) => html`<a href="${prefix}${packageDocsPath(name, version)}">${version}</a> `)}
      ${hidden > 0 ? html`<span>and ${hidden} older</span>` : html``}
    </p>
  </li>`;
}

/** Path of a version's try-it page; `name` is `<handle>/<name>`. */
export function packageDocsPath(name: string, version: string): string {
  return `/api/packages/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}/docs`;
}
