import assert from 'node:assert/strict';
import { conformanceSection, withSection } from '../../../generator/documents/conformance-section.ts';

describe('the conformance section', () => {
  it('lists passing and failing groups separately', () => {
    const [section] = conformanceSection({
      bytes: { passed: 3, cases: 3 },
      retry: { passed: 1, cases: 2 },
      unary: { passed: 1, cases: 1 },
      warm: { passed: 0, cases: 0 },
    });
    assert.deepEqual(section?.view, { passed: 'bytes, unary', failing: 'retry (1 of 2 pass)' });
  });

  it('is absent for a language without results', () => {
    assert.deepEqual(conformanceSection(undefined), []);
    assert.deepEqual(conformanceSection({}), []);
  });

  it('is appended to the README and to no other file', () => {
    const files = [
      { path: 'README.md', content: '# Text\n' },
      { path: 'other.md', content: 'other\n' },
    ];
    assert.deepEqual(withSection(files, [{ path: 'README.md', content: '\n## Conformance\n' }]), [
      { path: 'README.md', content: '# Text\n\n## Conformance\n' },
      { path: 'other.md', content: 'other\n' },
    ]);
  });
});
