// The key of the user, and the panel that asks for it. Other scripts of the page use it as `svcKeys`.
(() => {
  'use strict';

  const KEY = 'svc.api-key';
  const panel = document.getElementById('key-panel');
  const toggle = document.getElementById('key-toggle');
  const notice = document.getElementById('notice');
  const field = document.getElementById('key');
  const keep = document.getElementById('key-keep');
  const introduction = notice.textContent;

  // A key is stored for the tab, or permanently if the user chooses so.
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
      // The key then lasts only as long as the page.
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

  const reasons = {
    401: 'The key is unknown. It may be mistyped, expired or revoked.',
    403: 'The key may not read the document. Use a full key with the scope read.',
    404: 'The document does not exist, or the key does not belong to its owner.',
  };

  /** Reads JSON of this service with the key, or returns the reason why it cannot. */
  const readJson = async (url, key) => {
    const headers = key === '' ? {} : { authorization: `Bearer ${key}` };
    let answer;
    try {
      answer = await fetch(url, { headers, credentials: 'omit' });
    } catch {
      return {
        problem: 'The service did not answer. Check that it is running and that it served this page.',
      };
    }
    if (answer.ok) return { body: await answer.json() };
    const { error } = await answer.json().catch(() => ({}));
    return {
      problem: `${answer.status}: ${reasons[answer.status] ?? error ?? 'The document cannot be read.'}`,
    };
  };

  toggle.addEventListener('click', () => {
    openPanel(panel.hidden);
    if (!panel.hidden) field.focus();
  });

  /** Calls `use` with the stored key, and with each key that the user enters or forgets (an empty one). */
  const watch = (use) => {
    panel.addEventListener('submit', (event) => {
      event.preventDefault();
      const key = field.value.trim();
      store(key, keep.checked);
      use(key);
    });
    document.getElementById('key-forget').addEventListener('click', () => {
      store('', false);
      field.value = '';
      keep.checked = false;
      use('');
    });
    keep.checked = read(localStorage) !== null;
    field.value = storedKey();
    use(field.value);
  };

  window.svcKeys = { watch, readJson, openPanel, isOpen: () => !panel.hidden, focus: () => field.focus() };
})();
