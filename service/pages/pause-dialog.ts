import { type Html, html } from './html.ts';

/** Shown when a run that the page has started pauses. `pauses.js` fills it. */
export const pauseDialog: Html = html`<dialog id="pause" class="panel" aria-labelledby="pause-title">
  <h2 id="pause-title"></h2>
  <pre id="pause-question" tabindex="0"></pre>
  <form id="pause-form" autocomplete="off">
    <label for="pause-value">Decision</label>
    <div>
      <textarea
        id="pause-value"
        name="value"
        rows="8"
        spellcheck="false"
        aria-describedby="pause-fields"
      ></textarea>
    </div>
    <section id="pause-fields" class="fields"></section>
    <label for="pause-by">Your name, for the record</label>
    <div>
      <input id="pause-by" type="text" maxlength="500" />
      <button type="submit">Send decision</button>
    </div>
  </form>
  <p id="pause-status" role="status"></p>
  <button id="pause-close" type="button">Close</button>
</dialog>`;
