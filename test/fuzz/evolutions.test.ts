import assert from 'node:assert/strict';
import type { Language } from '../../generator/language.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { listLanguages, loadLanguage } from '../../service/languages/load-language.ts';
import { evolutionTo } from './evolution.ts';
import { type HostileWords, hostileWords } from './hostile-words.ts';
import { randomModels } from './random-model.ts';
import { randomCases } from '../support/fast-run.ts';

const seed = 4_711;
const evolutions = 150;

describe('names that programs already use', function () {
  this.timeout(300_000);
  let words: HostileWords;

  before(async () => {
    words = await hostileWords();
  });

  it('are kept by every later version, in every language', async () => {
    for (const id of await listLanguages()) {
      const { language } = await loadLanguage(id);
      for (const [index, latest] of randomModels(randomCases(evolutions), seed, words).entries()) {
        const versions = evolutionTo(latest, seed + index);
        for (const [older, newer] of versions.slice(1).map((each, at) => [versions[at]!, each] as const))
          assert.deepEqual(
            namesOf(language, newer, older),
            namesOf(language, older, older),
            `${id}, seed ${seed + index}, version ${newer.version}`,
          );
      }
    }
  });

  it('depend on the symbols of earlier versions', async () => {
    const { language } = await loadLanguage('go');
    const renamed = randomModels(randomCases(evolutions), seed, words).some((latest, index) => {
      const [first, , last] = evolutionTo(latest, seed + index);
      const forgotten = { ...last!, firstSeen: [] };
      return (
        JSON.stringify(namesOf(language, forgotten, first!)) !==
        JSON.stringify(namesOf(language, first!, first!))
      );
    });
    assert.ok(renamed);
  });
});

/** Returns the names that `model` gives to the calls, types, fields and enum values of `older`. */
function namesOf(language: Language, model: SdkModel, older: SdkModel): Record<string, unknown> {
  const { terms, manifest } = language.plan(model);
  const names: Record<string, unknown> = {};
  const aliases = new Set(older.members.map(({ alias }) => alias));
  for (const member of model.members.filter(({ alias }) => aliases.has(alias)))
    names[`member ${member.alias}`] = [
      terms.call(member),
      terms.furtherCalls?.(member),
      manifest.example(member),
    ];
  for (const message of older.types.messages) {
    names[message.fullName] = terms.typeName(message.fullName);
    const now = model.types.messages.find(({ fullName }) => fullName === message.fullName)!;
    for (const { name } of message.fields)
      names[`${message.fullName}.${name}`] = terms.field(
        now,
        now.fields.find((field) => field.name === name)!,
      );
  }
  for (const each of older.types.enums) {
    names[each.fullName] = terms.typeName(each.fullName);
    const now = model.types.enums.find(({ fullName }) => fullName === each.fullName)!;
    for (const { name } of each.values)
      names[`${each.fullName}.${name}`] = terms.enumValue(
        now,
        now.values.find((value) => value.name === name)!,
      );
  }
  return names;
}
