/** Units of work to compile a part of a pattern. */
const unitsOfInstruction = 10;
const unitsOfUnicodeClass = 250;
/** In a case-insensitive pattern, every character of a range is looked up. ASCII ranges are short. */
const unitsOfFoldedClass = 500;
const unitsOfFoldedRange = 20_000;

/**
 * Estimates the units of work to compile a pattern in RE2 syntax from its text, before it is compiled: repetitions
 * multiply what they repeat, and Unicode classes and case-insensitive ranges are large.
 */
export function patternWork(pattern: string): number {
  const folds = /\(\?[a-zA-Z-]*i/.test(pattern);
  const unitsOfClass = folds ? unitsOfFoldedClass : unitsOfUnicodeClass;
  /** Instructions of the enclosing groups, and of the last part of each, which a repetition multiplies. */
  const groups = [{ size: 0, last: 0 }];
  let units = 0;
  for (const [part] of pattern.matchAll(parts)) {
    const group = groups.at(-1) ?? { size: 0, last: 0 };
    if (part === '(') {
      groups.push({ size: 1, last: 0 });
      continue;
    }
    if (part === ')' && groups.length > 1) {
      groups.pop();
      const outer = groups.at(-1) ?? group;
      outer.last = group.size;
      outer.size += group.size;
      continue;
    }
    const times = repetition.exec(part);
    if (times) {
      group.size += group.last * (Math.max(Number(times[1]), Number(times[2] ?? 0), 1) - 1);
      continue;
    }
    units += (part.match(/\\[pP]/g) ?? []).length * unitsOfClass;
    if (folds && part.startsWith('[')) units += (part.match(wideRange) ?? []).length * unitsOfFoldedRange;
    group.last = 1;
    group.size += 1;
  }
  const instructions = groups.reduce((sum, { size }) => sum + size, 0);
  return units + instructions * unitsOfInstruction;
}

/** Escapes, classes, repetitions, and single characters. */
const parts = /\\[xpP]\{[^}]*\}|\\.|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|./gsu;
const repetition = /^\{(\d+)(?:,(\d*))?\}$/;
/** A range whose end is not ASCII, written as such or as an escape. */
const wideRange = /-(?:\\|[^\x00-\x7f])|\^/g;
