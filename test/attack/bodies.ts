/** Bodies that are cheap to send and expensive to read. Sizes are in bytes. */

/** `{"numbers":[0,0,...]}`: as many values as fit. */
export function manyNumbers(bytes: number): string {
  return fill('{"numbers":[', '0', bytes, ']}');
}

/** `{"items":[{},{},...]}`: an object for every three bytes. */
export function emptyObjects(bytes: number): string {
  return fill('{"items":[', '{}', bytes, ']}');
}

/** A list of small, valid messages. */
export function smallItems(bytes: number): string {
  return fill('{"items":[', '{"name":"abc","count":"12"}', bytes, ']}');
}

/** `[[[[`, never closed. */
export function openBrackets(levels: number): string {
  return '['.repeat(levels);
}

/** Unknown keys. */
export function unknownKeys(bytes: number): string {
  const parts: string[] = [];
  for (let size = 2, n = 0; size < bytes - 32; n += 1) {
    const part = `"k${n}":0`;
    parts.push(part);
    size += part.length + 1;
  }
  return `{${parts.join(',')}}`;
}

/** A proto source with nested messages. */
export function nestedMessages(packageName: string, levels: number): string {
  return `${header(packageName)}message Root {}\n${'message M{'.repeat(levels)}${'}'.repeat(levels)}\n`;
}

/** A proto source with messages that are not nested. */
export function manyMessages(packageName: string, messages: number): string {
  const lines = Array.from({ length: messages }, (_, n) => `message M${n} { string text = 1; }\n`);
  return `${header(packageName)}message Root {}\n${lines.join('')}`;
}

/** A pipe of transforms that grows one character to millions and replaces each of them repeatedly. */
export function replaceChain(field: string, calls = 30): string {
  const doublings = Math.min(calls, 23);
  const pipe = Array.from({ length: calls }, (_, n) =>
    n < doublings ? `replace("a", "aa")` : n % 2 === 0 ? `replace("b", "a")` : `replace("a", "b")`,
  );
  return [field, ...pipe].join(' | ');
}

/** Three nested loops over one list, in CEL. */
export function nestedLoops(list: string): string {
  return `cel("string(${list}.map(a, ${list}.map(b, ${list}.filter(c, a + b + c == -1).size()).size()).size())")`;
}

/** Repeated regular expressions whose automaton has thousands of states. */
export function regexChain(field: string, calls = 20): string {
  return [
    field,
    ...Array.from({ length: 12 }, () => `replace("a", "aa")`),
    ...Array.from({ length: calls }, () => `regex_replace("(a{1,500}){1,2}b?$", "a")`),
  ].join(' | ');
}

function header(packageName: string): string {
  return `syntax = "proto3";\npackage ${packageName};\n`;
}

function fill(head: string, value: string, bytes: number, tail: string): string {
  const count = Math.floor((bytes - head.length - tail.length + 1) / (value.length + 1));
  return `${head}${Array.from({ length: count }, () => value).join(',')}${tail}`;
}
