import assert from 'node:assert/strict';
import { buildModel } from '../../generator/model/build-model.ts';
import type { ModelSource } from '../../generator/model/build-model.ts';
import type { MemberSource, VersionTypes } from '../../generator/model/build-surface.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { listLanguages, loadLanguage } from '../../service/builds/load-language.ts';
import { compileProtos } from '../../service/messages/compile-protos.ts';

/** Messages whose fields, values and names get in each other's way. */
const protos = {
  'a.proto': `
    syntax = "proto3"; package acme.a; import "b.proto"; import "google/protobuf/wrappers.proto";
    // A word of a.
    message Word {
      string unit_price = 1; int64 count = 2; Color color = 3; Inner inner = 4; acme.b.Word other = 5;
      map<string, Inner> by_key = 6; oneof choice { string first_case = 7; Inner second_case = 8; }
      bytes data = 9; google.protobuf.StringValue wrapped = 10;
    }
    message Inner { repeated Color colors = 1; string text = 2; Word outer = 3; int32 old_field = 4; }
    enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; COLOR_class = 2; COLOR_1 = 3; }
    message ListWords { string list_words = 1; }
    message FindWordExample { string text = 1; }
    message WordChoice { string text = 1; }
    message Paint { Color color = 1; }`,
  'b.proto': `
    syntax = "proto3"; package acme.b;
    message Word { string text = 1; string text2 = 2; string Text = 3; Color color = 4; Inner inner = 5;
      oneof first_choice { string one = 6; string two = 7; } string firstChoice = 8;
    }
    message Inner { Word word = 1; string unit_price = 2; }
    enum Color { NONE = 0; RED = 1; }`,
};

/** The same package when a field and a value had become deprecated, and again when a type was another. */
const deprecated = {
  ...protos,
  'a.proto': protos['a.proto']
    .replace('int32 old_field = 4', 'int32 old_field = 4 [deprecated = true]')
    .replace('COLOR_RED = 1', 'COLOR_RED = 1 [deprecated = true]'),
};
const changed = { ...protos, 'b.proto': protos['b.proto'].replace('string text = 1', 'int64 text = 1') };

/** Descriptor sets by the version of the package. */
type Sets = Readonly<Record<'0.9.0' | '1.0.0' | '1.1.0' | '2.0.0', Uint8Array>>;

interface Variant {
  client?: Partial<ModelSource['client']>;
  semver?: string;
  members?: (sets: Sets) => MemberSource[];
  firstSeen?: ModelSource['firstSeen'];
}

const saying = { input: 'acme.b.Word', output: 'google.protobuf.StringValue' };
const longAlias = 'a-very-long-alias-'.repeat(6);
const ofOnePackage = (sets: Sets): MemberSource[] => [
  node(sets, 'spell', { input: 'google.protobuf.StringValue', output: 'acme.b.Word' }),
  node(sets, 'turn', { input: 'acme.b.Word', output: 'acme.b.Word' }),
  node(sets, 'say', saying),
];
const own = (sets: Sets): MemberSource[] => [
  node(sets, 'find-word', { input: 'acme.b.Word', output: 'acme.a.Inner' }),
  node(sets, 'list-words', { input: 'acme.a.Inner', output: 'acme.b.Word' }),
  node(sets, 'paint', { input: 'google.protobuf.StringValue', output: 'acme.a.Paint' }),
  node(sets, `${longAlias}-b`, saying),
  ...ofOnePackage(sets),
  flow(sets, 'run-all', '1.0.0'),
];
const ofOtherTypes = (sets: Sets): MemberSource[] => [
  node(sets, 'new', { ...a, version: '2.0.0' }),
  node(sets, 'new-say', { ...saying, version: '2.0.0' }),
];
/** Types of its end alone are told in an archive. */
const ending = (sets: Sets, version: keyof Sets): MemberSource => ({
  ...flow(sets, 'end', version),
  input: 'google.protobuf.StringValue',
});
const age = (parts: string[], types: string[] = [], members: string[] = []): ModelSource['firstSeen'] => [
  { version: 2, members, types, parts },
];
const a = { input: 'acme.a.Word', output: 'acme.a.Word' };

