import { type Html, html } from './html.ts';
import { indentJson } from './indent-json.ts';
import { pageFrame, type PageSite } from './page-frame.ts';

/** A pause as its page shows it. */
interface Question {
  /** Id of the node that asks. */
  node: string;
  /** JSON text; empty if the node gave none. */
  question: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Full name of the message that the decision must fit, and its fields as `fieldHint` describes them. */
  resumeSchema: string;
  fields: readonly string[];
  /** A decision that does not fit, as it was typed, and why. */
  refused?: { problem: string; value: string; resumedBy: string };
}

/** Names of a large message are cut: the rest explains nothing more. */
const shownFields = 50;

/** Renders the question of a pause with a form for the decision. It works without scripts. */
export function questionPage(site: PageSite, question: Question): string {
  const { node, expiresAt, resumeSchema, fields, refused } = question;
  const more = fields.length > shownFields ? ', …' : '';
  return resumePage(
    site,
    html`<p>The node ${node} asks for a decision until ${timeOf(expiresAt)}.</p>
      <pre>${question.question === '' ? 'The node gave no question.' : indentJson(question.question)}</pre>
      ${refused ? [html`<p role="alert">The decision was not accepted: ${refused.problem}</p>`] : []}
      <form method="post">
        <label for="value">Decision, as a JSON object with the fields of ${resumeSchema}</label>
        <div>
          <textarea
            id="value"
            name="value"
            rows="8"
            required
            spellcheck="false"
            autocomplete="off"
            aria-describedby="fields"
          >
${refused?.value ?? ''}</textarea>
        </div>
        <p id="fields">Fields: ${fields.slice(0, shownFields).join(', ')}${more}</p>
        <label for="resumed_by">Your name, for the record</label>
        <div>
          <input
            id="resumed_by"
            name="resumed_by"
            type="text"
            maxlength="500"
            value="${refused?.resumedBy ?? ''}"
          />
          <button type="submit">Send decision</button>
        </div>
      </form>`,
  );
}

/** @param iso ISO 8601 in UTC */
function timeOf(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Renders what became of a pause, or why it cannot be decided. */
export function pauseNoticePage(site: PageSite, notice: string): string {
  return resumePage(site, html`<p role="status">${notice}</p>`);
}

function resumePage(site: PageSite, content: Html): string {
  return pageFrame(site, {
    title: 'Decision - svc',
    bar: html`<span class="where">Decision</span>`,
    main: html`<main class="panel">
      <h1>Decision</h1>
      ${content}
    </main>`,
  });
}
