import { type Html, html } from './html.ts';
import { keyButton, keyPanel } from './key-panel.ts';
import { pageFrame, type PageSite } from './page-frame.ts';
import { pauseDialog } from './pause-dialog.ts';

interface TryItPage {
  /** Subject of the page, shown in its bar and title. */
  subject: string;
  /** Path of the OpenAPI document, relative to the address of the service. */
  documentPath: string;
  /**
   * `none`: the document is public, and the key is only for calls. `required`: the page prompts for a key and reads the document with
   * it.
   */
  documentKey: 'none' | 'required';
  /** Text shown next to the prompt for a key. */
  notice: string;
  /** A summary of the document, shown until the reference is ready. */
  outline?: Outline | undefined;
  /** Path of the diagram of a flow, which the page reads with the key. */
  diagramPath?: string;
}

/** A summary of a public package. */
interface Outline {
  name: string;
  description: string;
  nodes: readonly { name: string; description: string }[];
}

/** Scripts in the order of their use. The reference is large, so it comes last. */
const scripts = ['keys.js', 'pauses.js', 'readable.js', 'try-it.js', 'reference.js'] as const;

/** Renders a page that shows an OpenAPI document and calls its operations. Its scripts read the document. */
export function tryItPage(site: PageSite, page: TryItPage): string {
  const { assets, prefix } = site;
  const { subject, documentKey, notice, outline, diagramPath } = page;
  const document = prefix + page.documentPath;
  return pageFrame(site, {
    title: `${subject} - svc`,
    bar: html`<h1 id="subject" class="where">${subject}</h1>
      ${documentLink(document, documentKey)} ${keyButton}`,
    main: html`<div id="content" role="main" aria-label="${subject}">
        ${keyPanel(notice)} ${diagramPath === undefined ? html`` : diagramOf(prefix + diagramPath)}
        <div id="reference" data-document="${document}" data-document-key="${documentKey}">
          ${outline ? outlineOf(outline) : html``}
          <noscript
            ><p class="panel">
              This page needs JavaScript to show the OpenAPI
              document.${
                documentKey === 'none'
                  ? html` You can also <a href="${document}">read the document as JSON</a>.`
                  : html``
              }
            </p></noscript
          >
        </div>
      </div>
      ${pauseDialog}`,
    scripts: scripts.map((name) => html`<script src="${prefix}${assets.path(name)}" defer></script>`),
  });
}

/** A link cannot send a key, so the script sets the target of a document that requires one. */
function documentLink(document: string, documentKey: TryItPage['documentKey']): Html {
  return documentKey === 'none'
    ? html`<a class="plain" href="${document}">OpenAPI</a>`
    : html`<a id="download" class="plain" download="openapi.json" hidden>OpenAPI</a>`;
}

function diagramOf(source: string): Html {
  return html`<details id="diagram" class="diagram" data-source="${source}" open hidden>
    <summary>Diagram</summary>
    <div tabindex="0" role="region" aria-label="Diagram"><img alt="" /></div>
  </details>`;
}

function outlineOf({ name, description, nodes }: Outline): Html {
  return html`<div class="list">
    <h2>${name}</h2>
    <p class="lead">${description}</p>
    <ul class="packages">
      ${nodes.map(
        (node) =>
          html`<li>
            <h3>${node.name}</h3>
            <p>${node.description}</p>
          </li>`,
      )}
    </ul>
  </div>`;
}
