import assert from 'node:assert/strict';
import type { SdkMember } from '../../../generator/model/sdk-model.ts';
import { createMemberWords, type MemberNames } from '../../../generator/names/member-words.ts';

const member: SdkMember = {
  type: 'flow',
  alias: 'tell',
  mode: 'unary',
  comment: '',
  pin: { artifact: 'a', graph: 'g' },
  input: 'acme.Word',
  output: 'acme.Tale',
  sample: {},
};

const names = {
  calls: new Map([['tell', 'tell']]),
  flows: new Map([['tell', { start: 'startTell', execution: 'tellExecution', warm: 'warmTell' }]]),
  examples: new Map([['tell', 'tell-it']]),
  types: new Map([
    ['acme.Word', 'Word'],
    ['acme.Tale', 'Tale'],
  ]),
};

describe('the words of a member', () => {
  it('hold every name that is planned of it', () => {
    const otherwise: [keyof MemberNames, MemberNames, ('call' | 'program' | 'all')[]][] = [
      ['calls', { ...names, calls: new Map([['tell', 'tell2']]) }, ['call', 'program', 'all']],
      ['flows', { ...names, flows: new Map() }, ['call', 'program', 'all']],
      ['types', { ...names, types: new Map([['acme.Word', 'Word']]) }, ['call', 'program', 'all']],
      ['examples', { ...names, examples: new Map() }, ['program', 'all']],
    ];
    const words = wordsBy(names);
    for (const [name, changed, changes] of otherwise)
      for (const form of ['call', 'program', 'all'] as const)
        assert.equal(wordsBy(changed)[form] !== words[form], changes.includes(form), `${name} in ${form}`);
  });

  it('hold the names that samples are written in, where they are shown', () => {
    const words = wordsBy(names);
    const ofInput = wordsBy(names, { 'acme.Word': 'other' });
    assert.deepEqual([ofInput.call === words.call, ofInput.program === words.program], [true, false]);
    const ofOutput = wordsBy(names, { 'acme.Tale': 'other' });
    assert.deepEqual([ofOutput.program === words.program, ofOutput.all === words.all], [true, false]);
  });

  it('are none for what shows a sample of too many types', () => {
    const ofInput = wordsBy(names, { 'acme.Word': undefined });
    assert.deepEqual([ofInput.program, ofInput.all], [undefined, undefined]);
    const ofOutput = wordsBy(names, { 'acme.Tale': undefined });
    assert.deepEqual([ofOutput.program === undefined, ofOutput.all], [false, undefined]);
  });
});

function wordsBy(planned: MemberNames, reached: Readonly<Record<string, string | undefined>> = {}) {
  const reach = { 'acme.Word': 'word', 'acme.Tale': 'tale', ...reached };
  return createMemberWords(planned, (fullName) => reach[fullName as keyof typeof reach])(member);
}
