import assert from 'node:assert/strict';

import { runtimeCycles } from './runtime-cycles.ts';

const cyclesIn = (files: Readonly<Record<string, string>>): string[] =>
  runtimeCycles(new Map(Object.entries(files)));

describe('the runtime import cycle rule', () => {
  it('accepts one-way imports', () => {
    assert.deepEqual(
      cyclesIn({
        'templates/typescript/runtime/src/a.ts': 'import { b } from "./deep/b.ts";',
        'templates/typescript/runtime/src/deep/b.ts': '',
        'templates/python/runtime/package/_a.py': 'from . import errors\nfrom ._b import B\n',
        'templates/python/runtime/package/_b.py': 'from .errors import SvcError\n',
        'templates/python/runtime/package/errors.py': '',
        'templates/rust/runtime/src/a.rs': 'use crate::b::B;',
        'templates/rust/runtime/src/b.rs':
          '//! See [`A`](crate::a::A).\nmacro_rules! m { () => { $crate::a::A } }',
      }),
      [],
    );
  });

  it('finds a cycle of TypeScript types across folders', () => {
    assert.deepEqual(
      cyclesIn({
        'templates/typescript/runtime/src/a.ts': 'import {\n  b,\n} from "./deep/b.ts";',
        'templates/typescript/runtime/src/deep/b.ts': 'import type { A } from "../a.ts";',
      }),
      [
        'templates/typescript/runtime/src/a.ts -> templates/typescript/runtime/src/deep/b.ts -> templates/typescript/runtime/src/a.ts',
      ],
    );
  });

  it('finds a cycle between a browser file and a file that it shares with TypeScript', () => {
    assert.deepEqual(
      cyclesIn({
        'templates/typescript/runtime/src/a.ts': 'export { b } from "./b.ts";',
        'templates/typescript/runtime/src/b.ts': '',
        'templates/typescript-browser/runtime/src/b.ts': 'export { a } from "./a.ts";',
      }),
      [
        'templates/typescript/runtime/src/a.ts -> templates/typescript-browser/runtime/src/b.ts -> templates/typescript/runtime/src/a.ts',
      ],
    );
  });

  it('finds a cycle of Python modules, even with type-only imports', () => {
    assert.deepEqual(
      cyclesIn({
        'templates/python/runtime/package/_a.py': 'from ._deep import (\n    B,\n    C,\n)\n',
        'templates/python/runtime/package/_deep/__init__.py': 'from .b import B\n',
        'templates/python/runtime/package/_deep/b.py': 'if TYPE_CHECKING:\n    from .. import _a\n',
      }),
      [
        'templates/python/runtime/package/_a.py -> templates/python/runtime/package/_deep/__init__.py -> templates/python/runtime/package/_deep/b.py -> templates/python/runtime/package/_a.py',
      ],
    );
  });

  it('finds a cycle of Rust modules', () => {
    assert.deepEqual(
      cyclesIn({
        'templates/rust/runtime/src/a.rs': 'use crate::deep::B;',
        'templates/rust/runtime/src/deep/mod.rs': 'mod b;\npub use b::B;',
        'templates/rust/runtime/src/deep/b.rs': 'use crate::a::A;',
        'templates/rust/runtime/src/tests/mod.rs': 'use crate::tests::Member;',
      }),
      [
        'templates/rust/runtime/src/a.rs -> templates/rust/runtime/src/deep/mod.rs -> templates/rust/runtime/src/deep/b.rs -> templates/rust/runtime/src/a.rs',
      ],
    );
  });
});
