// Lists the flows and private packages of the user's key. `svcKeys` comes from keys.js.
(() => {
  'use strict';

  const section = document.getElementById('owned');
  const status = section.querySelector('[role=status]');
  const list = section.querySelector('ul');
  const { graphs, packages, prefix } = section.dataset;
  const { svcKeys } = window;
  const introduction = status.textContent;
  const SHOWN_ENTRIES = 200;
  const SHOWN_VERSIONS = 8;
  let asked = 0;

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const link = (href, text) => element('a', { href: prefix + href }, text);

  const entry = (kind, { name, description, versions }) => {
    const [newest] = versions;
    const hidden = versions.length - SHOWN_VERSIONS;
    const links = versions.slice(0, SHOWN_VERSIONS).map(({ href, text }) => link(href, text));
    return element(
      'li',
      {},
      element('h3', {}, link(newest.href, name), ' ', element('span', { className: 'kind' }, kind)),
      element('p', {}, description),
      element('p', { className: 'versions' }, ...links, ...(hidden > 0 ? [`and ${hidden} older`] : [])),
    );
  };

  /** Groups flows by name, newest first. An edited flow is a new graph with the same name. */
  const flowsOf = (rows) => {
    const byName = Map.groupBy(rows, ({ name }) => name);
    return [...byName].map(([name, same]) => ({
      name,
      description: same[0].description,
      versions: same.map(({ graph_id: id, created_at: created }) => ({
        href: `/api/graphs/${encodeURIComponent(id)}/docs`,
        text: `${created.slice(0, 16).replace('T', ' ')} UTC`,
      })),
    }));
  };

  const packagesOf = (rows) =>
    rows
      .filter(({ visibility, latest_version: version }) => visibility === 'private' && version !== '')
      .map(({ name, description, latest_version: text }) => {
        const path = name.split('/').map(encodeURIComponent).join('/');
        const href = `/api/packages/${path}@${encodeURIComponent(text)}/docs`;
        return { name, description, versions: [{ href, text }] };
      });

  const show = (entries) => {
    list.replaceChildren(...entries.slice(0, SHOWN_ENTRIES));
    const isCut = entries.length > SHOWN_ENTRIES;
    status.textContent = isCut ? `Showing the first ${SHOWN_ENTRIES}.` : '';
    if (entries.length === 0) status.textContent = 'Your tenant has no flows and no private packages yet.';
    status.hidden = status.textContent === '';
  };

  const start = async (key) => {
    const turn = ++asked;
    if (key === '') {
      list.replaceChildren();
      status.hidden = false;
      status.textContent = introduction;
      return;
    }
    const [flows, owned] = await Promise.all([
      svcKeys.readJson(graphs, key),
      svcKeys.readJson(packages, key),
    ]);
    if (turn !== asked) return;
    const problem = flows.problem ?? owned.problem;
    if (problem !== undefined) {
      list.replaceChildren();
      svcKeys.openPanel(true, problem);
      return;
    }
    show([
      ...flowsOf(flows.body).map((each) => entry('flow', each)),
      ...packagesOf(owned.body).map((each) => entry('private package', each)),
    ]);
    svcKeys.openPanel(false, '');
  };

  svcKeys.watch((key) => void start(key));
})();
