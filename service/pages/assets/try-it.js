// Shows the OpenAPI document of the page and calls its operations from the origin of the page.
// Runs in browsers without a build step. `Scalar` comes from reference.js, which is parsed last, so that the document is on its way
// meanwhile; `svcKeys`, `svcPauses` and `svcReadable` come from the files of these names.
(() => {
  'use strict';

  const place = document.getElementById('reference');
  const content = document.getElementById('content');
  const subject = document.getElementById('subject');
  const diagram = document.getElementById('diagram');
  const download = document.getElementById('download');
  const { document: documentUrl, documentKey } = place.dataset;
  const { svcKeys, svcPauses, svcReadable } = window;
  const named = { title: document.title, subject: subject.textContent };
  // All deferred scripts have run by then.
  const parsed = new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
  let shown;
  let asked = 0;

  /** Makes calls go to the origin of the page, the only one that the page may reach. */
  const withOwnServer = (openapi) => {
    const { pathname } = new URL(openapi.servers?.[0]?.url ?? '/', location.href);
    return { ...openapi, servers: [{ url: location.origin + pathname.replace(/\/$/, '') }] };
  };

  const clear = () => {
    shown?.destroy();
    shown = undefined;
    delete document.body.dataset.reference;
    // The reference has a main element of its own.
    content.setAttribute('role', 'main');
    place.replaceChildren();
    document.title = named.title;
    subject.textContent = named.subject;
    if (diagram) diagram.hidden = true;
    if (documentKey === 'required') download.hidden = true;
  };

  const show = (openapi, key) => {
    const config = configOf(openapi, key);
    // With a public document, only the key changes, and the reader keeps the position in the reference.
    if (shown && documentKey === 'none') {
      shown.updateConfiguration(config);
      return;
    }
    clear();
    document.body.dataset.reference = '';
    content.setAttribute('role', 'region');
    if (documentKey === 'required') showOwned(openapi, key);
    shown = Scalar.createApiReference(place, config);
  };

  const configOf = (openapi, key) => {
    const [scheme] = Object.keys(openapi.components?.securitySchemes ?? {});
    return {
      content: withOwnServer(svcReadable(openapi)),
      customFetch: revealing(svcPauses.watching(window.fetch.bind(window))),
      authentication: scheme && {
        preferredSecurityScheme: scheme,
        securitySchemes: { [scheme]: { token: key } },
      },
      persistAuth: false,
      telemetry: false,
      withDefaultFonts: false,
      showDeveloperTools: 'never',
      orderSchemaPropertiesBy: 'preserve',
      // The bar already links to the document.
      documentDownloadType: 'none',
      hideClientButton: true,
      hiddenClients: true,
      agent: { disabled: true },
      mcp: { disabled: true },
    };
  };

  /** Returns a fetch that scrolls to the response where it is below the request, as on phones. */
  const revealing =
    (fetch) =>
    async (...request) => {
      const answer = await fetch(...request);
      setTimeout(() => document.querySelector(answerSelector)?.scrollIntoView({ block: 'nearest' }));
      return answer;
    };
  const answerSelector = '.scalar-client--open section[aria-label^="Response"]';

  /** What the page may show only with a key: the name, the document as a file, and the diagram of a flow. */
  const showOwned = (openapi, key) => {
    const { title } = openapi.info;
    if (diagram) {
      document.title = `${title} - svc`;
      subject.textContent = title;
      void draw(title, key);
    }
    const file = new Blob([JSON.stringify(openapi, null, 2)], { type: 'application/json' });
    URL.revokeObjectURL(download.href);
    download.href = URL.createObjectURL(file);
    download.hidden = false;
  };

  /** Shows the diagram as an image, so that scripts in it cannot run. */
  const draw = async (title, key) => {
    const turn = asked;
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(diagram.dataset.source, { headers, credentials: 'omit' }).catch(
      () => undefined,
    );
    const bytes = answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
    if (bytes === undefined || turn !== asked) return;
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    const image = diagram.querySelector('img');
    image.src = `data:image/svg+xml;base64,${btoa(text)}`;
    image.alt = `Diagram of the flow ${title}`;
    diagram.hidden = false;
  };

  const start = async (key) => {
    if (documentKey === 'required' && key === '') {
      clear();
      svcKeys.openPanel(true);
      svcKeys.focus();
      return;
    }
    const turn = ++asked;
    const wasOpen = svcKeys.isOpen();
    const { body, problem } = await svcKeys.readJson(documentUrl, documentKey === 'required' ? key : '');
    await parsed;
    if (turn !== asked) return;
    if (body) {
      show(body, key);
      // A panel that was opened meanwhile stays open, because the user may be typing there.
      if (wasOpen) svcKeys.openPanel(false, '');
    } else {
      svcKeys.openPanel(true, problem);
    }
  };

  svcKeys.watch((key) => void start(key));
})();
