import { type Html, html } from './html.ts';

/** The button of the bar that opens the panel. */
export const keyButton: Html = html`<button
  id="key-toggle"
  type="button"
  aria-expanded="false"
  aria-controls="key-panel"
>
  API key
</button>`;

/** A form for the key of the user, with the text shown next to it. `keys.js` opens it and stores the key. */
export function keyPanel(notice: string): Html {
  return html`<form id="key-panel" class="panel" hidden autocomplete="off">
    <p id="notice" role="status">${notice}</p>
    <label for="key">API key</label>
    <div>
      <input id="key" type="password" autocomplete="off" spellcheck="false" required maxlength="256" />
      <button type="submit">Use key</button>
      <button id="key-forget" type="button">Forget</button>
    </div>
    <label class="choice"
      ><input id="key-keep" type="checkbox" /> Keep it in this browser. Otherwise it is forgotten when this
      tab closes.</label
    >
  </form>`;
}
