import assert from 'node:assert/strict';
import { itSlow } from '../support/fast-run.ts';
import { furtherFailures, order, shopProto, specifiedFailures } from '../support/preview-cases.ts';
import { type Answer, type Caller, eachService, type RunningService } from '../support/running-service.ts';

const path = '/api/adapters/preview';
const shop = 'acme.shop.v1';

const single = {
  dst_msg_name: `${shop}.Report`,
  sources: [{ edge_id: 'a', msg_name: `${shop}.Order`, sample: order }],
};
const composed = {
  dst_msg_name: `${shop}.Report`,
  sources: [
    { edge_id: 'a', msg_name: `${shop}.Order`, sample: order },
    { edge_id: 'b', msg_name: `${shop}.Customer`, sample: { name: 'Bo' } },
  ],
};
const draft = (message_name: string, fields: object) => ({ message_name, fields });

function tower(levels: number): object {
  const inner = levels === 1 ? 'string' : { kind: 'message', message: tower(levels - 1) };
  return draft(`Level${levels}`, { value: inner });
}

eachService('the preview of field mappings', (start) => {
  let service: RunningService;
  let acme: Caller;
  let rival: Caller;

  const publish = async (caller: Caller, changes: object = {}): Promise<void> => {
    const answer = await caller.post('/api/v1/packages', {
      name: `${caller.tenant.handle}/shop`,
      version: '1.0.0',
      visibility: 'private',
      protos: { 'acme/shop/v1/shop.proto': shopProto },
      nodes: [{ name: 'Report', input: `${shop}.Order`, output: `${shop}.Report` }],
      ...changes,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  };
  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    rival = await service.tenant('rival');
    await publish(acme);
  });
  after(() => service.stop());

  const preview = (changes: object, caller = acme) => caller.post(path, { ...single, ...changes });
  const refusal = async (changes: object, caller = acme): Promise<[number, string]> => {
    const { status, headers, body } = await preview(changes, caller);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    return [status, body as string];
  };
  const assertOutput = ({ status, body }: Answer, output: object): void =>
    assert.deepEqual([status, body], [200, { output }]);

  it('maps a sample like an edge of a flow', async () => {
    const answer = await preview({
      adapter: {
        text: 'title | suffix("!") | upper',
        number: 'cel("total * 2")',
        'customer.name': 'customer.name',
        words: 'cel("lines.map(line, line.sku)")',
        level: '"HIGH"',
      },
    });
    assertOutput(answer, {
      text: 'TEA!',
      number: '14',
      customer: { name: 'Ada' },
      words: ['a'],
      level: 'HIGH',
    });
  });

  it('accepts any map key and preserves every digit of a sample', async () => {
    const withSample = (sample: string, adapter: object) =>
      acme.post(
        path,
        JSON.stringify({ ...single, sources: [{ ...single.sources[0], sample: '@' }], adapter }).replace(
          '"@"',
          sample,
        ),
      );
    const labels = '{"labels":{"__proto__":"green","constructor":"red"}}';
    const adapter = { text: 'labels | suffix("")', words: `cel("[labels['__proto__']]")` };
    assertOutput(await withSample(labels, adapter), {
      text: '{"__proto__":"green","constructor":"red"}',
      words: ['green'],
    });
    assertOutput(await withSample('{"total":9007199254740993}', { number: 'total' }), {
      number: '9007199254740993',
    });
    const elsewhere = await withSample('{}', JSON.parse('{"__proto__":"title"}') as object);
    assert.deepEqual(
      [elsewhere.status, elsewhere.body],
      [400, 'invalid request body: the key "__proto__" is not allowed'],
    );
  });

  it('returns an empty message for an empty mapping', async () => {
    assertOutput(await preview({ adapter: {} }), {});
  });

  describe('reports the errors of a mapping', () => {
    for (const [field, expression, error] of [...specifiedFailures, ...furtherFailures]) {
      it(`${field} <- ${expression.slice(0, 60)}`, async () => {
        const { status, body } = await preview({ adapter: { [field]: expression } });
        assert.equal(status, 200);
        assert.deepEqual(Object.keys(body as object), ['error']);
        if (typeof error === 'string') assert.equal(body.error, error);
        else assert.match(body.error as string, error);
      });
    }

    it('of every field at once', async () => {
      const { body } = await preview({ adapter: { text: 'a_', number: 'b_' } });
      assert.match(body.error as string, /field pick "a_".*; adapter: field pick "b_"/);
    });

    it('when a sample does not fit its message', async () => {
      const sources = [{ ...single.sources[0], sample: { titel: 'tea' } }];
      const { status, body } = await preview({ sources, adapter: { text: 'title' } });
      assert.equal(status, 200);
      assert.match(body.error as string, /^sources "a": invalid JSON for acme.shop.v1.Order: .*titel/);
    });
  });

  describe('with a compose mapping', () => {
    const compose = (compose_mapping: object) => acme.post(path, { ...composed, compose_mapping });
    const expected = { text: 'tea', customer: { name: 'Bo' } };

    it('accepts a plan whose expressions name their edges', async () => {
      assertOutput(await compose({ compose_plan: { text: 'a:title', customer: 'b:*' } }), expected);
    });

    it('accepts a plan as a list of bindings, and adapters by edge', async () => {
      const bindings = [
        { field: 'text', expression: 'title', src_edge_id: 'a' },
        { field: 'customer.name', expression: 'name', src_edge_id: 'b' },
      ];
      assertOutput(await compose({ compose_plan: bindings }), expected);
      const adapters = { a: { text: 'title' }, b: { customer: '*' } };
      assertOutput(await compose({ edge_adapters: adapters }), expected);
      assertOutput(
        await compose({ edge_adapters: { a: adapters.a }, compose_plan: { customer: 'b:*' } }),
        expected,
      );
    });

    for (const [what, mapping] of [
      ['a binding', { compose_plan: [{ field: 'text', expression: 'title', src_edge_id: 'c' }] }],
      ['an expression', { compose_plan: { text: 'c:title' } }],
      ['an adapter', { edge_adapters: { c: { text: 'title' } } }],
    ] as const) {
      it(`refuses ${what} that reads an edge without a sample`, async () => {
        const { status, body } = await compose(mapping);
        assert.equal(status, 400);
        assert.match(body as string, /reads edge "c" \(src_edge_id\), which has no entry in sources/);
      });
    }

    it('reports duplicate mappings and picks without a source', async () => {
      const twice = await compose({
        edge_adapters: { a: { text: 'title' } },
        compose_plan: { text: 'b:name' },
      });
      assert.deepEqual(twice.body, {
        error: 'adapter: field "text" is mapped twice: remove one of the mappings',
      });
      const unnamed = await compose({ compose_plan: { text: 'title' } });
      assert.match(
        unnamed.body.error as string,
        /^adapter: field pick "title" names no source: write <edge>/,
      );
    });
  });

  describe('finds messages', () => {
    it('of drafts, without storing them', async () => {
      const source = draft('Thing', { name: 'string', count: { kind: 'int64', optional: true } });
      const changes = {
        dst_msg_name: draft('Box', { thing: { kind: 'message', message: source }, label: 'string' }),
        sources: [{ edge_id: 'a', msg_name: source, sample: { name: 'x', count: 3 } }],
        adapter: { thing: '*', label: 'name | prefix("a ")' },
      };
      assertOutput(await preview(changes), { thing: { name: 'x', count: '3' }, label: 'a x' });
      const [status, text] = await refusal({ ...changes, dst_msg_name: 'preview.Box' });
      assert.deepEqual([status, text.includes('"preview.Box" not found')], [404, true]);
    });

    it('in packages that the caller can read, preferring its own and the newest', async () => {
      const adapter = { text: 'title' };
      const [status, text] = await refusal({ adapter }, rival);
      assert.equal(status, 404);
      assert.equal(
        text,
        'dst_msg_name: message "acme.shop.v1.Report" not found in any package that you can read',
      );
      const other = shopProto.replace('string text = 1;', 'string words_only = 1;');
      await publish(rival, { visibility: 'public', protos: { 'acme/shop/v1/shop.proto': other } });
      assertOutput(await preview({ adapter: { words_only: 'title' } }, rival), { wordsOnly: 'tea' });
      assertOutput(await preview({ adapter }), { text: 'tea' });
      assertOutput(
        await preview({ dst_msg_name: 'rival/shop:acme.shop.v1.Report', adapter: { words_only: 'title' } }),
        {
          wordsOnly: 'tea',
        },
      );
      const newer = shopProto.replace('string text = 1;', 'string text = 1; string extra = 10;');
      await publish(acme, { version: '1.1.0', protos: { 'acme/shop/v1/shop.proto': newer } });
      assertOutput(await preview({ adapter: { extra: 'title' } }), { extra: 'tea' });
      const pinned = await preview({
        dst_msg_name: 'acme/shop@1.0.0:acme.shop.v1.Report',
        adapter: { extra: 'title' },
      });
      assert.match(pinned.body.error as string, /has no field "extra"/);
    });

    for (const name of [
      'acme/shop@9.9.9:acme.shop.v1.Report',
      'acme/no:acme.shop.v1.Report',
      'acme/shop:No',
      '',
      ':',
      'a/b/c@1:x',
    ]) {
      it(`but not ${JSON.stringify(name)}`, async () => {
        const [status, text] = await refusal({ dst_msg_name: name, adapter: {} });
        assert.deepEqual([status, text.includes('not found')], [404, true]);
      });
    }
  });

  describe('refuses in plain text', () => {
    const [source] = single.sources;
    const cases: [string, object, RegExp][] = [
      ['neither mapping', {}, /^exactly one of adapter and compose_mapping is required$/],
      ['both mappings', { adapter: {}, compose_mapping: {} }, /^exactly one of adapter and compose_mapping/],
      [
        'an adapter over two edges',
        { ...composed, adapter: {} },
        /^adapter requires exactly one entry in sources, got 2$/,
      ],
      ['no sources', { sources: [], adapter: {} }, /sources: needs at least one entry/],
      ['an edge twice', { sources: [source, source], compose_mapping: {} }, /every edge_id must be unique/],
      ['an unknown key', { adapter: {}, adaptor: {} }, /adaptor/],
      ['an expression that is not a string', { adapter: { text: 1 } }, /adapter.text: must be a string/],
      [
        'an invalid draft',
        { dst_msg_name: 7, adapter: {} },
        /^dst_msg_name: must be an object with the keys message_name/,
      ],
      [
        'a draft with a bad name',
        { dst_msg_name: draft('a.b', { x: 'bool' }), adapter: {} },
        /^dst_msg_name: message_name "a.b"/,
      ],
      [
        'drafts with the same name and different shapes',
        {
          dst_msg_name: draft('A', { x: 'bool' }),
          sources: [{ ...source, msg_name: draft('A', { x: 'string' }) }],
          adapter: {},
        },
        /^sources\[0\].msg_name: message "A" is already defined with other fields/,
      ],
      [
        '11 levels of a draft',
        { dst_msg_name: tower(11), adapter: {} },
        /messages nest deeper than 10 levels$/,
      ],
      [
        '201 fields of a draft',
        {
          dst_msg_name: draft(
            'A',
            Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}x`, 'bool'])),
          ),
          adapter: {},
        },
        /a message has at most 200/,
      ],
      [
        '501 mapped fields',
        {
          adapter: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`f${i}`, 'title'])),
        },
        /^the mapping has 501 fields: a preview has at most 500$/,
      ],
    ];
    for (const [what, changes, text] of cases) {
      it(what, async () => {
        const [status, reported] = await refusal(changes);
        assert.equal(status, 400, reported);
        assert.match(reported, text);
      });
    }

    it('malformed and oversized bodies', async () => {
      const malformed = await acme.post(path, '{"dst_msg_name":');
      assert.equal(malformed.status, 400);
      assert.match(malformed.headers.get('content-type') ?? '', /^text\/plain/);
      assert.match(malformed.body as string, /^invalid request body: /);
      const large = await acme.post(path, `{"dst_msg_name":"${'x'.repeat(1_048_576)}"}`);
      assert.deepEqual([large.status, large.body], [413, 'request body too large']);
    });

    it('but accepts a draft of 10 levels', async () => {
      assertOutput(await preview({ dst_msg_name: tower(10), adapter: {} }), {});
    });

    it('requests with an unknown key', async () => {
      const { status } = await service.withKey(acme.tenant, 'f'.repeat(64)).post(path, single);
      assert.equal(status, 401);
    });
  });

  it('limits the output to 1 MiB', async () => {
    const repeated = (characters: number) =>
      preview({ adapter: { text: `"${'a'.repeat(512)}" | replace("a", "${'b'.repeat(characters)}")` } });
    const { body } = await repeated(2_040);
    assert.equal((body.output as { text: string }).text.length, 512 * 2_040);
    assert.deepEqual((await repeated(2_050)).body, {
      error: 'adapter: the output is larger than 1048576 bytes: preview a smaller sample',
    });
  });

  itSlow('times out a slow preview, and serves other requests in the meantime', async function () {
    this.timeout(180_000);
    // Ranges without case take the most time of all patterns to compile.
    const ranges = ['f', 'e', 'd', 'c'].map((digit) => `a-\\\\x{10fff${digit}}`).join('');
    const costly = `title | regex_replace("(?i)[${ranges}]", "")`;
    const names = Array.from({ length: 200 }, (_, index) => `field_${index}`);
    const half = draft('Half', Object.fromEntries(names.map((name) => [name, 'string'])));
    const part = { kind: 'message', message: half };
    const asked = preview({
      dst_msg_name: draft('Wide', { one: part, other: part }),
      adapter: Object.fromEntries(
        names.flatMap((name) => [
          [`one.${name}`, costly],
          [`other.${name}`, costly],
        ]),
      ),
    });
    const first = await Promise.race([
      asked.then(() => 'preview'),
      acme.get('/api/v1/graphs').then(() => 'list'),
    ]);
    assert.equal(first, 'list');
    const { status, body } = await asked;
    assert.equal(status, 200);
    assert.equal(body.error, 'adapter: the preview timed out after 2 s: preview fewer fields at once');
  });
});
