// Shows the question of a run that pauses, sends the decision, and shows the progress of the run. `try-it.js`
// passes it the calls of the page.
(() => {
  'use strict';

  const dialog = document.getElementById('pause');
  const form = document.getElementById('pause-form');
  const label = form.querySelector('label');
  const [title, question, value, fields, by, status] = [
    'title',
    'question',
    'value',
    'fields',
    'by',
    'status',
  ].map((name) => document.getElementById(`pause-${name}`));
  /** The run that the dialog shows, with its pending pause. Empty while the dialog is closed. */
  let open = {};
  /** The outcome of the previous decision, until the next state of the run is shown. */
  let note = '';

  /** Returns a fetch that inspects the responses of invocations. Its caller receives them unchanged. */
  const watching = (fetch) => async (input, init) => {
    const request = new Request(input, init);
    const answer = await fetch(request);
    const { pathname } = new URL(request.url);
    const starts = /\/invocations\/v1\/flows\/invoke$/.test(pathname);
    if (answer.ok && request.method === 'POST' && starts) {
      const { execution_id: id, execution_status: state } = await answer.clone().json();
      if (state === 'PAUSED') {
        const base = request.url.slice(0, request.url.indexOf('/invocations/'));
        const authorization = request.headers.get('authorization');
        await ask({ id, base: `${base}/invocations/v1`, headers: { authorization } });
      }
    }
    return answer;
  };

  const read = async ({ base, headers }, path, init) => {
    const answer = await fetch(base + path, { ...init, headers, credentials: 'omit' });
    const body = await answer.json();
    if (answer.ok) return body;
    throw new Error(body.message ?? body.error ?? `the service answered ${answer.status}`);
  };

  /**
   * Reads the decision to edit, and the fields of its message, from the page of the pause (`resume-page.ts`). Both are empty if the key
   * has no link to that page, or the page cannot be read.
   */
  const draftOf = async ({ base }, { resume_url: link }) => {
    try {
      const [, token] = /\/hooks\/resume\/([^/]+)$/.exec(link);
      const signal = AbortSignal.timeout(3_000);
      const answer = await fetch(`${base}/hooks/resume/${token}`, { credentials: 'omit', signal });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      return { text: page.getElementById('value').value, listed: page.getElementById('fields').children };
    } catch {
      return { text: '', listed: [] };
    }
  };

  /**
   * Shows the question that the run waits for. If it has been decided meanwhile, shows the progress of the
   * run.
   */
  const ask = async (run, isWanted = () => true) => {
    const { pauses } = await read(run, `/executions/${run.id}/pauses`);
    const waiting = pauses.find((pause) => pause.status === 'WAITING');
    const draft = waiting && (await draftOf(run, waiting));
    if (!isWanted()) return;
    open = { ...run, pause: waiting?.pause_id };
    form.hidden = waiting === undefined;
    if (waiting) {
      title.textContent = `The node ${waiting.node_name} asks for a decision`;
      question.textContent = JSON.stringify(waiting.interrupt_payload, null, 2) ?? '';
      label.textContent = `Decision, as a JSON object with the fields of ${waiting.resume_schema}`;
      value.value = draft.text;
      fields.replaceChildren(...draft.listed);
      status.textContent = `${note}The run waits until ${waiting.expires_at.slice(0, 16).replace('T', ' ')} UTC.`;
      note = '';
    } else {
      title.textContent = 'The question has been decided';
      question.textContent = '';
      status.textContent = 'The run continues.';
      // Not awaited, so that the response is shown without waiting for the run.
      void follow(run).catch(report);
    }
    if (!dialog.open) dialog.showModal();
  };

  /** Waits until the run pauses again or ends, or until the dialog no longer shows it. */
  const follow = async (run) => {
    for (;;) {
      const record = await read(run, `/executions/${run.id}`);
      if (open.id !== run.id) return;
      if (record.pause_id !== undefined) return ask(run, () => open.id === run.id);
      if (record.completed_at !== undefined) return end(run, record.status);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };

  const end = async (run, state) => {
    const history = `/executions/${run.id}/events?decode=true&event_type=FLOW_COMPLETED&event_type=FLOW_FAILED`;
    const { events } = await read(run, history);
    const [{ output, error: text } = {}] = events;
    form.hidden = true;
    title.textContent = `The run has ended: ${state}`;
    question.textContent = output === undefined ? (text ?? '') : JSON.stringify(output, null, 2);
    status.textContent = `${note}Execution ${run.id}`;
    note = '';
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const run = open;
    void decide(run).catch((error) => {
      if (open === run) report(error);
    });
  });

  const report = (error) => {
    status.textContent = error.message;
  };

  const decide = async (run) => {
    const decision = value.value.trim();
    if (decision !== '') check(decision);
    const rest = JSON.stringify({ pause_id: run.pause, resumed_by: by.value || undefined });
    // Sent as typed: parsing would round large numbers.
    const body = decision === '' ? rest : `${rest.slice(0, -1)},"value":${decision}}`;
    status.textContent = 'Sending the decision.';
    const answer = await read(run, `/flows/${run.id}/resume`, { method: 'POST', body });
    if (open !== run) return;
    note = answer.already_resumed ? 'Another decision came first, so yours does not count. ' : '';
    status.textContent = `${note || 'The decision is recorded. '}The run continues.`;
    await follow(run);
  };

  const check = (text) => {
    if (!text.startsWith('{')) throw new Error('The decision must be a JSON object: { … }');
    try {
      JSON.parse(text);
    } catch (error) {
      throw new Error(`The decision is not JSON: ${error.message}`, { cause: error });
    }
  };

  document.getElementById('pause-close').addEventListener('click', () => dialog.close());
  // The reference under the dialog prevents Escape from closing it.
  dialog.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Escape' && !isComposing) dialog.close();
  });
  dialog.addEventListener('close', () => {
    open = {};
    note = '';
  });
  window.svcPauses = { watching };
})();
