import { html } from './html.ts';
import { pageFrame, type PageSite } from './page-frame.ts';

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
  notice?: string;
}

/** Shown when a run that the page has started pauses. */
const pauseDialog = html`<dialog id="pause" class="panel" aria-labelledby="pause-title">
  <h2 id="pause-title"></h2>
  <pre id="pause-question" tabindex="0"></pre>
  <form id="pause-form" autocomplete="off">
    <label for="pause-value">Decision</label>
    <div><textarea id="pause-value" name="value" rows="6" spellcheck="false"></textarea></div>
    <label for="pause-by">Your name, for the record</label>
    <div>
      <input id="pause-by" type="text" maxlength="500" />
      <button type="submit">Send decision</button>
    </div>
  </form>
  <p id="pause-status" role="status"></p>
  <button id="pause-close" type="button">Close</button>
</dialog>`;

/** Renders a page that shows an OpenAPI document and calls its operations. The page contains no part of the document: its script reads it. */
export function tryItPage(site: PageSite, { subject, documentPath, documentKey, notice }: TryItPage): string {
  const { assets, prefix } = site;
  const document = prefix + documentPath;
  return pageFrame(site, {
    title: `${subject} - svc`,
    bar: html`<h1 class="where">${subject}</h1>
      ${documentKey === 'none' ? html`<a class="plain" href="${document}">OpenAPI</a>` : html``}
      <button id="key-toggle" type="button" aria-expanded="false" aria-controls="key-panel">API key</button>`,
    main: html`<div id="asking" role="main" aria-label="Your key">
        <form id="key-panel" class="panel" hidden autocomplete="off">
          <p id="notice" role="status">${notice ?? ''}</p>
          <label for="key">API key</label>
          <div>
            <input id="key" type="password" autocomplete="off" spellcheck="false" required maxlength="256" />
            <button type="submit">Use key</button>
            <button id="key-forget" type="button">Forget</button>
          </div>
          <label class="choice"
            ><input id="key-keep" type="checkbox" /> Keep it in this browser. Otherwise it is forgotten when
            this tab closes.</label
          >
        </form>
      </div>
      <div id="reference" data-document="${document}" data-document-key="${documentKey}">
        <noscript
          ><p class="panel">This page needs JavaScript to read and show the OpenAPI document.</p></noscript
        >
      </div>
      ${pauseDialog}`,
    scripts: [
      html`<script src="${prefix}${assets.path('reference.js')}" defer></script>`,
      html`<script src="${prefix}${assets.path('pauses.js')}" defer></script>`,
      html`<script src="${prefix}${assets.path('try-it.js')}" defer></script>`,
    ],
  });
}