/** Versions of clients that share all or some of their members, types and samples, and say them otherwise. */
const variants: Readonly<Record<string, Variant>> = {
  'of a later version': { semver: '2.3.4' },
  'of a client of another name': { client: { slug: 'words', name: 'Words' } },
  'of a client called like a type': { client: { slug: 'word', name: 'Word' } },
  'of a client whose name Go keeps for itself': { client: { slug: 'internal' } },
  'of a client called as Go makes of that': { client: { slug: 'internal-sdk' } },
  'of another tenant': { client: { handle: 'other' } },
  'with a member whose types take the names of others': { members: (s) => [...own(s), node(s, 'a', a)] },
  'with a member whose name is that of another': {
    members: (s) => [...own(s), node(s, 'find Word', a), flow(s, 'start-run-all', '1.0.0')],
  },
  'with a member whose program is called like that of another': {
    members: (s) => [...own(s), node(s, `${longAlias}-a`, saying)],
  },
  'with a member that takes a name of a flow': {
    members: (s) => [...own(s), node(s, 'run-all-execution', saying)],
  },
  'with a member whose name a flow has': {
    members: (s) => [...own(s), node(s, 'run-all-execution', saying)],
    firstSeen: age([], [], ['run-all-execution']),
  },
  'with a type that is younger than what holds it': { firstSeen: age([], ['acme.a.Inner']) },
  'with a type that is younger': {
    members: (s) => [...own(s), node(s, 'a', a)],
    firstSeen: age([], ['acme.b.Word', 'acme.b.Inner']),
  },
  'with types that are younger than those they are called like': {
    firstSeen: age([], ['acme.a.Word', 'acme.a.Inner', 'acme.a.Color']),
  },
  'with fields and values that are younger': {
    firstSeen: age([
      ...[
        'acme.b.Word.text',
        'acme.b.Word.firstChoice',
        'acme.a.Word.unit_price',
        'acme.a.Word.choice',
        'acme.a.Color.COLOR_RED',
      ],
      'acme.a.Inner.text',
    ]),
  },
  'with fields that are younger than those they are called like': {
    firstSeen: age(['acme.b.Word.Text', 'acme.a.Inner.text']),
  },
  'with fields that are younger than the circle they close': {
    firstSeen: age(['acme.a.Inner.outer', 'acme.b.Inner.word']),
  },
  'with a type called like a oneof': {
    members: (s) => [...own(s), node(s, 'choose', { input: 'acme.a.WordChoice', output: 'acme.b.Word' })],
  },
  'with a type called like the example of a member': {
    members: (s) => [...own(s), node(s, 'other', { input: 'acme.a.FindWordExample', output: 'acme.b.Word' })],
  },
  'with a younger member': { firstSeen: age([], [], ['find-word', 'run-all']) },
  'without most members': { members: (s) => own(s).slice(0, 1) },
  'without types that others are called like': { members: ofOnePackage },
  'with another description of a node': {
    members: (s) => own(s).map((member) => ({ ...member, comment: 'Says something else.' })),
  },
  'beside a version with what is deprecated': {
    members: (s) => [node(s, 'old', { ...a, version: '1.1.0' }), ...own(s)],
  },
  'beside an older version with what is deprecated': {
    members: (s) => [node(s, 'old', { ...a, version: '0.9.0' }), ...own(s)],
  },
  'of a version with what is deprecated': {
    members: (s) => [flow(s, 'run-all', '1.1.0'), node(s, 'old', { ...a, version: '1.1.0' })],
  },
  'beside a version of other types': {
    members: (s) => [...own(s), flow(s, 'other', '2.0.0'), ...ofOtherTypes(s)],
  },
  'of a version of other types': { members: (s) => ofOtherTypes(s) },
  'of a flow that takes a text': { members: (s) => [ending(s, '1.0.0')] },
  'of a flow that takes a text and ends in a type in another form': { members: (s) => [ending(s, '2.0.0')] },
  'of a flow that ends in a type': {
    members: (s) => [{ ...flow(s, 'run-all', '1.0.0'), input: 'acme.a.ListWords' }],
  },
  'of a flow that ends in that type in another form': {
    members: (s) => [{ ...flow(s, 'run-all', '2.0.0'), input: 'acme.a.ListWords' }],
  },
  'of a flow that ends in other types': {
    members: (s) => [flow(s, 'run-all', '2.0.0'), node(s, 'find-word', a)],
  },
};

