import { type Html, html } from './html.ts';
import { indentJson } from './indent-json.ts';
import type { FieldOutline, MessageOutline } from './message-outline.ts';
import { pageFrame, type PageSite } from './page-frame.ts';
import { prefillDecision } from './prefill-decision.ts';

/** A pause in the form that its page shows. */
interface Question {
  /** Name of the flow, and id of the node that asks. */
  flow: string;
  node: string;
  /** JSON text; empty if the node gave none. */
  question: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Full name of the message that the decision must fit, and its content. */
  resumeSchema: string;
  outline: MessageOutline;
  /** Identifies a decision that the form sends again. */
  idempotencyKey: string;
  /** A refused decision as it was typed, and a sentence with the reason. */
  refused?: { problem: string; value: string; resumedBy: string };
}

/** Rows of the input for the decision. */
const rows = { least: 8, most: 20 };

/** Renders the question of a pause with a form for the decision. It works without scripts. */
export function questionPage(site: PageSite, question: Question): string {
  const { flow, node, expiresAt, resumeSchema, outline, idempotencyKey, refused } = question;
  const value = refused?.value ?? prefillDecision(outline.skeleton, question.question);
  const shownRows = Math.min(Math.max(value.split('\n').length, rows.least), rows.most);
  return resumePage(
    site,
    html`<p>The node ${node} of the flow ${flow} asks for a decision until ${timeOf(expiresAt)}.</p>
      <pre>${question.question === '' ? 'The node gave no question.' : indentJson(question.question)}</pre>
      ${refused ? [html`<p role="alert">${refused.problem}</p>`] : []}
      <form method="post">
        <input type="hidden" name="idempotency_key" value="${idempotencyKey}" />
        <label for="value">Decision, as a JSON object with the fields of ${resumeSchema}</label>
        <div>
          <textarea
            id="value"
            name="value"
            rows="${shownRows}"
            required
            spellcheck="false"
            autocomplete="off"
            aria-describedby="fields"
          >
${value}</textarea>
        </div>
        <section id="fields" class="fields">
          ${outline.fields.length === 0 ? [] : [html`<p>Fields:</p>`, fieldList(outline.fields)]}
          ${outline.isCut ? [html`<p>There are more.</p>`] : []}
        </section>
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

function fieldList(fields: readonly FieldOutline[]): Html {
  if (fields.length === 0) return html``;
  return html`<ul>
    ${fields.map((field) => html`<li>${field.hint} ${fieldList(field.fields)}</li>`)}
  </ul>`;
}

/** @param iso ISO 8601 in UTC */
function timeOf(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Renders the outcome of a pause, or the reason why it cannot be decided. */
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
