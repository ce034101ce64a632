import { add } from './add.ts';
import { cast } from './cast.ts';
import { cel } from './cel.ts';
import { defaultTransform } from './default.ts';
import { length } from './length.ts';
import { lower } from './lower.ts';
import { mult } from './mult.ts';
import { prefix } from './prefix.ts';
import { regexReplace } from './regex-replace.ts';
import { replace } from './replace.ts';
import { slice } from './slice.ts';
import { split } from './split.ts';
import { suffix } from './suffix.ts';
import type { Transform } from './transform.ts';
import { trim } from './trim.ts';
import { upper } from './upper.ts';

/** Every transform by its name in expressions. `multiply`, the name in the error texts of `mult`, is an alias. */
export const transforms: ReadonlyMap<string, Transform> = new Map([
  ...[
    mult,
    add,
    suffix,
    prefix,
    cel,
    replace,
    regexReplace,
    slice,
    split,
    defaultTransform,
    cast,
    upper,
    lower,
    trim,
    length,
  ].map((transform) => [transform.name, transform] as const),
  ['multiply', mult],
]);