const first: [string, Variant] = ['as it is', {}];

const languages = await listLanguages();

describe('what is remembered', function () {
  this.timeout(300_000);
  let sets: Sets;
  before(async () => {
    const [first, second, third] = await Promise.all(
      [protos, deprecated, changed].map((each) => compileProtos(each)),
    );
    assert.ok(first && second && third);
    sets = { '0.9.0': second.slice(), '1.0.0': first, '1.1.0': second, '2.0.0': third };
  });

  for (const id of languages) {
    it(`is never stale in archives of ${id}`, async () => {
      const { language, templates } = await loadLanguage(id);
      const filesOf = async (variant: Variant, of: Sets): Promise<Map<string, string>> => {
        const files = await sdkFiles(modelOf(variant, of), language, templates);
        return new Map(files.map(({ path, content }) => [path, Buffer.from(content).toString()]));
      };
      // There and back, and each beside the first one, before that is forgotten: after those that it may be confused with.
      const order = Object.entries(variants).flatMap((each) => [first, each]);
      for (const [name, variant] of [...order, ...order.toReversed()]) {
        const remembered = await filesOf(variant, sets);
        const afresh = await filesOf(variant, copyOf(sets));
        assert.deepEqual([...remembered.keys()], [...afresh.keys()], name);
        const stale = [...afresh].filter(([path, content]) => remembered.get(path) !== content);
        assert.deepEqual(
          stale.map(([path]) => path),
          [],
          name,
        );
      }
    });
  }
});

/** Other arrays of the same bytes: nothing is remembered of them. */
function copyOf(sets: Sets): Sets {
  return {
    '0.9.0': sets['0.9.0'].slice(),
    '1.0.0': sets['1.0.0'].slice(),
    '1.1.0': sets['1.1.0'].slice(),
    '2.0.0': sets['2.0.0'].slice(),
  };
}

function modelOf({ client, semver = '1.0.0', members = own, firstSeen = [] }: Variant, sets: Sets) {
  return buildModel({
    client: { name: 'Shop', slug: 'shop', description: 'Sells words.', handle: 'acme', ...client },
    version: 3,
    semver,
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members: members(sets),
    changelog: [{ version: 3, semver, added: [], changed: [], removed: [] }],
    firstSeen,
  });
}

function typesOf(sets: Sets, version: keyof Sets): VersionTypes {
  return { package: 'acme/words', version, descriptorSet: sets[version] };
}

function node(
  sets: Sets,
  alias: string,
  { input, output, version = '1.0.0' }: { input: string; output: string; version?: keyof Sets },
): MemberSource {
  const pin = { package: 'acme/words', version, node: 'Say', ulid: '01K00000000000000000000000' };
  const descriptorSet = sets[version];
  return {
    type: 'node',
    alias,
    mode: 'unary',
    pin,
    comment: `Calls ${alias}.`,
    input,
    output,
    descriptorSet,
  };
}

/** A flow whose terminal node is of a version of the package. */
function flow(sets: Sets, alias: string, version: keyof Sets): MemberSource {
  return {
    type: 'flow',
    alias,
    mode: 'unary',
    pin: { artifact: alias, graph: 'graph' },
    comment: '',
    input: 'acme.a.Word',
    output: 'acme.b.Inner',
    inputTypes: typesOf(sets, '1.0.0'),
    outputTypes: typesOf(sets, version),
  };
}
