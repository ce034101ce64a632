// Shows the OpenAPI document that the page names, and calls what it describes from the page's own origin.
// Runs in the browser as it stands; `Scalar` comes from reference.js.
(() => {
  'use strict';

  const KEY = 'svc.api-key';
  const place = document.getElementById('reference');
  const asking = document.getElementById('asking');
  const panel = document.getElementById('key-panel');
  const toggle = document.getElementById('key-toggle');
  const notice = document.getElementById('notice');
  const field = document.getElementById('key');
  const keep = document.getElementById('key-keep');
  const { document: documentUrl, documentKey } = place.dataset;
  const introduction = notice.textContent;
  let shown;
  let asked = 0;

  // A key stays in the tab, and beyond it only where its user chose so.
  const storedKey = () => read(sessionStorage) ?? read(localStorage) ?? '';
  const read = (storage) => {
    try {
      return storage.getItem(KEY);
    } catch {
      return null; // storage may be switched off
    }
  };
  const store = (key, forGood) => {
    try {
      sessionStorage.removeItem(KEY);
      localStorage.removeItem(KEY);
      if (key !== '') (forGood ? localStorage : sessionStorage).setItem(KEY, key);
    } catch {
      // then it lives as long as the page
    }
  };

  const openPanel = (open, text = introduction) => {
    // Whoever works by keyboard goes on where the panel was opened.
    if (!open && panel.contains(document.activeElement)) toggle.focus();
    panel.hidden = !open;
    toggle.setAttribute('aria-expanded', String(open));
    notice.textContent = text;
    notice.hidden = text === '';
  };

  /** The document, or the reason why there is none. */
  const load = async (key) => {
    const headers = documentKey === 'asked' ? { authorization: `Bearer ${key}` } : {};
    let answer;
    try {
      answer = await fetch(documentUrl, { headers, credentials: 'omit' });
    } catch {
      return { problem: 'The service did not answer. Is it running, and is this page its own?' };
    }
    if (answer.ok) return { openapi: await answer.json() };
    const { error } = await answer.json().catch(() => ({}));
    return {
      problem: `${answer.status}: ${reasons[answer.status] ?? error ?? 'The document cannot be read.'}`,
    };
  };
  const reasons = {
    401: 'The service does not know this key. It may be mistyped, expired or revoked.',
    403: 'This key may not read the document: it takes a full key with the scope read.',
    404: "Nothing here for this key. Is the address right, and the key the owner's?",
  };

  /** Calls go to the origin of the page: nothing else may be reached from it, however the service is known elsewhere. */
  const withOwnServer = (openapi) => {
    const { pathname } = new URL(openapi.servers?.[0]?.url ?? '/', location.href);
    return { ...openapi, servers: [{ url: location.origin + pathname.replace(/\/$/, '') }] };
  };

  const clear = () => {
    shown?.destroy();
    shown = undefined;
    delete document.body.dataset.reference;
    // The reference has a main part of its own.
    asking.setAttribute('role', 'main');
    place.replaceChildren();
  };

  const show = (openapi, key) => {
    const [scheme] = Object.keys(openapi.components?.securitySchemes ?? {});
    clear();
    document.body.dataset.reference = '';
    asking.setAttribute('role', 'region');
    shown = Scalar.createApiReference(place, {
      content: withOwnServer(openapi),
      authentication: scheme && {
        preferredSecurityScheme: scheme,
        securitySchemes: { [scheme]: { token: key } },
      },
      persistAuth: false,
      telemetry: false,
      withDefaultFonts: false,
      showDeveloperTools: 'never',
      // Where everybody may read the document, the bar links it.
      documentDownloadType: documentKey === 'asked' ? 'json' : 'none',
      hideClientButton: true,
      hiddenClients: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    });
  };

  const start = async (key) => {
    if (documentKey === 'asked' && key === '') {
      openPanel(true);
      field.focus();
      return;
    }
    const turn = ++asked;
    const { openapi, problem } = await load(key);
    if (turn !== asked) return;
    if (openapi) {
      show(openapi, key);
      openPanel(false, '');
    } else {
      openPanel(true, problem);
    }
  };

  toggle.addEventListener('click', () => {
    openPanel(panel.hidden);
    if (!panel.hidden) field.focus();
  });
  panel.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = field.value.trim();
    store(key, keep.checked);
    void start(key);
  });
  document.getElementById('key-forget').addEventListener('click', () => {
    store('', false);
    field.value = '';
    keep.checked = false;
    clear();
    void start('');
  });

  keep.checked = read(localStorage) !== null;
  field.value = storedKey();
  void start(field.value);
})();
