import assert from 'node:assert/strict';
import { enumDeclaration } from '../../../../generator/languages/typescript/type-tables.ts';
import { format } from 'prettier';

describe('TypeScript type tables', () => {
  it('break before a negative number after a long enum value name, like prettier', async () => {
    const name = 'LONG_'.repeat(16);
    const values = [1, -1, 0].map((number) => ({
      ...{ name: `${name}${number + 1}`, number },
      ...{ comment: '', deprecated: false },
    }));
    const printed = enumDeclaration(
      { fullName: 'acme.v1.Level', name: 'Level', comment: '', deprecated: false, values },
      'Level',
    );
    assert.match(printed, /_0:\n {6}-1,/);
    assert.equal(await format(printed, { parser: 'typescript' }), `${printed}\n`);
  });
});
