import assert from 'node:assert/strict';
import { format } from 'prettier';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';

describe('TypeScript values', () => {
  itSlow('stay on the line of a long name, like prettier', async () => {
    const model = await loadSdkFixture('scalars');
    const [member] = model.members;
    assert.ok(member);
    const name = 'LONG_'.repeat(20);
    const fields = (['double', 'bool', 'int64'] as const).map((scalar, index) => ({
      ...{ name: `${name}${index}`, jsonName: `${name}${index}`, number: index + 1, comment: '' },
      ...{ deprecated: false, cardinality: 'single' as const, type: { kind: 'scalar' as const, scalar } },
    }));
    const message = { fullName: 'a.M', name: 'M', comment: '', deprecated: false, fields, oneofs: [] };
    const sample = Object.fromEntries(
      fields.map(({ jsonName }, index) => [jsonName, [1.5, true, '3'][index]!]),
    );
    const types = { messages: [message], enums: [] };
    const members = [{ ...member, input: 'a.M', output: 'a.M', sample }];
    const { language, templates } = await loadLanguage('typescript');
    const files = await sdkFiles({ ...model, members, types }, language, templates);
    const readme = Buffer.from(files.find(({ path }) => path === 'README.md')?.content ?? '').toString();
    assert.match(readme, /long\w*0: 1\.5,\n/i);
    assert.equal(await format(readme, { parser: 'markdown' }), readme);
  });
});
