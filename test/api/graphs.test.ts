import assert from 'node:assert/strict';
import { loadSecretKey } from '../../service/access/secrets/secret-key.ts';
import { createSecretStore } from '../../service/access/secrets/secret-store.ts';
import { systemClock } from '../../service/clock.ts';
import { parseExactJson } from '../../specs/exact-json.ts';
import { LargeNumber } from '../../specs/large-number.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { assertTurn, watchTurns } from '../support/turn-watch.ts';
import { publishSteps, step, twoSteps } from '../support/step-package.ts';

/** Compiling calls no container, so none listens. */
const endpoint = 'grpc://127.0.0.1:1';

describe('compiling flows over HTTP', () => {
  let service: RunningService;
  let acme: Caller;
  let other: Caller;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    other = await service.tenant('other');
    await publishSteps(acme, { endpoint });
  });
  after(() => service.stop());

  const compile = (changes: Record<string, unknown> = {}) =>
    acme.post('/api/v1/graphs/compile', twoSteps(changes));

  /** `code node/edge/field` of each problem. */
  const problems = async (changes: Record<string, unknown>): Promise<string[]> => {
    const { status, body } = await compile(changes);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(body.error, 'compile_failed');
    return body.diagnostics.map((one: Record<string, string>) =>
      [one.code, one.node ?? one.edge, one.field].filter(Boolean).join(' '),
    );
  };

  const messages = async (changes: Record<string, unknown>): Promise<string[]> =>
    (await compile(changes)).body.diagnostics.map((one: { message: string }) => one.message);

  it('assigns an id to a flow, and the same id to the same document', async () => {
    const first = await compile({ name: 'Same', description: 'Twice.' });
    assert.equal(first.status, 201);
    assert.match(first.body.graph_id, /^[A-Za-z0-9_-]+$/);
    const { graph_id: id, graph_artifact_id: artifactId, created_at: createdAt, ...rest } = first.body;
    assert.equal(artifactId, id);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual(rest, {
      name: 'Same',
      description: 'Twice.',
      mode: 'unary',
      input_message: 'acme.steps.v1.Step',
      output_message: 'acme.steps.v1.Step',
      required_secrets: [],
      warnings: [],
    });
    const again = await compile({ description: 'Twice.', name: 'Same' });
    assert.equal(again.status, 200);
    assert.deepEqual(again.body, first.body);
  });

  it('stores one flow for concurrent identical documents', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => compile({ name: 'At once' })));
    assert.deepEqual(answers.map((one) => one.status).sort(), [200, 200, 200, 200, 200, 200, 200, 201]);
    assert.equal(new Set(answers.map((one) => JSON.stringify(one.body))).size, 1);
  });

  it('assigns the same id to equivalent documents: versions, node ids, edge ids, key order, defaults', async () => {
    const { body: detail } = await acme.get('/api/v1/packages/acme/steps/1.0.0');
    const ulid: string = detail.nodes[0].node_ulid;
    const { body: first } = await compile({ name: 'One meaning' });
    for (const nodes of [
      [step('a', { version: 'latest' }), step('b', { version: '1.0.0' })],
      [step('a', { node_name: undefined, node_ulid: ulid }), step('b', { config: {} })],
    ]) {
      const edges = [{ to: 'b', id: 'a_b', from: 'a' }];
      const again = await compile({ name: 'One meaning', mode: 'unary', nodes, edges });
      assert.equal(again.body.graph_id, first.graph_id);
    }
    const { body: changed } = await compile({ name: 'One meaning', nodes: [step('b'), step('a')] });
    assert.notEqual(changed.graph_id, first.graph_id);
  });

  it('preserves every digit of mocks and settings, and assigns different ids to different digits', async () => {
    const large = (digits: string) => new LargeNumber(digits);
    const document = (mocked: LargeNumber, set: LargeNumber) => ({
      name: 'Digits',
      nodes: [step('a', { mock: { output: { count: mocked } } }), step('b', { config: { list: [set] } })],
      config_profiles: { default: { set } },
    });
    const [one, other] = [large('9007199254740993'), large('9007199254740992')];
    const idOf = async (changes: Record<string, unknown>): Promise<string> => {
      const { body } = await compile(changes);
      return body.graph_id as string;
    };
    const ids = [
      await idOf(document(one, one)),
      await idOf(document(other, one)),
      await idOf(document(one, other)),
    ];
    assert.equal(new Set(ids).size, 3);
    const response = await fetch(`${service.url}/api/v1/graphs/${ids[0]}`, {
      headers: { authorization: `Bearer ${acme.key}` },
    });
    const { document: stored } = parseExactJson(await response.text()) as { document: object };
    assert.match(
      JSON.stringify(stored),
      /"output":\{"count":9007199254740993\}.*"list":\[9007199254740993\]/,
    );
    const again = await acme.post('/api/v1/graphs/compile', stored);
    assert.deepEqual([again.status, again.body.graph_id], [200, ids[0]]);
  });

  it('normalizes the notation of a number that a double represents exactly', async () => {
    const ids = ['9007199254740992', '9007199254740992.0', '9.007199254740992e15'].map(async (digits) => {
      const nodes = [step('a', { config: { n: new LargeNumber(digits) } }), step('b')];
      return (await compile({ name: 'Notation', nodes })).body.graph_id as string;
    });
    assert.equal(new Set(await Promise.all(ids)).size, 1);
  });

  it('refuses a number beyond 2^53 in place of a number, a string or an object', async () => {
    const refusal = async (fields: Record<string, unknown>): Promise<string> => {
      const { status, body } = await compile({ nodes: [step('a', fields), step('b')] });
      assert.equal(status, 400);
      return body.error as string;
    };
    const large = new LargeNumber('9007199254740993');
    const at = 'invalid request body: nodes[0]';
    assert.equal(await refusal({ timeout_seconds: large }), `${at}.timeout_seconds: is too large`);
    assert.equal(
      await refusal({ node_name: large }),
      `${at}.node_name: must be a string: put the number in quotes`,
    );
    assert.equal(await refusal({ config: large }), `${at}.config: must be an object`);
  });

  it('accepts any key in the message of a mock, but not elsewhere', async () => {
    const withKey = (place: string, value: string) =>
      acme.post(
        '/api/v1/graphs/compile',
        JSON.stringify(twoSteps({ nodes: [step('a', { [place]: { output: 1 } }), step('b')] })).replace(
          '"output":1',
          `"output":${value}`,
        ),
      );
    const mocked = await withKey('mock', '{"__proto__":{"text":"x"}}');
    assert.match(
      mocked.body.message as string,
      /mock\.output: invalid JSON for .*: unknown field "__proto__"/,
    );
    const set = await withKey('config', '{"__proto__":{"text":"x"}}');
    assert.deepEqual(
      [set.status, set.body.error],
      [400, 'invalid request body: the key "__proto__" is not allowed'],
    );
  });

  it('pins the latest version, unaffected by a later publication', async () => {
    const own = { name: 'acme/moving' };
    await publishSteps(acme, own);
    const nodes = [step('a', { package: 'acme/moving' })];
    const document = { name: 'Moving', nodes, edges: [], terminal: 'a' };
    const first = await compile(document);
    await publishSteps(acme, { ...own, version: '1.1.0' });
    const second = await compile(document);
    assert.notEqual(second.body.graph_id, first.body.graph_id);
    const read = await acme.get(`/api/v1/graphs/${first.body.graph_id}`);
    assert.equal(read.body.document.nodes[0].version, '1.0.0');
    const again = await acme.post('/api/v1/graphs/compile', read.body.document);
    assert.deepEqual([again.status, again.body.graph_id], [200, first.body.graph_id]);
  });

  it('pins a node id to its own version by default', async () => {
    await publishSteps(acme, { name: 'acme/older' });
    const { body: detail } = await acme.get('/api/v1/packages/acme/older/1.0.0');
    await publishSteps(acme, { name: 'acme/older', version: '2.0.0' });
    const node = { id: 'a', package: 'acme/older', node_ulid: detail.nodes[0].node_ulid };
    const document = { nodes: [node], edges: [], terminal: 'a' };
    const { body } = await compile(document);
    const read = await acme.get(`/api/v1/graphs/${body.graph_id}`);
    assert.equal(read.body.document.nodes[0].version, '1.0.0');
    assert.deepEqual(await problems({ ...document, nodes: [{ ...node, version: 'latest' }] }), [
      'unknown_node a',
    ]);
  });

  it('reports all problems at once', async () => {
    const nodes = [
      step('a', { timeout_seconds: 0 }),
      step('a'),
      step('b', { package: 'acme/nothing' }),
      step('c', { node_name: 'Open' }),
    ];
    const edges = [{ from: 'a', to: 'nowhere' }];
    const { body } = await compile({ entry: undefined, terminal: 'z', nodes, edges });
    const codes = body.diagnostics.map((one: { code: string }) => one.code);
    assert.deepEqual(codes, [
      'duplicate_node',
      'missing_entry',
      'unknown_terminal',
      'unknown_target',
      'out_of_range',
      'unknown_package',
      'generic_node',
    ]);
    assert.match(body.message, /^the flow does not compile: node id "a" is used more than once.*; /);
  });

  it('lists at most ten known nodes when a node is unknown', async () => {
    const messages = async (document: Record<string, unknown>): Promise<string[]> =>
      (await compile(document)).body.diagnostics.map((one: { message: string }) => one.message);
    const known = 'is not a node of the flow: its nodes are a, b';
    assert.deepEqual(
      await messages({
        entry: 'x',
        terminal: 'y',
        edges: [
          { from: 'a', to: 'v' },
          { from: 'u', to: 'b' },
        ],
        compose: { w: { text: '"t"' } },
      }),
      [
        `entry "x" ${known}`,
        `terminal "y" ${known}`,
        `edge "a" → "v": target "v" ${known}`,
        `edge "u" → "b": source "u" ${known}`,
        `compose: "w" ${known}`,
      ],
    );
    const many = Array.from({ length: 12 }, (_, index) => step(`n${index}`));
    const [first] = await messages({ entry: 'x', terminal: 'n0', nodes: many, edges: [] });
    assert.match(first ?? '', /: its nodes are n0, n1, .*, n9 and 2 more$/);
  });

  it('requires an entry and a reachable terminal', async () => {
    assert.deepEqual(await problems({ nodes: [], edges: [], entry: 'a' }), [
      'no_nodes',
      'unknown_entry a',
      'unknown_terminal b',
    ]);
    assert.deepEqual(await problems({ edges: [] }), ['unreachable_terminal b']);
    assert.deepEqual(await problems({ nodes: [step('a'), step('b'), step('c')] }), ['unreachable_node c']);
    assert.deepEqual(await problems({ terminal: undefined }), ['missing_terminal']);
    const growing = await compile({ nodes: [step('a'), step('b'), step('c')], mutation_enabled: true });
    assert.deepEqual(
      growing.body.warnings.map((one: { code: string }) => one.code),
      ['unreachable_node'],
    );
  });

  it('warns about a node without a path to the terminal', async () => {
    const nodes = [step('a'), step('b'), step('c')];
    const { status, body } = await compile({
      nodes,
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
      ],
    });
    assert.equal(status, 201);
    assert.deepEqual(body.warnings, [
      {
        code: 'dead_end',
        node: 'c',
        message: 'node "c" has no path to the terminal "b": the run may end before the node completes',
      },
    ]);
  });

  it('accepts loops, and edges from a node to itself', async () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a', condition: 'count < 3' },
      { from: 'a', to: 'a', condition: 'count < 2' },
    ];
    assert.equal((await compile({ edges })).status, 201);
  });

  it('derives unique edge ids from the nodes that they connect', async () => {
    const edges = [
      { from: 'a', to: 'b', condition: 'count > 1' },
      { from: 'a', to: 'b', condition: 'count < 1' },
    ];
    const { body } = await compile({ edges });
    const { body: read } = await acme.get(`/api/v1/graphs/${body.graph_id}`);
    assert.deepEqual(
      read.document.edges.map((edge: { id: string }) => edge.id),
      ['a_b', 'a_b_2'],
    );
    const twice = [
      { id: 'e', from: 'a', to: 'b' },
      { id: 'e', from: 'b', to: 'a' },
    ];
    assert.deepEqual(await problems({ edges: twice }), ['duplicate_edge e']);
  });

  it('lists the existing names for an unknown node', async () => {
    assert.deepEqual(
      await messages({
        nodes: [
          step('a', { version: '9.9.9' }),
          step('b', { node_name: 'Stepp' }),
          step('c', { node_name: undefined }),
          step('d', { package: 'other/hidden' }),
        ],
        edges: [],
        terminal: 'a',
      }),
      [
        'node "b" never runs: no path leads to it from the entry "a": add an edge to it or remove it',
        'node "c" never runs: no path leads to it from the entry "a": add an edge to it or remove it',
        'node "d" never runs: no path leads to it from the entry "a": add an edge to it or remove it',
        'node "a": acme/steps has no version "9.9.9": it has 1.0.0',
        'node "b": acme/steps 1.0.0 has no node "Stepp": it has Step, Again, Turn, Flow, Open, Sealed',
        'node "c": node_name or node_ulid is required',
        'node "d": package "other/hidden" not found',
      ],
    );
  });

  it('accepts public nodes of other tenants and refuses private ones', async () => {
    await publishSteps(other, { name: 'other/shown' });
    await publishSteps(other, { name: 'other/hidden', visibility: 'private' });
    const place = (name: string) => ({ nodes: [step('a', { package: name })], edges: [], terminal: 'a' });
    assert.equal((await compile(place('other/shown'))).status, 201);
    assert.deepEqual(await problems(place('other/hidden')), ['unknown_package a']);
  });

  it('suggests similar names for an unknown package, but no private ones of other tenants', async () => {
    await publishSteps(acme, { name: 'acme/kept', visibility: 'private', endpoint });
    await publishSteps(other, { name: 'other/viewed' });
    await publishSteps(other, { name: 'other/veiled', visibility: 'private' });
    const textOf = async (name: string): Promise<string | undefined> =>
      (await messages({ nodes: [step('a', { package: name })], edges: [], terminal: 'a' }))[0];
    const unknown = (name: string): string => `node "a": package "${name}" not found`;
    assert.equal(await textOf('acme/stepps'), `${unknown('acme/stepps')}: similar names are acme/steps`);
    assert.equal(await textOf('acme/kep'), `${unknown('acme/kep')}: similar names are acme/kept`);
    assert.equal(await textOf('other/vieled'), `${unknown('other/vieled')}: similar names are other/viewed`);
    assert.equal(await textOf('otter/veiled'), unknown('otter/veiled'));
    assert.equal(await textOf('other/veiled'), `${unknown('other/veiled')}: similar names are other/viewed`);
  });

  it('refuses generic nodes, and pipeline nodes in a unary flow', async () => {
    const place = (name: string, mode = 'unary') => ({
      nodes: [step('a', { node_name: name })],
      edges: [],
      terminal: 'a',
      mode,
    });
    assert.deepEqual(await messages(place('Open')), [
      'node "a": "Open" is generic and has no message types: place an Instance that binds it',
    ]);
    assert.deepEqual(await problems(place('Flow')), ['pipeline_node a']);
    assert.equal((await compile(place('Flow', 'pipeline'))).status, 201);
  });

  it('refuses a flow with a node whose secret is not configured', async () => {
    const sealed = twoSteps({ nodes: [step('a', { node_name: 'Sealed' })], edges: [], terminal: 'a' });
    assert.deepEqual(await messages(sealed), [
      'node "a" needs the secret "API_TOKEN", which is not configured: the operator sets it with svc secret set',
    ]);
    const owner = await service.tenant('sealed');
    const key = await loadSecretKey(service.config);
    const secrets = createSecretStore({ tx: service.db.knex, clock: systemClock, key });
    await secrets.set(owner.tenant.id, 'API_TOKEN', 'value');
    const { status, body } = await owner.post('/api/v1/graphs/compile', sealed);
    assert.deepEqual([status, body.required_secrets], [201, ['API_TOKEN']]);
  });

  it('enforces both bounds of timeouts and retries', async () => {
    const placed = (fields: Record<string, unknown>) => ({ nodes: [step('a', fields), step('b')] });
    for (const fields of [
      { timeout_seconds: 1 },
      { timeout_seconds: 3600 },
      { retry: { max_attempts: 1 } },
      { retry: { max_attempts: 2, initial_ms: 86_400_000 } },
      { retry: { max_attempts: 100, initial_ms: 86_400_000, factor: 1, max_ms: 86_400_000 } },
    ]) {
      assert.equal((await compile(placed(fields))).status, 201, JSON.stringify(fields));
    }
    for (const [fields, field] of [
      [{ timeout_seconds: 0 }, 'timeout_seconds'],
      [{ timeout_seconds: 3601 }, 'timeout_seconds'],
      [{ timeout_seconds: 1.5 }, 'timeout_seconds'],
      [{ retry: { max_attempts: 0 } }, 'retry.max_attempts'],
      [{ retry: { max_attempts: 101 } }, 'retry.max_attempts'],
      [{ retry: { max_attempts: 2, initial_ms: 0, max_ms: 1 } }, 'retry.initial_ms'],
      [{ retry: { max_attempts: 2, factor: 0.9 } }, 'retry.factor'],
      [{ retry: { max_attempts: 2, initial_ms: 500, max_ms: 499 } }, 'retry.max_ms'],
    ] as const) {
      assert.deepEqual(await problems(placed(fields)), [`out_of_range a ${field}`], JSON.stringify(fields));
    }
  });

  it('validates a mock against the output message', async () => {
    const mocked = (mock: unknown, fields: Record<string, unknown> = {}) => ({
      nodes: [step('a', { mock, ...fields }), step('b')],
    });
    const { body } = await compile(mocked({ output: { text: 'fixed', count: '9007199254740993' } }));
    assert.deepEqual(body.mocked_nodes, ['a']);
    assert.equal((await compile(mocked({ error: 'always' }))).status, 201);
    assert.deepEqual(await messages(mocked({ output: { txt: 'x' } })), [
      'node "a": mock.output: invalid JSON for acme.steps.v1.Step: unknown field "txt" (acme.steps.v1.Step has text, count, words, part, parts, color)',
    ]);
    assert.deepEqual(await messages(mocked({ error: ' ' })), [
      'node "a": mock.error must not be empty: write the text that the node fails with',
    ]);
    for (const wrong of [{}, { output: {}, error: 'both' }, { frames: [{}] }]) {
      assert.deepEqual(await problems(mocked(wrong)), ['invalid_mock a mock'], JSON.stringify(wrong));
    }
    const streamed = { nodes: [step('a', { node_name: 'Flow', mock: { frames: [{}, { count: 'x' }] } })] };
    const pipeline = { ...streamed, edges: [], terminal: 'a', mode: 'pipeline' };
    assert.deepEqual(await problems(pipeline), ['invalid_mock a mock.frames[1]']);
  });

  it('requires an adapter between different messages, and type-checks conditions', async () => {
    const nodes = [step('a', { node_name: 'Turn' }), step('b')];
    assert.deepEqual(await messages({ nodes }), [
      'edge "a" → "b": EvaluateEdge adapter: "a" outputs acme.steps.v1.Other, but "b" takes acme.steps.v1.Step: add an adapter',
    ]);
    const condition = async (text: string) =>
      (await messages({ edges: [{ from: 'a', to: 'b', condition: text }] }))[0];
    assert.match((await condition('count >'))!, /^edge "a" → "b": EvaluateEdge condition: CEL parse error: /);
    assert.match((await condition('nothing > 1'))!, /condition: CEL compilation failed: .*nothing/);
    assert.match((await condition('count + 1'))!, /condition: CEL compilation failed: .*expected bool/);
  });

  it('reports the errors of all adapter fields at once', async () => {
    const adapted = async (adapter: Record<string, string>): Promise<string[]> =>
      messages({
        nodes: [step('a'), step('b', { node_name: 'Turn' }), step('c')],
        terminal: 'c',
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'c', adapter },
        ],
      });
    const reported = await adapted({
      part: '*',
      text: 'part',
      words: 'text',
      'text(1)': 'text',
      count: 'nothing',
      color: 'other:text',
    });
    const prefix = 'edge "b" → "c": EvaluateEdge adapter: ';
    assert.ok(
      reported.every((message) => message.startsWith(prefix)),
      reported.join('\n'),
    );
    const details = reported.map((message) => message.slice(prefix.length));
    for (const [index, expected] of [
      /^field pick "\*" maps message type "acme\.steps\.v1\.Other" into differently-typed message field "part" \(type "acme\.steps\.v1\.Part"\)/,
      /^field pick "part" .*cannot convert between a message and a scalar/,
      /^field pick "text" .*requires matching cardinality/,
      /^malformed destination field path "text\(1\)": "\(" and "\)" are not allowed/,
      /"nothing"/,
      /undeclared source "other"/,
    ].entries()) {
      assert.match(details[index]!, expected);
    }
    assert.match((await adapted({ text: 'cel("text +")' }))[0]!, /adapter: .*CEL parse error: /);
    assert.match((await adapted({ text: 'cel("text + 1")' }))[0]!, /adapter: .*CEL compilation failed: /);
    const { status } = await compile({
      nodes: [step('a', { node_name: 'Turn' }), step('b')],
      edges: [{ from: 'a', to: 'b', adapter: { text: 'text | upper', 'part.name': 'part.name' } }],
    });
    assert.equal(status, 201);
  });

  describe('with a compose plan', () => {
    const nodes = [step('a'), step('l'), step('r', { node_name: 'Turn' }), step('b', { join: {} })];
    const edges = [
      { from: 'a', to: 'l' },
      { from: 'a', to: 'r' },
      { id: 'left', from: 'l', to: 'b' },
      { id: 'right', from: 'r', to: 'b' },
    ];
    const plan = { b: { text: 'left:text', part: 'right:part' } };

    it('compiles an input that combines several edges', async () => {
      const { status, body } = await compile({ nodes, edges, compose: plan });
      assert.equal(status, 201, JSON.stringify(body));
    });

    it('reports an undeclared source and a field of the wrong type', async () => {
      const wrong = { b: { text: 'middle:text', part: 'right:text', words: 'left:words' } };
      const reported = await messages({ nodes, edges, compose: wrong });
      assert.equal(reported.length, 2);
      assert.match(reported[0]!, /^node "b": EvaluateCompose adapter: undeclared source "middle"/);
      assert.match(
        reported[1]!,
        /^node "b": EvaluateCompose adapter: .*cannot convert between a message and a scalar/,
      );
    });

    it('ignores inherited object properties for a node named "constructor"', async () => {
      const shadowed = [step('a'), step('l'), step('constructor')];
      const two = [
        { from: 'a', to: 'l' },
        { from: 'a', to: 'constructor' },
        { from: 'l', to: 'constructor' },
      ];
      const { status, body } = await compile({ nodes: shadowed, edges: two, terminal: 'constructor' });
      assert.equal(status, 201, JSON.stringify(body));
    });

    it('requires a join, an existing node, and edges without adapters', async () => {
      const joinless = [...nodes.slice(0, 3), step('b')];
      assert.deepEqual(await problems({ nodes: joinless, edges, compose: plan }), ['compose_without_join b']);
      assert.deepEqual(await problems({ nodes, edges, compose: { ...plan, z: {} } }), [
        'unknown_compose_node z',
      ]);
      const adapted = [...edges.slice(0, 3), { ...edges[3], adapter: { text: 'text' } }];
      assert.deepEqual(await problems({ nodes, edges: adapted, compose: plan }), [
        'adapter_beside_compose right',
      ]);
    });
  });

  it('warns when a message passes between versions of its type', async () => {
    await publishSteps(acme, { name: 'acme/changed', endpoint });
    const { body: detail } = await acme.get('/api/v1/packages/acme/changed/1.0.0');
    const [[path, source]] = Object.entries<string>(detail.protos) as [[string, string]];
    const protos = { [path]: source.replace('message Other', 'message New {}\nmessage Other') };
    await publishSteps(acme, { name: 'acme/changed', version: '1.1.0', protos, endpoint });
    const { body } = await compile({
      nodes: [
        step('a', { package: 'acme/changed', version: '1.0.0' }),
        step('b', { package: 'acme/changed' }),
      ],
    });
    assert.deepEqual(
      body.warnings.map((one: { code: string; edge: string }) => [one.code, one.edge]),
      [['other_version', 'a_b']],
    );
  });

  it('identifies the edge of a problem by position and id if others connect the same nodes', async () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'b', condition: 'nothing > 1' },
      { id: 'mine', from: 'a', to: 'b', condition: 'count + 1' },
    ];
    const { body } = await compile({ edges });
    const texts = (body.diagnostics as { message: string }[]).map(({ message }) => message);
    assert.equal(texts.length, 2);
    assert.match(texts[0]!, /^edge "a" → "b": EvaluateEdge condition: CEL .* \(edges\[1\], id "a_b_2"\)$/);
    assert.match(texts[1]!, /^edge "a" → "b": EvaluateEdge condition: CEL .* \(edges\[2\], id "mine"\)$/);
    const alone = await compile({ edges: [{ from: 'a', to: 'b', condition: 'count + 1' }] });
    assert.match(alone.body.diagnostics[0].message as string, /expected bool$/);
  });

  it('warns about a node without a join that several branches reach in every run', async () => {
    const diamond = (condition?: string, join?: object) => ({
      nodes: [step('a'), step('l'), step('r'), step('b', join && { join })],
      edges: [
        { from: 'a', to: 'l', ...(condition !== undefined && { condition }) },
        { from: 'a', to: 'r' },
        { from: 'l', to: 'b' },
        { from: 'r', to: 'b' },
      ],
    });
    const { status, body } = await compile(diamond());
    assert.equal(status, 201);
    assert.deepEqual(body.warnings, [
      {
        code: 'converging_node',
        node: 'b',
        message:
          'node "b" starts once for each branch that reaches it, and the first result of the flow cancels the other branches: add a join if it waits for them',
      },
    ]);
    // Conditions may exclude each other, and a join waits.
    assert.deepEqual((await compile(diamond('count > 1'))).body.warnings, []);
    assert.deepEqual((await compile(diamond(undefined, {}))).body.warnings, []);
  });

  it('warns about identical edges', async () => {
    const same = { from: 'a', to: 'b', condition: 'count < 3' };
    const { body } = await compile({ edges: [same, { ...same, id: 'again' }, { from: 'a', to: 'b' }] });
    assert.deepEqual(body.warnings, [
      {
        code: 'identical_edge',
        edge: 'again',
        message: 'edge "again" is the same as edge "a_b": remove one of them',
      },
    ]);
  });

  it('compares edges regardless of the order of their adapter fields', async () => {
    const adapters = [{ text: 'text', count: 'count' }, { count: 'count', text: 'text' }, { text: 'text' }];
    const { body } = await compile({
      edges: adapters.map((adapter) => ({ from: 'a', to: 'b', condition: 'true', adapter })),
    });
    assert.deepEqual(
      body.warnings.map((one: { code: string; edge: string }) => [one.code, one.edge]),
      [['identical_edge', 'a_b_2']],
    );
  });

  describe('warns about settings without effect', () => {
    const warningsOf = async (changes: Record<string, unknown>): Promise<unknown[]> => {
      const { status, body } = await compile(changes);
      assert.equal(status, 201, JSON.stringify(body));
      return body.warnings;
    };

    it('for a compose plan of an entry without incoming edges', async () => {
      const compose = { a: { text: '"t"' } };
      assert.deepEqual(await warningsOf({ compose }), [
        {
          code: 'compose_at_entry',
          node: 'a',
          message:
            'node "a" is the entry, which starts with the input of the flow, and no edge leads to it: remove its compose plan',
        },
      ]);
      const edges = [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a', condition: 'count < 3' },
      ];
      assert.deepEqual(await warningsOf({ compose, edges }), []);
    });

    it('for retries and mutations in a pipeline flow', async () => {
      const changes = {
        nodes: [step('a', { retry: { max_attempts: 2 } }), step('b')],
        mutation_enabled: true,
      };
      assert.deepEqual(await warningsOf({ ...changes, mode: 'pipeline' }), [
        {
          code: 'retry_in_pipeline',
          node: 'a',
          message: 'node "a": a pipeline flow retries no calls: remove its retry policy',
        },
        {
          code: 'mutation_in_pipeline',
          message: 'the graph of a pipeline flow does not change while it runs: remove mutation_enabled',
        },
      ]);
      assert.deepEqual(await warningsOf(changes), []);
    });
  });

  it('warns about nodes that are not deployed, until they are', async () => {
    await publishSteps(acme, { name: 'acme/later' });
    const nodes = [
      step('a', { package: 'acme/later' }),
      step('b', { package: 'acme/later', mock: { output: {} } }),
    ];
    const { status, body } = await compile({ nodes });
    assert.equal(status, 201);
    assert.deepEqual(body.warnings, [
      {
        code: 'undeployed_node',
        node: 'a',
        message: 'node "a": no container is deployed for acme/later 1.0.0: deploy one before the flow runs',
      },
    ]);
    await acme.put('/api/v1/packages/acme/later/1.0.0/deployment', { endpoint });
    const again = await compile({ nodes });
    assert.deepEqual([again.status, again.body.graph_id, again.body.warnings], [200, body.graph_id, []]);
  });

  it('refuses a join at the entry, and warns about a join without branches', async () => {
    const nodes = [step('a'), step('b', { join: {} }), step('c')];
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
    ];
    const { body } = await compile({ nodes, edges, terminal: 'c' });
    assert.deepEqual(
      body.warnings.map((one: { code: string; node: string }) => [one.code, one.node]),
      [['join_without_branches', 'b']],
    );
    assert.deepEqual(await problems({ nodes: [step('a', { join: {} }), step('b')] }), ['join_at_entry a']);
  });

  it('reports the location of each schema error', async () => {
    const { status, body } = await compile({ nodes: [step('a b'), { id: 'b' }], mode: 'batch' });
    assert.equal(status, 400);
    assert.match(body.error, /^invalid request body: .*nodes\[0\]\.id: must be 1 to 64 letters/);
    assert.match(body.error, /nodes\[1\]\.package/);
    assert.match(body.error, /mode/);
  });

  it('accepts 500 nodes and 2000 edges, and refuses one more', async () => {
    const ids = Array.from({ length: 501 }, (_, index) => `n${index}`);
    const chain = (count: number, extra = 0) => ({
      nodes: ids.slice(0, count).map((id) => step(id)),
      entry: 'n0',
      terminal: `n${count - 1}`,
      edges: [
        ...ids.slice(1, count).map((to, index) => ({ from: ids[index], to })),
        ...Array.from({ length: extra }, () => ({ from: 'n0', to: 'n0', condition: 'count == 1' })),
      ],
    });
    assert.equal((await compile(chain(500, 2000 - 499))).status, 201);
    assert.deepEqual(await problems(chain(501)), ['too_many_nodes']);
    assert.deepEqual(await problems(chain(500, 2000 - 498)), ['too_many_edges']);
  });

  it('accepts 262144 characters of expressions, and refuses one more', async () => {
    const edges = (last: number) =>
      [...Array.from({ length: 64 }, () => 4096), last].map((length) => ({
        from: 'a',
        to: 'b',
        ...(length > 0 && { condition: 'true'.padEnd(length) }),
      }));
    assert.equal((await compile({ edges: edges(0) })).status, 201);
    assert.deepEqual(await problems({ edges: edges(4) }), ['expressions_too_long']);
  });

  let attempts = 0;
  it('does not block the event loop during a long compilation', async () => {
    // As many comparisons as fit: parsing them takes a second or two of one core.
    const condition = (from: number) =>
      Array.from({ length: 150 }, (_, index) => `count!=${from + index}`).join('&&');
    // Another flow in each attempt: one that is known is not compiled again.
    attempts += 1;
    const edges = Array.from({ length: 30 }, (_, index) => ({
      from: 'a',
      to: 'b',
      condition: condition(10_000 * attempts + index * 1_000),
    }));
    const watch = watchTurns();
    const { status } = await compile({ edges });
    const longest = watch.stop();
    assert.equal(status, 201);
    assertTurn(longest, 700);
  });

  it("lists the tenant's own flows, newest first, and hides those of other tenants", async () => {
    const tenant = await service.tenant('lists');
    await publishSteps(tenant, { name: 'lists/steps' });
    const nodes = [step('a', { package: 'lists/steps' }), step('b', { package: 'lists/steps' })];
    const names = ['first', 'second'];
    for (const name of names) await tenant.post('/api/v1/graphs/compile', twoSteps({ name, nodes }));
    const { body } = await tenant.get('/api/v1/graphs');
    assert.deepEqual(body.map((one: { name: string }) => one.name).sort(), names);
    const id: string = body[0].graph_id;
    assert.equal((await tenant.get(`/api/v1/graphs/${id}`)).status, 200);
    for (const path of [id, `${id}/diagram`, 'unknown']) {
      const { status, body: answer } = await acme.get(`/api/v1/graphs/${path}`);
      assert.deepEqual([status, answer], [404, { error: 'graph not found' }], path);
    }
  });

  it('requires write scope to compile', async () => {
    const reader = await service.tenant('reader', { scopes: ['read'] });
    const { status, body } = await reader.post('/api/v1/graphs/compile', twoSteps());
    assert.deepEqual([status, body], [403, { error: "forbidden: token lacks 'write' scope" }]);
  });

  it('draws a flow as Mermaid or SVG, whatever its name and conditions contain', async () => {
    const hostile = '"]; click a "javascript:alert(1)" <script>&--- %%{init}%% \u202e';
    const { body } = await compile({
      name: hostile,
      edges: [{ from: 'a', to: 'b', condition: `text != '<script>"]' && text != '%%{'` }],
    });
    const path = `/api/v1/graphs/${body.graph_id}/diagram`;
    const mermaid = await acme.get(path);
    assert.equal(mermaid.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(
      mermaid.body,
      /^---\ntitle: ".*"\n---\nflowchart TD\n {2}n0\(\["a<br\/>Step<br\/>acme\/steps 1.0.0"\]\)/,
    );
    assert.doesNotMatch(mermaid.body.split('flowchart')[1], /script>|%%|"\]\s*&/);
    for (const [asked, headers] of [
      [`${path}?format=svg`, {}],
      [path, { accept: 'image/svg+xml' }],
    ] as const) {
      const svg = await acme.get(asked, headers);
      assert.equal(svg.headers.get('content-type'), 'image/svg+xml');
      assert.match(svg.headers.get('content-security-policy')!, /default-src 'none'/);
      assert.doesNotMatch(svg.body, /<script|\u202e/);
    }
    const text = await acme.get(path, { accept: 'text/plain, image/svg+xml;q=0' });
    assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8');
    const wrong = await acme.get(`${path}?format=png`);
    assert.deepEqual(
      [wrong.status, wrong.body],
      [400, { error: 'query parameter format: must be mermaid or svg' }],
    );
  });
});
