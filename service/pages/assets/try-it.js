// Shows the OpenAPI document of the page and calls its operations from the origin of the page.
// Runs in browsers without a build step. `Scalar` comes from reference.js, `svcPauses` from pauses.js.
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

  // A key is kept for the tab, or longer if the user chooses so.
  const storedKey = () => read(sessionStorage) ?? read(localStorage) ?? '';
  const read = (storage) => {
    try {
      return storage.getItem(KEY);
    } catch {
      return null; // storage may be disabled
    }
  };
  const store = (key, forGood) => {
    try {
      sessionStorage.removeItem(KEY);
      localStorage.removeItem(KEY);
      if (key !== '') (forGood ? localStorage : sessionStorage).setItem(KEY, key);
    } catch {
      // the key is kept as long as the page
    }
  };

  const openPanel = (open, text = introduction) => {
    // Returns the focus to the button that opened the panel.
    if (!open && panel.contains(document.activeElement)) toggle.focus();
    panel.hidden = !open;
    toggle.setAttribute('aria-expanded', String(open));
    notice.textContent = text;
    notice.hidden = text === '';
  };

  /** The document, or the reason why there is none. */
  const load = async (key) => {
    const headers = documentKey === 'required' ? { authorization: `Bearer ${key}` } : {};
    let answer;
    try {
      answer = await fetch(documentUrl, { headers, credentials: 'omit' });
    } catch {
      return {
        problem: 'The service did not answer. Check that it is running and that it served this page.',
      };
    }
    if (answer.ok) return { openapi: await answer.json() };
    const { error } = await answer.json().catch(() => ({}));
    return {
      problem: `${answer.status}: ${reasons[answer.status] ?? error ?? 'The document cannot be read.'}`,
    };
  };
  const reasons = {
    401: 'The key is unknown. It may be mistyped, expired or revoked.',
    403: 'The key may not read the document. Use a full key with the scope read.',
    404: 'The document does not exist, or the key does not belong to its owner.',
  };

  /** Sends calls to the origin of the page, the only one that the page may reach. */
  const withOwnServer = (openapi) => {
    const { pathname } = new URL(openapi.servers?.[0]?.url ?? '/', location.href);
    return { ...openapi, servers: [{ url: location.origin + pathname.replace(/\/$/, '') }] };
  };

  const clear = () => {
    shown?.destroy();
    shown = undefined;
    delete document.body.dataset.reference;
    // The reference has a main element of its own.
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
      customFetch: window.svcPauses.watching(window.fetch.bind(window)),
      authentication: scheme && {
        preferredSecurityScheme: scheme,
        securitySchemes: { [scheme]: { token: key } },
      },
      persistAuth: false,
      telemetry: false,
      withDefaultFonts: false,
      showDeveloperTools: 'never',
      // The bar links to public documents.
      documentDownloadType: documentKey === 'required' ? 'json' : 'none',
      hideClientButton: true,
      hiddenClients: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    });
  };

  const start = async (key) => {
    if (documentKey === 'required' && key === '') {
      openPanel(true);
      field.focus();
      return;
    }
    const turn = ++asked;
    const wasOpen = !panel.hidden;
    const { openapi, problem } = await load(key);
    if (turn !== asked) return;
    if (openapi) {
      show(openapi, key);
      // A panel that was opened meanwhile stays open: someone types there.
      if (wasOpen) openPanel(false, '');
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
